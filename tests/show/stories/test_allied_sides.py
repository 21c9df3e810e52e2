"""Stories of battles in which forces of several factions fight as one side."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from cardbattle.campaign.ledger.ledger import EMPTY_LEDGER, Entry
from cardbattle.campaign.state.apply import Result, SideResult
from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.state.model import Campaign, read_campaign
from cardbattle.campaign.visibility.reader import PUBLIC, recorded_result_text, visible_to
from cardbattle.core.chance import stream
from cardbattle.core.telling import Fact, Name
from cardbattle.show.stories.battle_context import BattleInCampaign, KnownPast
from cardbattle.story.language import language
from cardbattle.story.naming import side_names
from cardbattle.story.teller import Teller

FORCES = {
    "guard": "abbey", "bell": "abbey", "watch": "town", "pikes": "town", "guns": "town", "crows": "crows",
    "ravens": "rooks",
}  # fmt: skip
NAMES = {"guard": "Das Garderegiment der Abtei", "watch": "Die Stadtwache", "pikes": "The Pikes"}
JOINT = ["guard", "bell", "watch", "pikes"]


def campaign_of_allies() -> Campaign:
    return read_campaign({
        "format": 1, "name": "Allies", "seed": 1, "rules": "field-of-honour",
        "factions": {
            "abbey": {"name": "The Abbey"}, "town": {"name": "The Free Town"}, "crows": {}, "rooks": {},
        },
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
