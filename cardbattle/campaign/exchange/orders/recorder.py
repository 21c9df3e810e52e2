"""Keep the orders, errors and requests of a message while its lines are read."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from cardbattle.battles.messages.answer_text import ENDING, MARKUP
from cardbattle.battles.messages.pasted_text import PlainLine, is_reply_header
from cardbattle.campaign.exchange.battle_answers import answer_error
from cardbattle.campaign.exchange.orders.addresses import LONGEST
from cardbattle.campaign.exchange.orders.decision.findings import Finding, Findings, RequestLine, UnreadLine
from cardbattle.campaign.exchange.orders.names import with_bracket
from cardbattle.campaign.exchange.orders.own_text import EXAMPLES
from cardbattle.campaign.exchange.orders.parser import ARROWS, PLEASE, GivenOrder, UnreadOrder
from cardbattle.campaign.exchange.orders.sentences import SentenceReader, parts_of_letter
from cardbattle.campaign.exchange.orders.words import (
    AGREED,
    ALSO,
    AT_PLACE,
    AVOID,
    BEFORE,
    FOLLOWING,
    GOING_ON,
    JOINING,
    SAME,
    THEY_CAN,
)
from cardbattle.campaign.ledger.roster import WORD
from cardbattle.campaign.state.tables.march_orders import AVOID as AVOID_BATTLE
from cardbattle.campaign.state.tables.march_orders import HIRE, JOIN, RETREAT
from cardbattle.core.names import listed, quoted
from cardbattle.files.errors import PlacedDiagnostic

OLD_ORDER = "is no order; write the order itself, or leave it out to hold or to go on with a march"
WRONG_RETREAT = re.compile(r"\bit cannot retreat to\b")
COLON = re.compile(r"\w\s*:\s+\w")  # on a line that can be meant as an order


class OrderText(NamedTuple):
    """The text of an order, which a line with `same` repeats, the depth of its line, and its forces.

    The text is "" if the order was rejected.
    """

    depth: int
    text: str
    forces: Sequence[str] = ()


class OrderRecorder:
    """Keeps what is read in a message, and the orders that a line with `same` repeats."""

    def __init__(self, findings: Findings, sentences: SentenceReader) -> None:
        self.findings = findings
        self.lines = findings.lines
        self.parser = findings.parser
        self.sentences = sentences
        self.above: OrderText | None = None  # the order on the last line with one
        self.texts: dict[str, OrderText] = {}  # the text of each order that was read, by force

    def reject(
        self,
        line: PlainLine,
        text: str,
        words: str = "",
        about: str = "",
        *,
        is_off_map: bool = False,
        hint: str = "",
    ) -> None:
        """Add an error about a line. Its position is where `words` begin on the line.

        `about` is the faction of the forces that the error is about, or "". `is_off_map` is True if its force
        is not on the map, so that the player could correct nothing. Only the umpire reads the `hint`. Without
        an address, only the umpire reads that a force is not on the map.
        """
        self.above = OrderText(line.depth, "")
        faction, findings = self.lines.faction, self.findings
        forces = self.lines.forces_meant(words[:LONGEST])
        is_guessed = not faction and bool(about or (line.depth and not findings.is_marked))
        error: PlacedDiagnostic = findings.error(line, text, words)
        if is_off_map or hint:
            is_unaddressed = is_off_map and not (faction or self.lines.sender == about != "")
            player_text = "" if is_unaddressed else text
            error = findings.umpire_error(
                line, text + hint, words, player_text=player_text, is_settled=is_off_map
            )
        sender = about if is_guessed else faction
        findings.found.append(Finding(sender, line.depth, error, about, forces, is_guessed))

    def reject_answer(self, line: PlainLine, battle: str) -> None:
        """Add the error of a line that answers a battle, which only the umpire reads."""
        error = self.findings.umpire_error(line, answer_error(self.parser.campaign, battle))
        self.findings.found.append(Finding(self.lines.faction, line.depth, error))

    def keep_unread(self, line: PlainLine, text: str, named: Collection[str] = ()) -> None:
        """Keep a line that may name a force and also has a verb of an order, an arrow or a place.

        `named` are forces that the line names at its beginning. These are enough to keep the line. Without
        them, a line that only names a force counts beside orders.
        """
        if len(text) > LONGEST:
            for part in parts_of_letter(text):
                self.keep_unread(line, part)
            return
        text = with_bracket(self.sentences.without_introduction(text))
        spoken = WORD.findall(text.casefold())
        is_example = EXAMPLES.fullmatch(line.bare) and (
            not named or ARROWS.split(text)[0] in self.parser.places
        )
        if not spoken or is_example:
            return
        is_kept = self.lines.names_anything(text) or COLON.search(text) is not None
        if self.sentences.is_own(line) and is_kept and not is_reply_header([line], 0):
            self.findings.ignored.setdefault(line.number, text)
        unasked = self.sentences.without_questions(text)
        is_order = named or AGREED.search(text)
        if unasked != text and self.sentences.asks(line, unasked) and not is_order:
            self.keep_request(line, text)
            self.keep_unread(line, unasked)
            return
        meaning = self.sentences.meaning_of(line, text, named)
        if meaning.is_for_umpire or (meaning.request and not meaning.order):
            self.keep_request(line, text)
        if not meaning.order:
            return
        forces = self.lines.forces_in(meaning.order, self.lines.faction)
        unread = UnreadLine(line, meaning.order, self.lines.faction)
        if meaning.is_only_name:
            unread = unread._replace(paragraph=self.findings.paragraph)
        else:
            unread = unread._replace(
                forces=() if forces else [*named],
                corrected=self.lines.corrected_line(text),
                request=meaning.request,
                unknown="" if forces or named else self.lines.unknown_marcher(text),
                other_turn=self.lines.other_turn(text),
            )
        self.findings.unread.append(unread)
        if forces or named:
            self.above = OrderText(line.depth, "")

    def keep_request(self, line: PlainLine, text: str) -> None:
        """Keep a line that asks the umpire for something."""
        spoken = WORD.findall(text.casefold())
        self.findings.requests.append(RequestLine(line, text, self.lines.faction, spoken))

    def same_text(self, line: PlainLine, name_text: str, text: str) -> str:
        """Return the text of an order. Resolve `same`, `keep going` and so on to another order of a force.

        Raises ValueError if the lines above do not have this order, and if the force is not on the march.
        """
        bare = ALSO.sub("", PLEASE.sub("", text.strip(MARKUP + ENDING)))
        without = AVOID.sub("", bare)
        followed = self.with_companion(line, name_text, without)
        if followed != without:
            return followed if without == bare else f"{AVOID.sub('', followed)}{AVOID_BATTLE}"
        march = self.march_of(name_text) if GOING_ON.fullmatch(without) else ""
        if march:
            return march if without == bare else f"{AVOID.sub('', march)}{AVOID_BATTLE}"
        if BEFORE.fullmatch(without):
            raise ValueError(f"{quoted(bare)} {OLD_ORDER}")
        name, hiring = self.parser.split_hiring(without)
        same = SAME.fullmatch(name)
        if same is None:
            return text
        force, above, which = "", self.above, "order"
        if same["force"]:
            force = self.lines.find_force(self.parser.forces(self.lines.faction), same["force"])
            above, which = self.texts.get(force), f"order of {force}"
        if above is None or above.depth != line.depth:
            raise ValueError(f"there is no {which} above it; write the order itself")
        if not above.text:
            raise ValueError("the line above it does not count; write the order itself")
        order = above.text if without == bare else f"{AVOID.sub('', above.text)}{AVOID_BATTLE}"
        if hiring is None:
            return order
        return f"{self.parser.split_hiring(order)[0]}, {HIRE} {self.parser.number_hired(hiring)}"

    def with_companion(self, line: PlainLine, name_text: str, text: str) -> str:
        """Return an order such as `go with them` with the force that it follows, or another text as it is.

        A beaten force retreats to the place of the force that it joins. Raises ValueError if no single force
        has an order on the line above, or if it is not clear where the other force will be.
        """
        order = THEY_CAN.sub("", text, count=1)
        following, joining = FOLLOWING.fullmatch(order), JOINING.fullmatch(order)
        if not (following or joining):
            return text
        name = joining["force"] if joining else ""
        forces = {*self.lines.forces_named(name_text)}
        beaten = sorted(forces) if forces <= {*self.lines.beaten_now()} else []
        if following:
            above = self.above
            if above is None or above.depth != line.depth or len(above.forces) != 1:
                beaten = [*map(self.parser.retreat_forms, beaten)]
                raise ValueError(
                    f"{quoted(text)} names no force; {'; '.join(beaten) or f'write {JOIN} FORCE'}"
                )
            name = above.forces[0]
        if beaten:
            return self.retreat_with(name) or text
        return f"{JOIN} {name}" if following else text

    def retreat_with(self, name: str) -> str:
        """Return the retreat of a beaten force that joins another one, or "" if its place is not clear."""
        name, *place = AT_PLACE.split(name, maxsplit=1)
        with suppress(ValueError):
            force = self.lines.find_force(self.parser.forces(self.lines.faction), name)
            there = self.parser.campaign.forces[force]
            if place:
                return f"{RETREAT} {place[0]}"
            if force in self.parser.retreats:
                chosen = self.texts.get(force)
                return chosen.text if chosen else f"{RETREAT} {there.retreat}" if there.retreat else ""
            return f"{RETREAT} {there.location}" if self.parser.has_moved else ""
        return ""

    def march_of(self, name_text: str) -> str:
        """Return the unfinished march of the only force that a text names, or ""."""
        forces = [*self.lines.forces_named(name_text)]
        return (self.parser.campaign.forces[forces[0]].march or "") if len(forces) == 1 else ""

    def give(self, line: PlainLine, forces: Iterable[str], text: str, hiring: Collection[str] = ()) -> None:
        """Keep the order in a text for these forces, but hire no more soldiers for those in `hiring`.

        Raises ValueError if the text is not valid.
        """
        forces = [*forces]
        orders = []
        errors: list[str] = []
        for force in forces:
            try:
                orders.append((force, *self.lines.order_or_retreat(force, text)))
            except ValueError as error:
                is_for_one = len(forces) > 1 and not isinstance(error, UnreadOrder)
                errors.append(f"{force}: {error}" if is_for_one else str(error))
                if force not in self.parser.retreats:
                    break
        if errors:
            # a place can be closed to several beaten forces, and is then not offered to any of them
            raise ValueError("; ".join(errors if all(map(WRONG_RETREAT.search, errors)) else errors[:1]))
        self.above = OrderText(line.depth, text, forces)
        for force, order, remark in orders:
            self.texts[force] = self.above
            spoken = WORD.findall(remark.casefold())
            if self.sentences.is_for_umpire(line, remark) or self.sentences.is_purchase(line, remark):
                self.findings.requests.append(RequestLine(line, line.bare, self.lines.faction, spoken))
                remark = ""  # the player reads that the umpire decides
            for part in order.parts():
                if part.verb or force not in hiring:
                    given = GivenOrder(
                        force,
                        part,
                        self.findings.file,
                        line.number,
                        self.lines.address.has_turn,
                        remark,
                        line.text,
                    )
                    self.findings.found.append(Finding(self.parser.faction_of(force), line.depth, given))
                    remark = ""

    def read_retreat(self, line: PlainLine, beaten: Sequence[str], text: str) -> None:
        """Read where a faction retreats, in a sentence without a force. Only one force can be meant."""
        about = self.parser.faction_of(beaten[0])
        if len(beaten) > 1:
            left = self.parser.without_retreat(about)
            asked = [force for force in beaten if force in left] or beaten
            forms = "; ".join(map(self.parser.retreat_forms, asked))
            self.reject(line, f"{listed(asked)} must retreat; {forms}", text, about)
            return
        try:
            self.give(line, beaten, f"retreat {text}")  # `back to york` alone could be a march
        except ValueError as error:
            hint = self.findings.retreat_command(beaten, WORD.findall(text.casefold()))
            self.reject(line, f"{beaten[0]}: {error}", text, about, hint=hint)
