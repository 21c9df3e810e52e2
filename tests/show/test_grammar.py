"""Sentences agree with the names in them: a singular name takes singular verbs, a plural one plural verbs."""

from __future__ import annotations

import copy
import pickle
import re
from typing import TYPE_CHECKING

import pytest

from cardbattle.battles.records.battle_file import default_name, read_battle, with_persons
from cardbattle.battles.records.reader_view import report_of
from cardbattle.battles.resolve import begin_session, fight_battle
from cardbattle.core.battle import NOBODY
from cardbattle.core.grammar import Noun, guess_plural, with_verb
from cardbattle.core.telling import (
    AFTERWARDS,
    AT_TABLE,
    AUDIT,
    DURING,
    Card,
    Heading,
    Inflection,
    Line,
    Name,
    Parts,
    fill_template,
)
from cardbattle.rules import RULE_SETS, find
from cardbattle.show.battle_text import blocks_for, said
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardbattle.battles.records.record import Record
    from cardbattle.core.referee import Referee
    from cardbattle.core.telling import Block

PLURAL = ["The Scots", "The Cheshire archers", "Massie's Dragoons", "The King's men", "Percy and Douglas",
          "The Men with Clubs", "The Lords of the North", "Birch's Firelocks", "Goblins", "Wolves", "Heroes",
          "3rd Rifles", "Percy & Douglas", "Kelp Riders", "Nan Tolliver's tub-men", "The Ferrymen",
          "Wreckers' oarsmen", "River-folk", "Salt Wagoners", "Pikes", "Heron Pikes", "Black Lances",
          "Sea Rogues", "The Dutch", "Grey Foxes", "Weavers", "Mill Horses", "Die Jäger", "Die roten Reiter",
          "Die Bogenschützen", "Die Pikeniere von Ulm", "Die drei Türme", "Die Bürger der Stadt",
          "Die Bauern", "Die Ulmer Jäger", "Die Roten Husaren", "Die Bergleute", "Roth und Voss",
          "Fährleute", "Öhringer Spieße", "Klostervögte", "Landsknechte des Kaisers",
          "Leute vom See",
          "Bargemen", "Boatmen", "Fenfolk", "Townspeople", "Field mice", "White Geese"]  # fmt: skip
SINGULAR = ["York", "Archibald Douglas", "Prince Henry", "The garrison of Chester", "Vaughan's Horse",
            "Wales", "Thomas of Lancaster", "The Duchess", "James", "The House of Percy", "織田",
            "The Tardis", "Paris", "Marcus", "The Albatross", "Charles", "John Rogers", "Carmen",
            "The Omen", "Bremen", "Anna Niemen", "The Yemen", "Sir Hugh Waters", "Captain Rogers",
            "St Albans", "St. Albans", "Fort Rivers", "The 3rd Corps", "Iron Corps", "South Wales",
            "Norfolk", "Lord Suffolk", "Thommen",
            "Naples", "Salt Moss", "Kronos", "Thomas", "Owen Glendowers", "Dutch", "Iron Cross",
            "Weißenfels", "Die graue Garde", "Die Rote Kompanie", "Die Wache des Königs", "Die Alte Mauer",
            "Die Ulmer Garde", "Die Stadtmauer",
            "Das Heer des Königs", "Der Bund von Ulm und Kent", "Die Königin",
             "Zunft der Bergleute", "Jäger", "Krähes Söldner", "Der Bund der Landsknechte"]  # fmt: skip


@pytest.mark.parametrize("name", PLURAL)
def test_a_plural_name_is_guessed_from_its_form(name: str) -> None:
    assert guess_plural(name)
    assert with_verb(name, "is|are") == f"{name} are"


@pytest.mark.parametrize("name", SINGULAR)
def test_a_name_without_a_sign_of_a_plural_is_singular(name: str) -> None:
    assert not guess_plural(name)
    assert with_verb(name, "is|are") == f"{name} is"


@pytest.mark.parametrize("copied", [copy.deepcopy, copy.copy, lambda noun: pickle.loads(pickle.dumps(noun))])
def test_a_copied_name_keeps_its_number(copied) -> None:  # type: ignore[no-untyped-def]
    for plural in (True, False):
        noun = copied(Noun("Athens", plural))
        assert (noun, noun.is_plural) == ("Athens", plural)


def test_a_key_becomes_a_name_with_small_words_in_small_letters() -> None:
    names = {
        "edward-of-march": "Edward of March",
        "jeanne-d-arc": "Jeanne D Arc",
        "the-men-of-the-north": "The Men of the North",
        "of-march": "Of March",
        "horse_and_foot": "Horse and Foot",
        "york": "York",
    }
    assert {key: default_name(key) for key in names} == names


SIDES = {"york": {"name": "Athens"}, "kent": {"name": "The Tardis"}}  # guessed plural, guessed singular
NUMBERS = [(False, False), (True, True), (True, False), (False, True)]
NO_VERBS = (  # and modals, which have one form
    " and ", " of ", " to ", " in ", " with ", " against ", " at once ", " now ", " could ", " must ",
    " deployed ",
)  # fmt: skip
NO_SUBJECT = (
    " of ", " to ", " from ", " against ", " by ", " on ", " for ", " under ", " fight ", " through ",
)  # fmt: skip


def battles(rules: str) -> Iterator[tuple[Record, Referee]]:
    """Fight battles of a rule set with the usual house rules, and with each of those that can be on."""
    houses: list[dict[str, object]] = [{}]
    houses += [{word: True} for word, option in find(rules).house.items() if option.default is False]
    for seed in range(8):
        for house in houses if seed < 2 else [{}]:
            yield fight_battle(read_battle(battle_file(rules, seed, house)))


def battle_file(rules: str, seed: int, house: dict[str, object] | None = None) -> dict[str, object]:
    """Return a battle file's table in which each side's name is guessed wrong."""
    sides = {key: {**side, "plural": key == "kent"} for key, side in SIDES.items()}
    return {"format": 1, "rules": rules, "seed": seed, "sides": sides, "house": house or {}}


def sentences(record: Record, referee: Referee) -> Iterator[Parts]:
    """Yield what a rule set says of a battle, to each reader and at each pace, and where cards lie."""
    for viewer in (None, NOBODY, 0, 1):
        for pace in (AFTERWARDS, DURING, AT_TABLE):
            yield from lines_of(blocks_for(report_of(record, referee, viewer)._replace(pace=pace), AUDIT))
    yield from lines_of(record.rules.field(referee.battle))


def asked(rules: str) -> Iterator[Parts]:
    """Yield what a rule set shows a side at each decision of some battles: where its cards lie, its hand."""
    for seed in range(3):
        session = begin_session(read_battle(with_persons(battle_file(rules, seed), ["york", "kent"], True)))
        while session.seats_to_answer:
            seat = session.seats_to_answer[0]
            decision = session.decision(seat)
            yield from lines_of(session.rules.scene(decision.view))
            yield session.rules.hand(decision.view)
            turn = 7 * seed + len(session.referee.moves)
            session.answer(seat, decision.texts[turn % len(decision.texts)])


def lines_of(blocks: list[Block]) -> Iterator[Parts]:
    """Yield the sentences of blocks."""
    for block in blocks:
        if isinstance(block, (Line, Heading)):
            yield block.parts


@pytest.mark.heavy
@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_verb_after_a_name_is_written_in_both_forms(rules: str) -> None:
    """Behind a name stands a word that agrees with it or no verb, and what agrees is written out nowhere."""
    told = [parts for fought in battles(rules) for parts in sentences(*fought)] + [*asked(rules)]
    inflections = [part for parts in told for part in parts if isinstance(part, Inflection)]
    singular = {part.forms.split("|")[0] for part in inflections}
    assert len(singular) > 1
    for parts in told:
        agreeing_verbs(parts)
        assert not set(words_of_subjects(parts)) & singular, parts


def agreeing_verbs(parts: Parts) -> None:
    """Check that every name is followed by its own inflection, or by text without a verb."""
    for place, part in enumerate(parts[:-1]):
        if isinstance(part, Name):
            before = parts[place - 1] if place else ""
            after = parts[place + 2] if parts[place + 1] == " " else parts[place + 1]
            is_group = place > 1 and before == " and " and isinstance(parts[place - 2], Name)
            assert not isinstance(after, Inflection) or after.seat == part.seat, parts
            if not is_group and not str(before).endswith(NO_SUBJECT) and starts_with_a_word(after):
                assert str(after).startswith(NO_VERBS), parts


def starts_with_a_word(part: object) -> bool:
    """Say whether a stretch of text begins with a letter, as a verb after a name does."""
    return isinstance(part, str) and re.match(r" ?[A-Za-z]", part) is not None


def words_of_subjects(parts: Parts) -> Iterator[str]:
    """Yield the plain words that are said of one side: between its name and the next stop."""
    is_subject, before = False, ""
    for part in parts:
        if isinstance(part, Name):
            is_subject = not before.endswith(NO_SUBJECT) and not before.endswith(" and ")
        elif isinstance(part, str):
            clause = re.split("[.;:]", part)[0]
            if is_subject:
                yield from clause.split()
            is_subject = is_subject and clause == part
        before = part if isinstance(part, str) else ""


@pytest.mark.heavy
@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_key_overrides_the_guess_in_every_sentence(rules: str) -> None:
    """One side's sentences change with its own number alone, and where they change they are its forms."""
    for fought in battles(rules):
        for parts in sentences(*fought):
            texts = [
                said(parts, [Noun("Athens", first), Noun("The Tardis", second)]) for first, second in NUMBERS
            ]
            for seat in (0, 1):
                agrees = any(isinstance(part, Inflection) and part.seat == seat for part in parts)
                assert (texts[0] != texts[2 + seat]) == agrees
            singular, plural = texts[:2]
            pairs = [part.forms.split("|") for part in parts if isinstance(part, Inflection)]
            assert all(f" {one}" in singular and f" {several}" in plural for one, several in pairs)


def test_a_template_of_an_older_rule_set_is_told_as_it_is_written() -> None:
    """Plug-ins whose templates have one form keep working, and this form is used."""
    filled = fill_template("{winner} wins {cards}.", {"winner": Name(0), "cards": [Card("KS")]})
    assert said(filled, [Noun("The Scots")]) == "The Scots wins KS."


def test_what_several_sides_do_is_plural() -> None:
    both: dict[str, Parts] = {"sides": [Name(0), " and ", Name(1)], "one": [Name(0)], "none": ["nobody"]}
    told = "{sides} {sides:are|are} level, {one} {one:is|are} ahead, {none} {none:is|are} behind"
    assert said(fill_template("{sides} {sides:is|are}", both), ["York", "Kent"]) == "York and Kent are"
    assert said(fill_template(told, both), ["York", "Kent"]) == (
        "York and Kent are level, York is ahead, nobody is behind"
    )


@pytest.mark.parametrize(
    "command",
    ["odds two.toml -n 2", "resolve two.toml --detail brief", "resolve two.toml --detail brief --lang de"],
)
def test_sides_of_the_same_name_are_shown_with_their_keys(sh: Shell, command: str) -> None:
    sides = "".join(f'[sides.{key}]\nname = "The Militia"\ncards = ["2", "3"]\n' for key in "ab")
    sh.write("two.toml", f'rules = "strategy-war"\nseed = 3\n{sides}')
    said = sh(*command.split())
    assert said.code == 0
    shown = " ".join(said.out.casefold().split())
    assert "the militia (a)" in shown and "the militia (b)" in shown
    assert not re.search(r"the militia(?! \([ab]\))", shown)
