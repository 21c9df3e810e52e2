"""What the umpire reads about a declined battle while other battles of the turn are pending."""

from __future__ import annotations

from cardbattle.campaign.ledger.ledger import EMPTY_LEDGER
from cardbattle.campaign.ledger.operations import decline_battle
from cardbattle.campaign.phases.declined_battles import forces_left_out, result_of_declining
from cardbattle.campaign.state.changes import PENDING, Change, value_at
from tests.campaign.phases.test_aftermath import WAR
from tests.support.marches import books

GUARDS = """\
[forces.guard]
faction = "red"
strength = 3
location = "hill"

[forces.watch]
faction = "red"
strength = 3
location = "moor"

[forces.piet]
faction = "blue"
strength = 3
location = "PLACE"

[[pending]]
id = "other"
sides = ["guard", "piet"]
stakes = "PLACE"
place = "PLACE"

[locations.ford]"""
CORNERED = WAR.replace('["camp", "ford"], ', "").replace('"destroyed"', '"surrenders"')
CORNERED = CORNERED.replace('"nearest-own"', '"choose"')
NO_WAY = "Boyd surrenders: no way out: Hill is held by an enemy; Moor is held by an enemy"


def war(place: str, watch: str = "moor") -> str:
    """Return a war in which guards close the ways of Boyd; one of them fights at this place."""
    guards = GUARDS.replace("PLACE", place).replace('"moor"', f'"{watch}"')
    return CORNERED.replace("[locations.ford]", guards, 1)


def declined(text: str) -> list[str]:
    campaign = books(text).campaign
    return result_of_declining(campaign, EMPTY_LEDGER, decline_battle(campaign, "ford", ["boyd"]).entry)


def test_a_surrender_is_not_certain_while_a_battle_can_open_a_way() -> None:
    assert f"unless battle other opens or closes a way: {NO_WAY}" in declined(war("hill"))


def test_a_surrender_is_certain_if_no_pending_battle_can_open_a_way() -> None:
    elsewhere = war("keep").replace('strength = 3\nlocation = "hill"', 'strength = 3\nlocation = "keep"')
    still_held = elsewhere.replace("[locations.ford]", f"{HILL_WATCH}[locations.ford]", 1)
    assert NO_WAY in declined(still_held)


HILL_WATCH = '[forces.sentry]\nfaction = "red"\nstrength = 3\nlocation = "hill"\n'


def test_a_retreat_is_not_certain_while_a_battle_can_open_a_second_way() -> None:
    [sentence] = [sentence for sentence in declined(war("hill", watch="camp")) if "Boyd retreats" in sentence]
    assert sentence.startswith(
        "unless battle other opens or closes a way: Boyd retreats to Moor: the only way"
    )


def test_without_choices_a_retreat_recorded_first_is_certain() -> None:
    """The program then carries out the retreats in the order of the results."""
    assert NO_WAY in declined(war("hill").replace('"choose"', '"nearest-own"'))


def test_several_battles_that_open_a_way_only_together_are_named() -> None:
    more = '[[pending]]\nid = "third"\nsides = ["sentry", "kyd"]\nplace = "hill"\n'
    kyd = '[forces.kyd]\nfaction = "blue"\nstrength = 3\nlocation = "hill"\n'
    text = war("hill").replace("[locations.ford]", f"{HILL_WATCH}{kyd}{more}[locations.ford]", 1)
    assert f"unless battle other and battle third open or close a way: {NO_WAY}" in declined(text)


def test_the_umpire_waits_with_a_force_that_leaves_a_battle_until_the_ways_are_certain() -> None:
    kyd = '[forces.kyd]\nfaction = "blue"\nstrength = 3\nlocation = "ford"\n'
    text = war("hill").replace("[locations.ford]", f"{kyd}[locations.ford]", 1)
    campaign = books(text.replace('sides = ["rufus", "boyd"]', 'sides = ["rufus", ["boyd", "kyd"]]')).campaign
    battle = campaign.battle("ford")
    assert battle is not None
    table = value_at(campaign.data, (PENDING, "ford"))
    assert isinstance(table, dict)
    edit = [Change((PENDING, "ford"), table, {**table, "sides": ["rufus", "boyd"]})]
    [sentence] = forces_left_out(campaign, EMPTY_LEDGER, battle, edit)
    assert "Kyd no longer fights in battle ford and has no way out" in sentence
    assert sentence.endswith("; wait first, in case battle other opens or closes a way")
