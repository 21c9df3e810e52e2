"""Stories of battles in which forces of several factions fight as one side."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

import pytest

from cardbattle.campaign.ledger.ledger import EMPTY_LEDGER, Entry
from cardbattle.campaign.state.apply import Result, SideResult
from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.state.model import Campaign, read_campaign
from cardbattle.campaign.visibility.reader import PUBLIC, UMPIRE, recorded_result_text, visible_to
from cardbattle.core.chance import stream
from cardbattle.core.telling import Fact, Name
from cardbattle.show.pages.campaign.reports.open_questions import were_last_allies
from cardbattle.show.stories.battle_context import BattleInCampaign
from cardbattle.show.stories.battle_in_war import BattleInWar
from cardbattle.show.stories.known_past import KnownPast
from cardbattle.story.language import language, phrases_of
from cardbattle.story.naming import side_names
from cardbattle.story.stakes import MEMORIES, Stakes, remembered
from cardbattle.story.teller import Teller
from tests.show.stories.test_battle_story import ledger_of

FORCES = {
    "guard": "abbey", "bell": "abbey", "watch": "town", "pikes": "town", "guns": "town", "crows": "crows",
    "ravens": "rooks",
}  # fmt: skip
MEETING = (["watch"], ["crows"])
SIDE_BY_SIDE = (["watch", "crows"], ["ravens"])
NAMES = {"guard": "Das Garderegiment der Abtei", "watch": "Die Stadtwache", "pikes": "The Pikes"}
JOINT = ["guard", "bell", "watch", "pikes"]


def campaign_of_allies() -> Campaign:
    return read_campaign({
        "format": 1, "name": "Allies", "seed": 1, "rules": "field-of-honour",
        "factions": {
            "abbey": {"name": "The Abbey"}, "town": {"name": "The Free Town"}, "crows": {}, "rooks": {},
        },
        "locations": {"ford": {}, "abbey-hill": {"owner": "abbey"}},
        "forces": {
            key: {"faction": faction, "strength": 5, **({"name": NAMES[key]} if key in NAMES else {})}
            for key, faction in FORCES.items()
        },
    })  # fmt: skip


def battle_of(reader: str | None, *sides: Sequence[str]) -> BattleInCampaign:
    """Return a recorded battle of these sides, as a reader knows it."""
    table = {"sides": [[*side] for side in sides]}
    entry = Entry(1, "resolve", [Change(("pending", "ford"), table, None)], id="ford")
    known = KnownPast(visible_to(campaign_of_allies(), EMPTY_LEDGER, reader))
    return BattleInCampaign(known, entry, [side[0] for side in sides], [0])


def names_in(battle: BattleInCampaign, lang: str, phrase: str) -> list[str]:
    """Return the sentence twice that a phrase makes of the sides of a battle."""
    words = language(lang)
    names = [name or "Crows" for name in battle.names(words)]
    teller = Teller(
        words, {"fact": [phrase]}, side_names(names, battle.shorts(words), words), stream(0, "story")
    )
    for _ in range(2):
        assert teller.tell(Fact("fact", {"side": Name(0), "rival": Name(1)}))
    return [sentence.text for sentence in teller.sentences]


def test_a_side_of_several_factions_is_named_with_its_forces_and_then_as_the_allies() -> None:
    first, second = names_in(battle_of("town", JOINT, ["crows"]), "en", "{rival} met {side}.")
    factions = "the Abbey and the Free Town (Das Garderegiment der Abtei, Bell, Die Stadtwache and the Pikes)"
    assert first == f"Crows met {factions}."
    assert second == "Crows met the allies."
    first, second = names_in(battle_of("town", ["pikes", "bell"], ["crows"]), "en", "{rival} met {side}.")
    assert (first, second) == ("Crows met the Pikes and Bell.", "Crows met the allies.")


def test_the_names_of_allies_are_declined_in_german() -> None:
    first, second = names_in(
        battle_of("town", ["watch", "bell"], ["crows"]), "de", "Crows folgte {side.dat}."
    )
    assert (first, second) == ("Crows folgte der Stadtwache und Bell.", "Crows folgte den Verbündeten.")


@pytest.mark.parametrize(
    ("reader", "listed"),
    [
        ("town", "Die Stadtwache, the Pikes, Guns"),
        (PUBLIC, "Das Garderegiment der Abtei, Bell, Die Stadtwache"),
    ],
)
def test_of_many_allies_the_readers_own_forces_are_named(reader: str | None, listed: str) -> None:
    [name, _] = battle_of(reader, [*JOINT, "guns"], ["crows"]).names(language("en"))
    assert name == f"the Abbey and the Free Town ({listed} and others)"


def test_of_two_sides_with_allies_none_is_called_the_allies() -> None:
    words = language("en")
    assert battle_of("town", JOINT, ["crows", "ravens"]).shorts(words) == ["", ""]
    assert battle_of("town", JOINT, ["crows"]).shorts(words) == ["the allies", ""]
    assert battle_of("town", ["guard", "bell"], ["crows"]).shorts(words) == ["the Abbey", ""]


def test_the_forces_of_a_side_occur_once_in_a_result() -> None:
    battle = battle_of("town", JOINT, ["crows"])
    result = Result(["guard"], {key: SideResult(1, 0) for key in ("guard", "crows")})  # type: ignore[arg-type]
    text = recorded_result_text(battle.campaign, battle.entry._replace(result=result))
    assert text.startswith("The Abbey and The Free Town won; The Abbey and The Free Town (Das Garderegiment")
    assert all(text.count(NAMES[force]) == 1 for force in NAMES)


def fought(revision: int, sides: Sequence[Sequence[str]], place: str = "") -> Entry:
    """Return the entry of a battle that the last of these sides won."""
    table: dict[str, object] = {"sides": [[*side] for side in sides], **({"place": place} if place else {})}
    keys = [side[0] for side in sides]
    result = Result(keys[-1:], {key: SideResult(1, Fraction(0)) for key in keys})
    key = f"b{revision}"
    return Entry(revision, "override", [Change(("pending", key), table, None)], key, result=result)


def peace(revision: int, before: list[str] | None, after: list[str] | None) -> Entry:
    return Entry(revision, "set", [Change(("factions", "town", "peace"), before, after)])


def war_after(entries: Sequence[Entry], reader: str | None = UMPIRE) -> BattleInWar:
    """Return the last of the recorded battles, of which the first side won the last one."""
    known = KnownPast(visible_to(campaign_of_allies(), ledger_of(entries), reader))
    return BattleInWar(BattleInCampaign(known, entries[-1], ["watch", "crows"], [0]))


@pytest.mark.parametrize(
    ("past", "kinds"),
    [
        ([MEETING], ["met_at"]),
        ([MEETING, SIDE_BY_SIDE], ["once_allies_at"]),
        ([MEETING, (["pikes", "crows"], ["ravens"])], ["once_allies_at"]),
        ([MEETING, SIDE_BY_SIDE, MEETING], ["met_often"]),
        ([MEETING, MEETING, SIDE_BY_SIDE], ["once_allies_at"]),
        ([SIDE_BY_SIDE], ["once_allies_at"]),
    ],
)
def test_factions_that_were_allies_after_a_battle_bear_no_grudge_for_it(
    past: Sequence[tuple[list[str], list[str]]], kinds: list[str]
) -> None:
    battles = [fought(n, sides, "ford") for n, sides in enumerate(past, 1)]
    war = war_after([*battles, fought(len(past) + 1, MEETING)], PUBLIC)
    assert [fact.kind for fact in war.meetings()] == kinds
    assert ("revenge" in [fact.kind for fact in war.score_facts()]) == (past == [MEETING])
    if kinds == ["once_allies_at"]:
        assert war.meetings()[0].fields["factions"] == ["the Free Town", "Crows"]


@pytest.mark.parametrize(
    ("reader", "kinds"),
    [(UMPIRE, []), ("town", []), ("crows", []), ("rooks", ["met_at"]), (PUBLIC, ["met_at"])],
)
def test_only_those_who_know_of_a_peace_read_no_grudge_after_it(reader: str | None, kinds: list[str]) -> None:
    entries = [fought(1, MEETING, "ford"), peace(2, None, ["crows"]), peace(3, ["crows"], None)]
    war = war_after([*entries, fought(4, MEETING)], reader)
    assert [fact.kind for fact in war.meetings()] == kinds
    treaties = [peace(1, None, ["crows"]), peace(2, ["crows"], None)]
    early = war_after([*treaties, fought(3, MEETING, "ford"), fought(4, MEETING)], reader)
    assert [fact.kind for fact in early.meetings()] == ["met_at"]


def test_a_story_says_in_both_languages_that_two_factions_were_allies() -> None:
    [fact] = war_after([fought(1, SIDE_BY_SIDE, "ford"), fought(2, MEETING)]).meetings()
    for lang, text in (("en", "the Free Town and Crows"), ("de", "the Free Town und Crows")):
        words = language(lang)
        teller = Teller(words, phrases_of(lang, "field-of-honour"), [], stream(0, "story"))
        for fields in (fact.fields, {**fact.fields, "place": ""}):
            kind = fact.kind if fields["place"] else fact.kind.removesuffix("_at")
            assert teller.tell(Fact(kind, fields))
            assert text.casefold() in teller.sentences[-1].text.casefold()


@pytest.mark.parametrize(
    ("defender", "winner", "kinds"),
    [
        ("crows", 0, ["place_freed"]), ("guard", 0, ["place_saved"]), ("crows", None, []),
        ("guard", None, ["place_kept"]),
    ],
)  # fmt: skip
def test_a_place_where_the_enemy_stood_is_won_for_its_owner_and_not_held(
    defender: str, winner: int | None, kinds: list[str]
) -> None:
    table = {"sides": [JOINT, ["crows"]], "stakes": "abbey-hill", "defender": defender}
    entry = Entry(1, "resolve", [Change(("pending", "ford"), table, None)], id="ford")
    known = KnownPast(visible_to(campaign_of_allies(), EMPTY_LEDGER, "town"))
    battle = BattleInCampaign(known, entry, ["guard", "crows"], [] if winner is None else [winner])
    facts = BattleInWar(battle).place_facts()
    assert [fact.kind for fact in facts] == kinds
    if kinds == ["place_freed"]:
        assert facts[0].fields["owner"] == "the Abbey"
        for lang in ("en", "de"):
            words = language(lang)
            sides = side_names(["The Abbey", "Crows"], ["", ""], words)
            teller = Teller(words, phrases_of(lang, ""), sides, stream(0, "story"))
            assert all(teller.tell(facts[0]) for _ in range(4))
            text = " ".join(sentence.text for sentence in teller.sentences)
            assert " back" not in text and "zurück" not in text, "the owner never lost the place"


def test_the_last_meeting_can_be_one_with_allies() -> None:
    """The story names the factions that won it together, and counts no battles."""
    joint = (["crows"], ["watch", "ravens"])
    war = war_after([fought(1, MEETING, "abbey-hill"), fought(2, joint, "ford"), fought(3, MEETING)])
    [fact] = war.meetings()
    assert (fact.kind, fact.fields["place"]) == ("met_at", "Ford")
    assert (fact.fields["victor"], fact.fields["rival"]) == (["the Free Town", "Rooks"], Name(1))
    words = language("en")
    names = side_names(["The Watch", "Crows"], (), words)
    teller = Teller(words, {fact.kind: ["{victor} had beaten {rival}."]}, names, stream(0, "story"))
    assert teller.tell(fact)
    assert teller.sentences[0].text == "The Free Town and Rooks had beaten Crows."
    reversed_sides = (["watch", "ravens"], ["crows"])  # the crows win
    [fact] = war_after([fought(1, reversed_sides, "ford"), fought(2, MEETING)]).meetings()
    assert (fact.fields["victor"], fact.fields["rival"]) == (Name(1), Name(0))
    third = (["watch"], ["crows"], ["ravens"])  # the ravens win
    assert war_after([fought(1, third, "ford"), fought(2, MEETING)]).meetings() == []


@pytest.mark.parametrize(("earlier", "rival"), [(["watch"], "the Free Town"), (["pikes", "watch"], Name(0))])
def test_an_earlier_battle_does_not_name_the_forces_of_today(earlier: list[str], rival: object) -> None:
    today = (["watch", "pikes"], ["crows"])
    [fact] = war_after([fought(1, (earlier, ["crows"]), "ford"), fought(2, today)]).meetings()
    meeting = Fact("meet_about", {"side": Name(0), "rival": Name(1), "place": "ford"})
    opening = remembered(meeting, Stakes(memory=[fact]), MEMORIES)[0]
    assert opening.kind == "first_met_at"
    assert opening.fields["rival"] == rival
    assert opening.fields["victor"] == Name(1)


@pytest.mark.parametrize(
    ("sides", "owners", "owner"),
    [
        ((JOINT, ["crows"]), ("crows", "abbey"), "the Abbey"),
        ((JOINT, ["crows"]), ("crows", "town"), "the Free Town"),
        ((["watch", "pikes"], ["crows", "ravens"]), ("rooks", "town"), "Rooks"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_place_passes_to_or_from_one_of_the_allied_factions(
    sides: Sequence[Sequence[str]], owners: tuple[str | None, str], owner: str, lang: str
) -> None:
    table = {"sides": [[*side] for side in sides], "stakes": "ford"}
    changes = [Change(("pending", "ford"), table, None), Change(("locations", "ford", "owner"), *owners)]
    known = KnownPast(visible_to(campaign_of_allies(), EMPTY_LEDGER, "town"))
    entry = Entry(1, "resolve", changes, id="ford")
    battle = BattleInCampaign(known, entry, [side[0] for side in sides], [0])
    [fact] = battle.holder_now(0)
    words = language(lang)
    names = [name or "Crows" for name in battle.names(words)]
    for kind in (fact.kind, f"tail_{fact.kind}"):
        for phrase in phrases_of(lang, "")[kind]:
            texts = {kind: [phrase]}
            teller = Teller(words, texts, side_names(names, battle.shorts(words), words), stream(0, "story"))
            is_about_owner = "sole" in fact.fields or re.search("passed|ging", phrase)
            if (
                is_about_owner
                and not re.search("held|hielt", phrase)
                and teller.tell(fact._replace(kind=kind))
            ):
                assert owner.removeprefix("the ") in teller.sentences[0].text


def test_only_allies_that_have_not_fought_each_other_since_are_no_enemies() -> None:
    entries = [fought(1, MEETING), fought(2, SIDE_BY_SIDE), fought(3, MEETING)]
    allied = []
    for count in (1, 2, 3):
        known = KnownPast(visible_to(campaign_of_allies(), ledger_of(entries[:count]), PUBLIC))
        allied.append(were_last_allies(known, ["town", "crows", "town"]))
        assert not were_last_allies(known, ["town", "crows", "rooks"])
    assert allied == [False, True, False]
