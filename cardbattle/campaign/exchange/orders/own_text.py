"""Find the lines of a message that the program itself has written, which mails quote."""

from __future__ import annotations

import re

from cardbattle.battles.messages.answer_text import BARE_ADDRESS
from cardbattle.battles.messages.pasted_text import NARROWEST, PlainLine
from cardbattle.campaign.exchange.orders.lines import LineParser
from cardbattle.campaign.exchange.orders.words import BEGINS_IN_ANY_FORM
from cardbattle.campaign.exchange.report_examples import NO_EXAMPLE, is_example

REFUSAL = re.compile(r"- (?:not taken|read as|read by the umpire|still counts): .*")
# lines of the program's own request for orders, which mails quote
REQUEST = re.compile(
    r"- [^:()]{1,80}( \([^()]*\))?: strength .*|- [^:()]{1,80} \([^()]*\): (at|not on) .*"
    r"|- [\w-]+: .+ against .+|- battle [^:]{1,200}: .*|To [\w-]+, turn \d+.*|- retreat to .*"
    r"|- planned for turn \d+: .*|From the umpire: .*"
    r"|To seal your lines until .*|.*cardbattle orders seal .*|(orders )?seal \"[\w-]+/[\w-]+@.*"
    r"|([\w-]+/[\w-]+@\d+: )?YOUR( LINES\"?)?|LINES\"?"  # parts of a wrapped line
    rf"|{REFUSAL.pattern}|.* \(strength [^()]*\) must\b.*"
    r"|You need not choose\b.*"
    r"|You cannot choose [^:]*, which [^:]*|There is room in [^:]* for only (?:one|some) of [^:]*"
    r"|.*: (?:the only way|the ways|there is no way) out\b.*|(?:The end of t|T)urn \d+ was undone\b.*"
    r"|[\w-]+/[\w-]+:|Your forces and others are at .*"
    r"|[^:]{1,80}: (orders|where to retreat|result of [\w-]+|battle t\d+-[\w-]+|not taken|read as"
    r"|read by the umpire|[\w-]+@\d+)"
    r"(, reminder)?(, part \d+ of \d+)?|No orders have come yet for .*"
    r"|- [^:]{1,80} - [^:]{1,80}: \d+( .*)?|- in reach of [^:]{1,300}: .*|The map has not changed .*"
    r"|Where your forces can march.*|Weather: .*|You are at peace with .*"
    r"|- (yours|free|held by [^:]{1,80}): .*|Places(,| near) .*|At most \d.*|Supply reaches .*|Your purse: .*"
    r"|You have no supply place left.*"
    r"|At the end of turn \d+, .*|Rules of this war: .*"
    r"|Terrain: .*|A substitute \([a-z]+\) plays for .*"
    r"|Your (?:prisoners|captured leaders): .*|Prisoners are exchanged .*|To release (?:or|one)\b.*"
)
BATTLE_LINE = re.compile(
    r"(Battle [\w-]+)(?: (?:at|between) [^:]{1,160})?: .*"
)  # of the request too, unless a force has such a name
WRAPPED_SEAL = re.compile(r"((sealed|open)\s+)?[0-9a-f]{32,64}\b.*", re.IGNORECASE)
EXAMPLES = re.compile(r"- (hold|(march|retreat) to [\w-]+|[\w-]+ -> [\w-]+|join [\w-]+)")


class OwnText:
    """Recognises the program's own lines. The lines above decide what a line is."""

    def __init__(self, lines: LineParser) -> None:
        self.lines = lines
        self.refusal: PlainLine | None = None  # the line above, if it is a refusal that can continue below
        self.is_about_battle = False  # True in the paragraph of the message about a battle at the table
        self.next_example = NO_EXAMPLE  # the example of a report that the next line can be

    def is_refusal(self, line: PlainLine, text: str) -> bool:
        """Return True for a quoted reason of the program's refusal, or the rest of one on the line below.

        The first word of the rest was too long for the line above.
        """
        above, self.refusal = self.refusal, None
        if not line.depth or not text:
            return False
        if above is None or above.depth != line.depth or text.startswith("- ") or BARE_ADDRESS.match(text):
            is_refusal = REFUSAL.fullmatch(text) is not None
        else:
            is_refusal = len(above.text) + 1 + len(text.split(maxsplit=1)[0]) > NARROWEST
        self.refusal = line if is_refusal else None
        return is_refusal

    def is_in_message(self, text: str) -> bool:
        """Return True for a line of the program's message that needs no line above it, or for an example."""
        return (
            self.is_report_example(text) or self.is_request(text) or WRAPPED_SEAL.fullmatch(text) is not None
        )

    def is_request(self, text: str) -> bool:
        """Return True for a line of the program's own request. An order against a place is not one."""
        name, _, turn = text.rpartition(", Turn ")
        is_title = name == self.lines.parser.campaign.name and turn.isdigit()
        if not is_title and REQUEST.fullmatch(text) is None:
            return False
        named = self.lines.named_line(text)
        is_order = named is not None and named.has_sign and BEGINS_IN_ANY_FORM.match(named.order) is not None
        return not (text.startswith("- ") and is_order)

    def is_report_example(self, text: str) -> bool:
        """Return True for an unchanged example of a report, in its place below the words `For example:`."""
        is_same = is_example(self.next_example, text)
        is_heading = text.endswith("For example:")
        self.next_example = 0 if is_heading else self.next_example + 1 if is_same else NO_EXAMPLE
        return is_same

    def is_in_battle(self, text: str, *, is_asking: bool) -> bool:
        """Return True for a line about a battle at the table, and for the lines of its paragraph.

        An order, a question, and a changed example such as `- york won, kent lost 1/5` are not passed over.
        """
        battle = BATTLE_LINE.fullmatch(text)
        if battle and not self.lines.is_force(self.lines.parser.forces(""), battle[1]):
            self.is_about_battle = True
            return True
        return self.is_about_battle and not (":" in text or text.startswith("- ") or is_asking)
