"""Write messages to players who answer by mail or chat.

The messages are plain text that no mail or chat program changes. Each part of a message fits a post of 2,000
characters and shows only what its side may know. Lines are short, so that they fit a code block on a phone.
"""

from __future__ import annotations

import sys
from io import BytesIO, TextIOWrapper
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.battles.messages.answer_text import is_order_line
from cardbattle.battles.records.reader_view import report_of
from cardbattle.battles.session import MOST_NUMBERED
from cardbattle.commanders import DEFAULT, HUMAN
from cardbattle.commanders.standing import ANY, ELSE, question_words, read_when
from cardbattle.core.chance import stream
from cardbattle.core.names import clean, listed
from cardbattle.core.telling import AFTERWARDS, Name, counted
from cardbattle.show.battle_text import (
    FRAME,
    LONGEST_POST,
    fill_parts,
    house_rule_lines,
    post_length,
    substitute_sentences,
    winner_words,
)
from cardbattle.show.console import console
from cardbattle.show.decision import (
    ShownDecision,
    names_lines,
    news_lines,
    option_list,
    options_together,
    question_lines,
    scene_lines,
    short_names,
)
from cardbattle.show.document import Document, Listing, Paragraph, Section
from cardbattle.show.layout import hung
from cardbattle.show.terminal_battle import Pen, counts
from cardbattle.story.story import tell_story

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from rich.text import Text

    from cardbattle.battles.records.battle_file import BattlePlan
    from cardbattle.battles.records.reader_view import Report
    from cardbattle.battles.session import Decision, Session
    from cardbattle.core.ruleset import Lesson, RuleSet
    from cardbattle.show.document import Content

WIDTH = 60  # columns
HOUSE_RULE = "House rule of this battle: {}"
DECIDE = "Choose one of the options below; the umpire can send you the rules."
STANDING_ORDERS = (
    "Standing orders answer later questions. Write them on lines below your answer, for example:"
)
FIRST_POSSIBLE = (
    'The first possible answer counts. With "else regular", a commander answers all other questions.'
)
WORDS = "Questions: {}. Conditions: {}. The rules explain them."
AHEAD = "ahead"  # its meaning is in the message, because players read it as ahead in the campaign
SINCE = "Since your last message:"
NOT_TAKEN = "These answers of yours were not taken:"
NO_QUESTION = "You have no question now: wait for the next message."
ORDERS_NOW = "You can send the standing orders now:"
OPENING = "The battle begins."
RECEIPT = "Receipt: {}"
HOW = "Answer after the colon, with the number or the words:"
HOW_MARKED = "Answer after the colon, with the number (#1) or the words:"
HOW_IN_WORDS = "Answer after the colon, with the words, such as {}:"
HOW_IN_FORM = "Answer after the colon, in the form {}, such as {}:"
LASTING = (
    "These are the losses in the battle. The report of the turn says how much strength they cost for good."
)
REMINDER = "The battle is waiting for your answer. Message {} shows the situation and your {} options."
MANY = "{} options"
STANDING = "Your standing orders ({}) do not answer this question."
FURTHER = "You can add answers to your next questions, in words: {}."


class Message(NamedTuple):
    """A part of a message to a side. `place` is the number of its question, or 0 after the battle.

    `whole` are the lines of the undivided message.
    """

    side: str
    place: int
    part: int
    parts: int
    lines: list[str]
    whole: Sequence[str]

    def part_label(self, name: str = "") -> str:
        """Return a heading for the person who sends this part. `name` explains the key of the side."""
        part = f", part {self.part} of {self.parts}" if self.parts > 1 else ""
        about = f"question {self.place}" if self.place else "the end"
        side = f"{self.side} ({name})" if name else self.side
        return f"To {side}, {about}{part}: {post_length(self.lines)} characters"


def question_to(
    session: Session,
    seat: int,
    encoding: str = "utf-8",
    due: str = "",
    refused: Sequence[str] = (),
    about: str = "",
) -> list[Message]:
    """Return the parts of the message with the current question of a seat.

    The message uses only characters of `encoding`. `due` is a sentence about the deadline, or "". `refused`
    has the errors in the last answers of the seat. `about` is a sentence about the battle for the first
    message, or "". Raises InvalidInput if the seat has no question.
    """
    decision = session.decision(seat)
    report = session.report(seat)
    pen = pen_for(report, encoding)
    lesson = session.rules.lesson(decision.view)
    shown = ShownDecision(
        report, session.reported_events.get(seat, 0), decision.view, decision.texts, lesson, False
    )
    place = session.place(seat)
    lines = [*message_news(shown.report, shown.since, pen), pen.plain("")]
    side = session.plan.sides[seat]
    if side.substitutes[-1:] == [f"{place}: {HUMAN}"]:
        lines += [*map(pen.plain, substitute_sentences(side, "you")[-1:]), pen.plain("")]
    is_first = seat not in session.reported_events
    if is_first:
        lines = [*introduction(session, decision, lesson, pen), *lines]
        if about:
            about_lines = hung(pen.plain(about), pen.width, pen.console, pen.plain(""), 0)
            lines = [*about_lines, pen.plain(""), *lines]
    lines = [*refusal_lines(refused, pen), *lines]
    scene_start = len(lines)
    lines += names_lines(pen, session.keys) if is_first else []
    pen.names = short_names(pen.names, session.keys)
    lines += [*scene_lines(shown, pen), pen.plain("")]
    question_start = len(lines)
    lines += question_lines(shown, pen)
    is_wide = len(decision.texts) > MOST_NUMBERED
    lines += wide_lines(decision.texts, pen) if is_wide else option_list(decision.texts, pen, decision.mark)
    how = how_to_answer(decision, lesson)
    lines += [pen.plain(""), *receipt_lines(session, seat, pen)]
    for paragraph in filter(None, [due, how]):
        lines += hung(pen.plain(paragraph), pen.width, pen.console, pen.plain(""), 0)
    if example := session.answers_ahead(seat):
        lines.append(pen.plain(FURTHER.format("; ".join(example))))
    standing = session.plan.sides[seat].standing
    if standing:
        lines.append(pen.plain(STANDING.format(counted(len(standing), "line"))))
    lines.append(pen.plain(f"{session.plan.id}/{session.keys[seat]}@{place}:"))
    return in_parts(session, seat, place, [line.plain for line in lines], ends=(scene_start, question_start))


def refusal_lines(refused: Sequence[str], pen: Pen) -> list[Text]:
    """Return lines about the answers that were not taken, and the reasons.

    Below a reason are the lines to send again. They are not wrapped, so that they can be copied.
    """
    lines: list[Text] = [pen.plain(NOT_TAKEN)] if refused else []
    for text in refused:
        error, *again = text.split("\n")
        lines += hung(pen.plain(clean(error)), pen.width, pen.console, pen.plain("- "), 2)
        lines += [pen.plain(f"  {clean(line)}") for line in again]
    return [*lines, pen.plain("")] if lines else []


def introduction(session: Session, decision: Decision, lesson: Lesson | None, pen: Pen) -> list[Text]:
    """Return lines about the game for a new player.

    They say how to win, which house rules this battle has, how to decide, and how to give standing orders.
    """
    rules = session.rules
    kind = lesson.word if lesson is not None and lesson.word else ANY
    possible = rules.possible_conditions(session.plan.setup.house)
    examples = [line for line in rules.standing_examples if can_apply(line, rules, possible)]
    examples = examples or [f"{kind}: {decision.texts[0].split()[0]}"]
    orders = [*(f"when {example}" for example in examples), f"{ELSE} {DEFAULT}"]
    conditions = [f"{word} ({meaning})" if word == AHEAD else word for word, meaning in possible.items()]
    words = WORDS.format(listed([*question_words(rules), ANY]), listed(conditions) or "none")
    lines: list[Text] = []
    special = [
        HOUSE_RULE.format(line) for line in house_rule_lines(session.plan, changed_house(session.plan))
    ]
    for paragraph in filter(None, [rules.aim, *special, DECIDE, STANDING_ORDERS]):
        lines += hung(pen.plain(paragraph), pen.width, pen.console, pen.plain(""), 0)
    lines += [pen.plain(f"  {order}") for order in orders]
    for paragraph in (FIRST_POSSIBLE, words):
        lines += hung(pen.plain(paragraph), pen.width, pen.console, pen.plain(""), 0)
    return [*lines, pen.plain("")]


def changed_house(plan: BattlePlan) -> dict[str, object]:
    """Return the house rules of a battle that do not have their default values.

    Rules that are usually decided at random, such as the dealer, are left out: the deal shows them.
    """
    usual = plan.setup.copy()
    usual.house = {word: option.default for word, option in plan.rules.house.items()}
    plan.rules.choose_random_house_rules(usual, stream("", "lot"))  # also sets defaults, such as a turn limit
    return {
        word: plan.rules.house[word].write(value)
        for word, value in plan.setup.house.items()
        if value is not None and value != usual.house[word] and word not in plan.rules.lots
    }


def can_apply(line: str, rules: RuleSet, possible: Collection[str]) -> bool:
    """Return True if the conditions of a line of standing orders can be true."""
    _, conditions = read_when(line.partition(":")[0], rules)
    return all(word not in rules.conditions or word in possible for word in conditions)


def receipt_lines(session: Session, seat: int, pen: Pen) -> list[Text]:

    receipt = session.receipt(seat)
    return [pen.plain(RECEIPT.format(receipt)), pen.plain("")] if receipt else []


def how_to_answer(decision: Decision, lesson: Lesson | None) -> str:
    """Say how to answer a question: with a number or words, or only with words if there are many options."""
    if len(decision.texts) > MOST_NUMBERED:
        return how_in_words(decision.texts, lesson)
    return HOW_MARKED if decision.mark else HOW


def how_in_words(texts: Sequence[str], lesson: Lesson | None) -> str:
    """Say how to answer a question with many options, with an example among them.

    The example begins like the form of an answer. Its words differ, so that the player sees which word means
    what.
    """
    form = lesson.form if lesson is not None else ""
    fitting = [text for text in texts if text.split()[:1] == form.split()[:1]] or texts
    example = next((text for text in fitting if len({*text.split()}) == len(text.split())), fitting[0])
    return HOW_IN_FORM.format(form, example) if form else HOW_IN_WORDS.format(example)


def wide_lines(texts: Sequence[str], pen: Pen) -> list[Text]:
    """Combine many options into few lines that do not number the options."""
    return options_together(texts, pen, len(texts), MANY)


def ending_to(
    session: Session,
    seat: int,
    encoding: str = "utf-8",
    limit: int | None = LONGEST_POST,
    *,
    is_in_campaign: bool = False,
) -> list[Message]:
    """Return the message to a seat about the end of the battle. The battle must be over.

    The result and the story come first, and the news since the seat's last question, which can be long, last.
    The message is divided into parts of at most `limit` characters, but never within its table of results. If
    `limit` is None, it has one part. In a campaign, the message says where the lasting losses are printed.
    """
    record = session.record()
    report = report_of(record, session.referee, seat)
    so_far = session.report(seat)
    pen = pen_for(report, encoding)
    won, why = winner_words(report)
    before = [
        line.plain for line in hung(pen.text([*won, f": {why}."]), pen.width, pen.console, pen.plain(""), 0)
    ]
    table = "\n".join(line.plain for line in counts(report, pen, WIDTH))
    lines: list[Text] = []
    absent = substitute_sentences(session.plan.sides[seat], "you")
    lines += [pen.plain(""), *map(pen.plain, absent)] if absent else []
    story = pen.plain(tell_story(report).text)
    lines += [pen.plain(""), *hung(story, pen.width, pen.console, pen.plain(""), 0)]
    if is_in_campaign:
        lines += [pen.plain(""), *hung(pen.plain(LASTING), pen.width, pen.console, pen.plain(""), 0)]
    receipt = receipt_lines(session, seat, pen)
    news = message_news(so_far, session.reported_events.get(seat, 0), pen)
    lines += [pen.plain(""), *receipt, *news]
    return in_parts(session, seat, 0, [*before, table, *(line.plain for line in lines)], limit)


def reminder_to(session: Session, seat: int, encoding: str = "utf-8", due: str = "") -> list[Message]:
    """Return a message that reminds a seat of its question.

    `due` is a sentence about the deadline. Raises InvalidInput if the seat has no question.
    """
    decision = session.decision(seat)
    lesson = session.rules.lesson(decision.view)
    pen = pen_for(session.report(seat), encoding)
    place = session.place(seat)
    reminder = REMINDER.format(f"{session.keys[seat]}@{place}", len(decision.texts))
    lines = hung(pen.plain(reminder), pen.width, pen.console, pen.plain(""), 0)
    if lesson is not None:
        lines += hung(
            pen.plain(f"{lesson.ask} ({lesson.rules[0]})."), pen.width, pen.console, pen.plain(""), 0
        )
    lines += [pen.plain("")]
    for paragraph in filter(None, [due, how_to_answer(decision, lesson)]):
        lines += hung(pen.plain(paragraph), pen.width, pen.console, pen.plain(""), 0)
    lines += [pen.plain(f"{session.plan.id}/{session.keys[seat]}@{place}:")]
    return in_parts(session, seat, place, [line.plain for line in lines])


def notice_to(session: Session, seat: int, refused: Sequence[str]) -> list[Message]:
    """Return a message to a seat without a question, with the errors in its last answers."""
    pen = pen_for(session.report(seat), "utf-8")
    place = session.place(seat)
    has_orders = any(is_order_line(line) for text in refused for line in text.split("\n")[1:])
    address = [ORDERS_NOW, f"{session.plan.id}/{session.keys[seat]}@{place}:"]
    lines = [*refusal_lines(refused, pen), pen.plain(NO_QUESTION)]
    lines += map(pen.plain, address if has_orders else [])
    return in_parts(session, seat, place, [line.plain for line in lines])


def opening_to(session: Session, seat: int, due: str = "", refused: Sequence[str] = ()) -> list[Message]:
    """Return the message that asks a seat to open its sealed order.

    `due` is a sentence about the deadline, or "". `refused` has the errors in the last answers of the seat.
    """
    place, key = session.place(seat), session.keys[seat]
    errors = refusal_lines(refused, pen_for(session.report(seat), "utf-8"))
    lines = [
        *(line.plain for line in errors),
        *filter(None, [due]),
        "All answers are sealed. Send the line that you kept:",
        "",
    ]
    return in_parts(session, seat, place, [*lines, f"{session.plan.id}/{key}@{place}: open ..."])


def pen_for(report: Report, encoding: str) -> Pen:

    return Pen(report, console(TextIOWrapper(BytesIO(), encoding=encoding), False, WIDTH))


def message_news(report: Report, since: int, pen: Pen) -> list[Text]:
    """Return short lines about what happened after the first `since` events, as the reader saw it."""
    news = news_lines(report._replace(pace=AFTERWARDS), since, pen)
    if not news:
        return [pen.plain(OPENING)] if not since else []
    return [pen.plain(SINCE if since else OPENING), *news]


def in_parts(
    session: Session,
    seat: int,
    place: int,
    lines: Sequence[str],
    limit: int | None = LONGEST_POST,
    ends: Sequence[int] = (),
) -> list[Message]:
    """Divide lines into the parts of a message. Each part has a heading and fits the length limit.

    `place` is the number of the side's question, or 0 after the battle. Lines that are joined with a newline,
    such as those of a table, stay together. If `limit` is None, there is one part. From the first index in
    `ends` from which all remaining lines fit into a part, these lines stay together.
    """
    key = session.keys[seat]
    pen = pen_for(session.report(seat), "utf-8")
    name = pen.text([Name(seat)]).plain
    about = f"{key}@{place}" if place else "the end"
    head = [f"{name}: {about}", f"{session.rules.name}, battle {session.plan.id}"]
    room = (limit or sys.maxsize) - FRAME - post_length([*head, "", " part 99 of 99"])
    end = next((start for start in ends if post_length(lines[start:]) <= room), len(lines))
    blocks = [*lines[:end], *(["\n".join(lines[end:])] if lines[end:] else [])]
    parts = ["\n".join(part).split("\n") for part in fill_parts(blocks, room)]
    whole = [*head, "", *"\n".join(lines).split("\n")]
    messages = []
    for n, part in enumerate(parts, 1):
        title = f"{head[0]}, part {n} of {len(parts)}" if len(parts) > 1 else head[0]
        messages.append(Message(key, place, n, len(parts), [title, head[1], "", *part], whole))
    return messages


def messages_page(
    battle: str, messages: Sequence[Message], instead: str = "", names: Mapping[str, str] | None = None
) -> Document:
    """Show messages, each below a heading for the person who sends it.

    If `messages` is empty, show the text `instead`. `names` has the names of sides, by their keys.
    """
    blocks: list[Content] = [Paragraph(instead)] if not messages else []
    for message in messages:
        label = message.part_label((names or {}).get(message.side, ""))
        blocks += [Section(label, [label]), Listing(message.lines, "text")]
    data = {"schema": 1, "battle": battle, "messages": [*map(as_table, messages)]}
    return Document("messages", blocks, data, is_sent=True)


def as_table(message: Message) -> Mapping[str, object]:
    table = message._asdict()
    del table["lines"], table["whole"]
    return table | {"text": "\n".join(message.lines)}
