"""Record a battle played with real cards.

The program knows only the cards that players have turned up. It asks the players what happens next at the
table, which is a choice of a side, or cards that are turned up. If a card contradicts the program's guess,
the module `battles.physical.guesses` searches for another guess.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress

from cardbattle.battles.physical.guesses import MOST_TRIES, NEW, GuessSearch, TableState, swap_in_moves
from cardbattle.battles.physical.reconstruction import (
    CARDS,
    Group,
    Reconstruction,
    ScriptedMove,
    cards_of,
    match_option,
    shapes_of,
)
from cardbattle.battles.records.battle_file import BattlePlan
from cardbattle.battles.records.record import Record, record_of
from cardbattle.battles.records.replay import Refight, ReplayMismatch
from cardbattle.commanders import HUMAN
from cardbattle.core.battle import NOBODY
from cardbattle.core.chance import stream
from cardbattle.core.errors import InvalidInput
from cardbattle.core.grammar import choose_form
from cardbattle.core.names import clean, listed, quoted
from cardbattle.core.referee import choice_words, comparable
from cardbattle.core.ruleset import Setup
from cardbattle.core.telling import counted

FROM = {"origin": "from", "origins": "from"}  # labels of event fields that hold the origin of cards
MOST_CHOICES = 20  # in an error message
SUITED = re.compile(r"(?i)\b(10|[2-9TJQKA])[SHDC♠♥♦♣](?!\w)")  # a card with its suit
WORD_GAP = re.compile(r"[\s_-]+")
PLAYS = "plays"  # the verb for a card that a side plays without being asked


def is_played(does: str) -> bool:
    """Return True if the verb `does`, such as "turns up|turn up", is "plays|play"."""
    return choose_form(does, plural=False) == PLAYS


class Unclear(Exception):
    """The error that is raised if a report has several meanings, which lead to different battles.

    If they differ in the moment of a choice, `moments` has the number of events before each of them.
    """

    def __init__(self, ways: list[str], moments: Sequence[int] = ()) -> None:
        self.ways, self.moments = ways, moments
        super().__init__(listed(ways, "or"))

    def in_order(self) -> list[int]:
        """Return the indices of the meanings in the order of their moments, with cards from the hand first.

        The order of `ways` depends on the guesses at the hidden cards. This order does not.

        >>> Unclear(["from bonus", "from temporary", "from hand"]).in_order()
        [2, 0, 1]
        """
        moments = self.moments or [0] * len(self.ways)
        texts = [way.replace("hand", "") for way in self.ways]
        return sorted(range(len(texts)), key=lambda n: (moments[n], texts[n]))


class TableBattle(GuessSearch):
    """A battle that is played with real cards. `lines` has all reports so far."""

    def __init__(self, plan: BattlePlan, setup: Setup) -> None:
        super().__init__(plan.rules, setup, plan.setup.seats)
        self.plan = plan
        self.typed |= {card for pile in plan.setup.deal.values() for card in pile}
        for seat in range(len(self.keys)):
            for word in plan.setup.sides[seat]:
                self.known_hands |= {card for card in plan.setup.cards(seat, word) if isinstance(card, int)}
        self.past: list[TableState] = []
        self.lines: list[str] = []

    # The next report

    @property
    def group(self) -> Group | None:
        """The group of cards to turn up next, or None if a side must choose, or the battle is over."""
        return self.replay.group

    @property
    def seat(self) -> int:
        """The seat that must choose next, or NOBODY if cards must be turned up or the battle is over."""
        return NOBODY if self.group is not None else self.replay.battle.side

    @property
    def is_over(self) -> bool:
        """True if the battle is over and the players have reported all of it."""
        return self.group is None and self.replay.battle.is_over()

    def shapes(self) -> list[str]:
        """Return the texts of the options of a face-down choice, with each card replaced with "?".

        If the choice is not made face down, the list is empty.
        """
        battle = self.replay.battle
        if self.seat == NOBODY or battle.question not in self.rules.blind:
            return []
        return shapes_of(self.replay.referee.texts())

    # Reports

    def report(self, line: str, way: int = NOBODY) -> None:
        """Apply a report of the players.

        A report is a choice of a side, or names the cards that were turned up.

        If the method raises an error, the battle is unchanged. If the report has several meanings, `way` is
        the index of the right one.

        Raises:
            InvalidInput: if the report is not possible.
            Unclear: if the report has several meanings and `way` does not select one of them.

        """
        before = self.state, self.replay
        self.tries = 0
        try:
            self.take(line, way)
        except (InvalidInput, Unclear):
            self.state, self.replay = before
            raise
        self.past.append(before[0])
        self.lines.append(line if way == NOBODY else f"{line} #{way + 1}")

    def undo(self) -> str:
        """Undo the last report, and return this report. Raises InvalidInput if no report is left."""
        if not self.lines:
            raise InvalidInput("there is no report to undo")
        if len(self.past) < len(self.lines):
            again = TableBattle(self.plan, with_guessed_cards(self.plan))
            for line in self.lines[:-1]:
                again.report(*read_way(line))
            self.past = again.past
            self.state = again.state
        else:
            self.state = self.past.pop()
        self.replay = self.run(self.state)
        return self.lines.pop()

    def go_back(self, state: TableState, lines: list[str]) -> None:
        """Restore an earlier state and the list of reports at that time."""
        self.state, self.lines = state, lines
        self.replay = self.run(state)

    def take(self, line: str, way: int) -> None:
        """Apply a report. If this fails, the battle may be changed, and `report` restores it."""
        key, text = self.mover(line)
        if self.group is not None and not key:
            cards = self.cards_in(text)
            if cards:
                self.show(cards)
                return
        if self.seat != NOBODY and key in ("", self.keys[self.seat]):
            text = self.whole_choice(text)
        key = key or (self.usual_mover(text) if self.seat != NOBODY else "")
        if self.group is None and self.cards_in(text) and (self.is_over or not self.is_asked_for(text)):
            how = "" if self.is_over else f": {self.choices() or self.how()}"
            problem = f"{quoted(clean(text[:60]))}: no cards are turned up now"
            raise InvalidInput(f"{problem}; {self.next_request()}{how}")
        if not key:
            raise InvalidInput(f"{clean(line)} is not a card; {self.next_request()}")
        self.answer(key, self.in_usual_order(text), way)

    def usual_mover(self, text: str) -> str:
        """Return the key of the side that makes a choice whose report does not name a side.

        This is the side that must choose. If it cannot make the choice, but could have passed, it is the only
        other side that can make the choice after the pass.
        """
        asked = self.keys[self.seat]
        is_pass = not self.is_asked_for(text) and self.rules.implied_answer(self.replay.battle)
        if not is_pass or self.ways_of(asked, text):
            return asked
        others = [key for key in self.keys if key != asked and self.ways_of(key, text)]
        return others[0] if len(others) == 1 else asked

    def in_usual_order(self, text: str) -> str:
        """Sort the numbers in the text of a choice if their order has no meaning, such as two places."""
        verb, _, rest = text.partition(" ")
        numbers = rest.split()
        is_unordered = bool(verb) and any(each.startswith(comparable(verb)) for each in self.rules.unordered)
        if not is_unordered or not all(number.isdecimal() for number in numbers):
            return text
        return " ".join([verb, *sorted(numbers, key=int)])

    def whole_choice(self, text: str) -> str:
        """Return the complete text of a choice that a player has shortened.

        In a face-down choice, a player can write the number of an option. If all options have the same verb,
        the player can leave out the verb.
        """
        shapes = self.shapes()
        if text.isdecimal() and 0 < int(text[:9]) <= len(shapes):
            return shapes[int(text) - 1]
        verbs = {option.split()[0] for option in self.replay.referee.texts()}
        return f"{verbs.pop()} {text}" if len(verbs) == 1 and self.cards_in(text) else text

    def mover(self, line: str) -> tuple[str, str]:
        """Split a report into the key of a side and the rest of the text.

        Before the verb of a move, words that begin words of only one side's key or name are enough. If the
        report does not begin with a side, the key is "".
        """
        first, _, text = line.strip().partition(" ")
        names = [side.name.casefold() for side in self.plan.sides]
        word = first.casefold().removesuffix(":")
        if word in self.keys and text:
            return word, text.strip()
        if word in names and text:
            return self.keys[names.index(word)], text.strip()
        verbs = {form.split()[0] for form in self.rules.forms}
        words = line.casefold().split()
        at = next((n for n, each in enumerate(words) if verbs.intersection(comparable(each).split())), 0)
        pairs = [*zip(self.keys, names, strict=True)]
        begun = [pair[0] for pair in pairs if at == 1 and any(each.startswith(word) for each in pair)]
        begun = begun or [pair[0] for pair in pairs if are_in_name(words[:at], " ".join(pair))]
        if not at or len(begun) != 1:
            return "", line.strip()
        return begun[0], line.split(maxsplit=at)[at].strip()

    def cards_in(self, text: str) -> list[str]:
        """Return the full names of the cards in a list, or [] if the text is not such a list."""
        tokens = comparable(text).replace(",", " ").replace("+", " ").split()
        names = {comparable(name): name for name in self.all_card_names()}
        cards: list[str] = []
        while tokens:
            for length in range(len(tokens), 0, -1):
                name = names.get(" ".join(tokens[:length]))
                if name is not None:
                    cards.append(name)
                    del tokens[:length]
                    break
            else:
                return []
        return cards

    def show(self, cards: list[str]) -> None:
        """Apply a report of cards that were turned up, one group after another.

        Raises InvalidInput if a group is not possible or not complete. The groups before it have then already
        been applied, and `report` restores the earlier state.
        """
        while cards:
            group = self.group
            if group is None:
                raise InvalidInput(f"more cards than are revealed; leave out {listed(cards)}")
            number = len(group.cards)
            if len(cards) < number:
                raise InvalidInput(f"{self.next_request()}, but you entered {counted(len(cards), 'card')}")
            self.show_group(group, cards[:number])
            cards = cards[number:]

    def show_group(self, group: Group, cards: Sequence[str]) -> None:
        """Apply the cards of one group. Raises InvalidInput if the group cannot consist of these cards."""
        if len(set(cards)) < len(cards) and not self.rules.alike:
            raise InvalidInput("a card is listed twice")
        shown, replay = self.state.shown, None
        self.showing = group
        orders = dict.fromkeys((tuple(cards), tuple(cards)[::-1]))
        for order in orders:  # a rule can forbid the first card beside the guess for the second one
            replay = replay or next(self.show_cards(self.replay, list(order), [], shown), None)
            replay = replay or self.reshuffle(group, order)
            replay = replay or next(self.show_cards(self.replay, list(order), [], shown, chain=NEW), None)
        self.showing = None
        if replay is None:
            raise InvalidInput(self.why_not_shown(cards))
        is_last = len(replay.groups) == shown + 1 or replay.groups[shown + 1].event > group.event
        script = [move for move in replay.script if move.after_events <= group.event]
        self.go_on(replay.setup, script, shown + 1, group.event + is_last)

    def go_on(self, setup: Setup, script: list[ScriptedMove], shown: int, fixed: int) -> None:
        self.state = TableState(setup, script, shown, fixed)
        self.replay = self.run(self.state)

    def answer(self, key: str, text: str, way: int) -> None:
        """Apply a choice of a side. Raises InvalidInput if the choice is not possible."""
        candidates = self.ways_of(key, text)
        if not candidates:
            if not self.take_forced(key, text):
                raise InvalidInput(self.why_not(key, text))
            return
        if len(candidates) > 1 and way == NOBODY:
            raise Unclear(self.ways(candidates), [self.moment(replay) for replay in candidates])
        replay = candidates[way if 0 <= way < len(candidates) else 0]
        at, script = self.moment(replay), replay.script[: replay.last + 1]
        then = Reconstruction(self.rules, replay.setup, script, self.state.shown, pauses=True)
        is_seen = len(then.seen) > at and not any(group.event == at for group in then.groups)
        self.go_on(replay.setup, script, self.state.shown, at + is_seen)

    def ways_of(self, key: str, text: str) -> list[Reconstruction]:
        """Return a replay for each meaning of a reported choice. Players can see how the replays differ.

        Raises InvalidInput if the choice turns up cards that no report has named.
        """
        distinct: dict[object, Reconstruction] = {}
        candidates = [
            replay for replay in self.try_answer(key, text) if not self.shows_other_cards(replay, text)
        ]
        for replay in candidates:
            if not self.shows_unnamed_cards(replay, text):
                distinct.setdefault(self.distinguishing_facts(replay), replay)
        if candidates and not distinct:
            raise InvalidInput(f"also name the cards that {key} shows")
        return list(distinct.values())

    def distinguishing_facts(self, replay: Reconstruction) -> tuple[int, str]:
        """Return the moment and the public event of a choice, which distinguish its possible meanings."""
        at = self.moment(replay)
        return at, repr(replay.seen[at : at + 1])

    def take_forced(self, key: str, text: str) -> bool:
        """Accept the report of a forced choice, for which the battle did not ask.

        Returns True if the report was accepted.
        """
        names = self.names_in(text)
        if not any(is_played(show.does) for shows in self.rules.shows.values() for show in shows):
            return False
        for chain in ("", NEW):
            for replay, _ in self.move_to_hand(self.replay, key, names, chain) if names else ():
                group = replay.group
                if group is None or group.side == NOBODY or self.keys[group.side] != key:
                    continue
                if is_played(group.does) and set(group.cards) <= set(names):
                    script = [move for move in replay.script if move.after_events <= group.event]
                    self.go_on(replay.setup, script, self.state.shown + 1, group.event + 1)
                    return True
        return False

    def shows_unnamed_cards(self, replay: Reconstruction, text: str) -> bool:
        """Return True if a choice turns up cards that no player has seen and no report has named."""
        at = self.moment(replay)
        seen = replay.seen[at : at + 1]
        if not seen or not replay.script[replay.last].is_reported:
            return False
        shown = {card for group in replay.groups if group.event == at for card in group.cards}
        before = {card for event in replay.seen[:at] for card in cards_of(self.rules, event)}  # also forced
        return not (before | set(self.names_in(text)) | shown).issuperset(cards_of(self.rules, seen[0]))

    def shows_other_cards(self, replay: Reconstruction, text: str) -> bool:
        """Return True if a report names cards that neither its option names nor its event shows.

        For example, the report says with which cards a side pays, and the replay pays with others.
        """
        at = self.moment(replay)
        named = set(self.names_in(text)).difference(self.names_in(replay.option))
        shown = {card for seen in replay.seen[at : at + 1] for card in cards_of(self.rules, seen)}
        return bool(shown) and not shown.issuperset(named)

    def ways(self, candidates: Sequence[Reconstruction]) -> list[str]:
        """Return a text for each replay that describes its meaning to the players.

        The text names the moment of the last move, or the public event after this move.
        """
        moments = sorted({self.moment(replay) for replay in candidates})
        asks = {self.moment(replay): self.rules.lessons[replay.question].ask for replay in candidates}
        fields = [replay.seen[self.moment(replay)].fields for replay in candidates]
        apart = [name for name in fields[0] if len({repr(values.get(name)) for values in fields}) > 1]
        descriptions = []
        for replay, values in zip(candidates, fields, strict=True):
            at = self.moment(replay)
            when = f'asked "{asks[at]}"' if len(set(asks.values())) == len(moments) else ""
            when = when or f"at moment {moments.index(at) + 1} of {len(moments)}"
            facts = [
                f"{FROM.get(name, name)} {listed(self.describe_value(name, values[name]))}" for name in apart
            ]
            descriptions.append(", ".join([*([when] if len(moments) > 1 else []), *facts]))
        return descriptions

    def describe_value(self, name: str, value: object) -> list[str]:
        fact = self.rules.fact(name, value, self.keys)
        return [str(item) for item in fact] if isinstance(fact, list) else [str(fact)]

    # Error texts

    def next_request(self) -> str:
        """Return the text that asks the players for their next report."""
        group = self.group
        if self.is_over:
            return "the battle is over"
        if group is None:
            return f"{self.keys[self.seat]} must choose"
        return group.describe() if group.side == NOBODY else f"{self.keys[group.side]} {group.describe()}"

    def why_not_shown(self, cards: Sequence[str]) -> str:
        """Return an error message that says why these cards cannot be turned up now."""
        visible = self.visible_cards()
        seen = [card for card in cards if card in visible]
        if seen:
            are = "is" if len(seen) == 1 else "are"
            return f"{listed(seen)} {are} already on the table; {self.next_request()}"
        rule = self.rule_against(cards)
        if rule:
            return f"{listed(cards)} cannot lie there: {rule}; {self.next_request()}"
        if self.tries > MOST_TRIES:
            return f"{self.search_limit_text()} puts {listed(cards)} there; {self.next_request()}"
        return f"the earlier reports rule out {listed(cards)} there; {self.next_request()}"

    def rule_against(self, cards: Sequence[str]) -> str:
        """Return the rule by which a side cannot have laid these cards face down together, or "".

        The program guessed the cards of this move. The function asks the rule set about the same move with
        the reported cards.
        """
        group, script = self.group, list(self.replay.script)
        setup: Setup | None = self.replay.setup
        if group is None or group.side == NOBODY:
            return ""
        leaving = [card for card in group.cards if card not in cards]
        coming = [card for card in cards if card not in group.cards]
        if len(leaving) != len(coming):
            return ""
        for old, new in zip(leaving, coming, strict=True):
            setup = self.swap_in_deal(setup, old, new) if setup is not None else None
            script = swap_in_moves(script, old, new)
        laid = [n for n, move in enumerate(script) if is_move_of(move, self.keys[group.side], cards)]
        if setup is None or len(laid) != 1:
            return ""
        try:
            before = Reconstruction(self.rules, setup, script[: laid[0]], self.state.shown, pauses=True)
        except (ValueError, IndexError):  # the deal is not possible
            return ""
        text = script[laid[0]].text.partition(" ")[2]
        is_legal = not before.fits or match_option(self.rules, before.battle, text) != NOBODY
        return "" if is_legal else self.rules.why_not(before.battle, text)

    def search_limit_text(self) -> str:
        """Return the beginning of the error message for a search that stopped at its limit.

        A solution may exist, so the message does not say that the report is impossible.
        """
        return f"the program tried {MOST_TRIES} ways to deal the hidden cards, and none"

    def why_not(self, key: str, text: str) -> str:
        """Return an error message that says why a side cannot make this choice now."""
        shown = clean(text[:60])
        plain = SUITED.sub(r"\1", shown)
        if self.names_in(plain) and not self.names_in(text):
            return f"{quoted(shown)}: suits do not matter; write {plain}"
        verbs = {form.split()[0] for form in self.rules.forms}
        is_move = not text or not verbs.isdisjoint(comparable(text).split()[:1])
        problem = f"{key} cannot {shown or 'say nothing'} now"
        problem = problem if is_move else f"{quoted(shown)} is not a choice of {key}"
        if self.tries > MOST_TRIES:
            return f"{problem}: {self.search_limit_text()} allows it; {self.next_request()}"
        if self.seat != NOBODY and self.keys[self.seat] == key and not self.is_asked_for(text):
            lesson = self.rules.lesson(self.replay.battle.fast_view(self.seat))
            asked = f'the question is "{lesson.ask}" ({lesson.rules[0]})' if lesson else "write"
            return f"{problem}; {asked}: {self.choices() or self.how()}{self.hint_for_others(key, text)}"
        names = self.names_in(text)
        visible = self.visible_cards()
        seen = [name for name in names if name in visible]
        if names and not self.hidden_cards_of(self.replay, key) and self.rules.blind:
            return f"{problem}: after the earlier reports {key} has no cards in hand; {self.next_request()}"
        battle = self.replay.battle
        if self.seat != NOBODY and self.keys[self.seat] == key:
            if seen and self.rules.shows:
                return f"{problem}: {listed(seen)} {'is' if len(seen) == 1 else 'are'} already on the table"
            reason = self.rules.why_not(battle, text) if not names or not self.rules.shows else ""
            advice = f"write {self.choices() or self.how()}"
            return f"{problem}: {reason}; {advice}" if reason not in ("", advice) else f"{problem}; {advice}"
        return f"{problem}; {self.next_request()}"

    def hint_for_others(self, key: str, text: str) -> str:
        """Return how to report this choice of the first other side that can make it, or "" if none can."""
        for other in self.keys:
            with suppress(InvalidInput):
                if other != key and self.ways_of(other, text):
                    return f"; if {other} does it, write: {other} {clean(text[:60])}"
        return ""

    def is_asked_for(self, text: str) -> bool:
        """Return True if the first word of a choice can be the verb of a current option.

        The word can be shortened to the beginning of the verb.
        """
        verbs = {choice.split()[0] for choice in (*self.replay.referee.texts(), *self.options_not_listed())}
        return not text or any(
            verb.startswith(comparable(text).split()[0]) for verb in map(comparable, verbs)
        )

    def options_not_listed(self) -> list[str]:
        """Return the texts of legal choices that are not listed as options, such as "resign"."""
        battle = self.replay.battle
        first = len(battle.options)
        return [choice_words(self.rules, battle, first + n) for n in range(len(battle.unoffered))]

    def how(self) -> str:
        """Return a text that says how to write the next choice.

        A face-down choice is written as a number, and any other choice in one of the forms of the rule set.
        """
        shapes = self.shapes()
        return listed([f"{n} for {shape}" for n, shape in enumerate(shapes, 1)] or self.forms(), "or")

    def choices(self) -> str:
        """Return all options of the next choice, such as "commit 2, 3 or A".

        If there are many options, or if the rule set has hidden cards, which the program only guesses, the
        text is empty.
        """
        texts = self.replay.referee.texts()
        if self.rules.shows or self.rules.blind or len(texts) > MOST_CHOICES:
            return ""
        by_verb: dict[str, list[str]] = {}
        for text in texts:
            verb, _, rest = text.partition(" ")
            by_verb.setdefault(verb, []).append(rest)
        return "; ".join(f"{verb} {listed(rests, 'or')}".strip() for verb, rests in by_verb.items())

    def forms(self) -> list[str]:
        """Return the forms of the next choice, or the options' verbs if the rule set has no forms."""
        texts = self.replay.referee.texts()
        verbs = {text.split()[0] for text in texts}
        forms = [form for form in self.rules.forms if form.split()[0] in verbs]
        return forms or sorted(verbs)

    # The end

    def record(self) -> Record:
        """Return the record of the finished battle. Cards that no player has seen are left out if possible.

        Raises InvalidInput if the battle cannot be replayed from the reports.
        """
        battle, setup = self.replay.battle, self.replay.referee.setup
        dealt = self.rules.dealt(battle, setup)
        visible = self.visible_cards() | {
            self.rules.card_text(card) for card in self.typed | self.known_hands
        }
        for leave_out in (self.only_seen, self.up_to_seen, self.whole):
            deal = {pile: leave_out(pile, cards, visible) for pile, cards in dealt.items()}
            record = self.replay_with_deal(deal)
            if record is not None:
                return record
        raise InvalidInput("the reported battle cannot be replayed")

    def only_seen(self, pile: str, cards: list[int], visible: set[str]) -> list[int]:
        """Return the cards of a pile that the record needs.

        In a hand, these are the cards that players have seen. In any other pile, they are all cards from the
        top down to the last card that players have seen.
        """
        if pile in self.keys:
            return [card for card in cards if self.rules.card_text(card) in visible]
        return self.up_to_seen(pile, cards, visible)

    def up_to_seen(self, pile: str, cards: list[int], visible: set[str]) -> list[int]:
        """Return the cards of a pile from the top down to the last card that players have seen."""
        last = max([n for n, card in enumerate(cards) if self.rules.card_text(card) in visible], default=-1)
        return cards[: last + 1]

    def whole(self, pile: str, cards: list[int], visible: set[str]) -> list[int]:
        return cards

    def replay_with_deal(self, deal: Mapping[str, list[int]]) -> Record | None:
        """Return the record with this deal, or None if the battle would end differently."""
        ours = self.replay.referee
        setup = Setup(ours.setup.seats, ours.setup.house, ours.setup.sides, dict(deal), ours.setup.base)
        record = record_of(self.plan, ours, "table")._replace(setup=setup)
        try:
            again = Refight(record)
            for _ in again.steps():
                pass
        except ReplayMismatch:
            return None
        if again.referee.outcome() != ours.outcome() or not again.referee.battle.is_over():
            return None
        return record_of(self.plan, again.referee, "table")


def are_in_name(words: Sequence[str], name: str) -> bool:
    """Return True if each of the words begins a word of the name.

    >>> are_in_name(["moor", "host"], "host the moor host"), are_in_name(["moor"], "guard the guard")
    (True, False)
    """
    parts = WORD_GAP.split(name)
    return all(any(part.startswith(word.removesuffix(":")) for part in parts) for word in words)


def read_way(line: str) -> tuple[str, int]:
    """Split a stored line into the report and the index of the meaning that the players chose."""
    text, _, way = line.partition(" #")
    return (text, int(way) - 1) if way.isdigit() else (line, NOBODY)


def with_guessed_cards(plan: BattlePlan) -> Setup:
    """Return the setup of a plan. Cards that the battle file does not list are guessed."""
    setup = plan.setup.copy()
    plan.rules.choose_random_house_rules(setup, stream("table", "lot"))
    plan.rules.guess_deal(setup)
    return setup


def lots(plan: BattlePlan) -> dict[str, str]:
    """Return the house rules that are normally decided at random, with an example of a value for each.

    Players with real cards must decide these house rules themselves and report the result.
    """
    settled = plan.setup.copy()
    plan.rules.choose_random_house_rules(settled, stream("table", "lot"))
    return {
        word: str(value)
        for word, value in settled.house.items()
        if plan.setup.house[word] is None and value in plan.setup.seats
    }


def begin_table(plan: BattlePlan) -> TableBattle:
    """Start a battle with real cards. People play all sides, and the battle has no seed."""
    sides = [side._replace(commander=HUMAN, orders=[], then=HUMAN) for side in plan.sides]
    ours = plan._replace(seed=None, sides=sides)
    return TableBattle(ours, with_guessed_cards(ours))


def is_move_of(move: ScriptedMove, key: str, cards: Sequence[str]) -> bool:
    """Return True if a guessed move of a side names all these cards."""
    side, _, text = move.text.partition(" ")
    return side == key and not move.is_reported and {*cards} <= {*CARDS.findall(text)}
