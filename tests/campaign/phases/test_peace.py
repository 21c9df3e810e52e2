"""Two factions at peace do not fight each other, and only they know of the peace."""

from __future__ import annotations

import tomllib

import pytest

from cardbattle.campaign.ledger.ledger import EMPTY_LEDGER, Entry
from cardbattle.campaign.phases.aftermath import captured, run_aftermath, shared_places
from cardbattle.campaign.phases.more_sides import sides_with, standing_by
from cardbattle.campaign.phases.phase import Situation
from cardbattle.campaign.phases.retreat import candidates_of
from cardbattle.campaign.phases.standoffs import standoffs
from cardbattle.campaign.phases.upkeep import Network
from cardbattle.campaign.state.apply import Result, SideResult, apply
from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.state.model import Campaign, read_campaign
from cardbattle.campaign.turn.factor_values import command_for_everyone
from cardbattle.campaign.turn.hints.peace_hints import peace_hints
from cardbattle.campaign.visibility.reader import public_data, visible_to
from cardbattle.campaign.visibility.visible_turns import beaten_forces
from cardbattle.core.errors import InvalidInput
from cardbattle.show.pages.campaign.history import describe_changes
from cardbattle.show.pages.campaign.reports.battle_results import ResultSentence
from cardbattle.show.pages.campaign.reports.chronicle import event_sentences
from cardbattle.show.pages.campaign.reports.value_sentences import peace_sentence
from tests.campaign.turn.test_turn_by_messages import VALLEY, do
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.movement import moved

# Red's vanguard and Green's archers stand between Blue's forces, and Red is at peace with Green.
TREATY = VALLEY.replace("[factions.red]", '[factions.red]\npeace = ["green"]')
PENDING = '[[pending]]\nid = "ford"\nsides = [{}]\nstakes = "bridge"\nplace = "bridge"\n'


def campaign_of(text: str, *more: str, **at: str) -> Campaign:
    """Return the campaign of a text, with these forces at other places."""
    data = tomllib.loads("\n".join((text, *more)))
    for key, place in at.items():
        data["forces"][key]["location"] = place
    return read_campaign(data)


def owned(campaign: Campaign, **owners: str) -> Campaign:
    """Return the campaign with these owners of places."""
    data = {**campaign.data, "locations": {**campaign.data["locations"]}}  # type: ignore[dict-item]
    for place, owner in owners.items():
        data["locations"][place] = {**data["locations"][place], "owner": owner}  # type: ignore[index]
    return read_campaign(data)


def won_by(campaign: Campaign, side: str) -> Result:
    [battle] = campaign.pending
    return Result([side], {key: SideResult(1, 0) for key in battle.keys})  # type: ignore[arg-type]


def test_friends_pass_each_other_and_join_against_an_enemy() -> None:
    orders = '[orders]\nvanguard = "march to bridge"\narchers = "march to bridge"'
    apart = campaign_of(TREATY, orders, guard="mill", vanguard="mill")
    assert not moved(apart)[1].pending
    together = campaign_of(TREATY, orders)
    assert [battle.sides for battle in moved(together)[1].pending] == [[["vanguard", "archers"], ["guard"]]]
    three = moved(campaign_of(VALLEY, orders))[1].pending
    assert [battle.sides for battle in three] == [[["vanguard"], ["guard"]]]


def test_a_friend_of_both_sides_stands_aside() -> None:
    treaty = TREATY.replace("[factions.blue]", '[factions.blue]\npeace = ["green"]')
    campaign = campaign_of(treaty, '[orders]\nvanguard = "march to bridge"\narchers = "march to bridge"')
    [battle] = moved(campaign)[1].pending
    assert battle.sides == [["vanguard"], ["guard"]]
    after = moved(campaign)[1]
    assert standing_by(after, after.pending[0]) == []


def test_a_force_whose_enemies_all_stand_by_does_not_fight_its_friends() -> None:
    """Green is at peace with Red and with Black. Only two sides can fight, and Blue is the weakest."""
    treaty = TREATY.replace("[factions.green]", '[factions.green]\npeace = ["black"]\n[factions.black]')
    black = '[forces.riders]\nfaction = "black"\nstrength = 9\nlocation = "fort"\n'
    orders = (f'{key} = "march to bridge"\n' for key in ("vanguard", "archers", "riders"))
    text = f"{black}\n[orders]\n" + "".join(orders)
    outcome, after = moved(campaign_of(treaty, text, garrison="mill"))
    [battle] = after.pending
    assert sorted(battle.sides) == [["riders"], ["vanguard"]]
    [remarks] = [cause.remarks for cause in outcome.causes if cause.remarks]
    assert remarks[0].startswith("Archers and Guard stand by")
    assert remarks[0].endswith("; Bridge does not fall to their enemies while they are there")
    assert "vanguard+archers" in command_for_everyone(after, battle)


def test_a_place_of_a_friend_is_open_to_a_retreat() -> None:
    fled = {"vanguard": "bridge", "guard": "bridge", "archers": "mill"}
    places = {}
    for text in (VALLEY, TREATY):
        campaign = owned(campaign_of(text, **fled), mill="green")
        ways = candidates_of(Situation(campaign, EMPTY_LEDGER), "vanguard", ["guard"])
        places[text] = [(each.place, each.is_hostile) for each in ways.candidates]
    assert places == {VALLEY: [], TREATY: [("mill", False)]}


def test_nobody_captures_a_place_of_a_friend() -> None:
    owner = ("locations", "mill", "owner")
    settings = "[aftermath]\ncapture = true"
    for text, expected in ((VALLEY, {owner: "red"}), (TREATY, {})):
        campaign = owned(campaign_of(text, settings), mill="green", fort="blue", bridge="blue")
        assert captured(campaign, []) == expected
    battle = PENDING.format('["vanguard", "archers"], "guard"')
    for taker, gets in (("green", False), ("red", False), ("blue", True)):
        campaign = owned(campaign_of(TREATY, battle), bridge=taker)
        changes = {
            change.key: change.after for change in apply(campaign, "ford", won_by(campaign, "vanguard"))
        }
        assert (changes.get(("locations", "bridge", "owner")) == "red") == gets


def test_supply_passes_friends() -> None:
    supply = "[supply]\nrange = 5"
    lines = "[forces.scouts]\nfaction = 'red'\nstrength = 1\nlocation = 'fort'"
    for text, is_supplied in ((VALLEY, False), (TREATY, True)):
        campaign = owned(campaign_of(text, supply, lines, guard="fort", archers="bridge"), mill="red")
        data = dict(campaign.data)
        data["locations"]["mill"]["supply"] = True  # type: ignore[index]
        again = read_campaign(data)
        assert Network(again).is_supplied(again.forces["scouts"]) is is_supplied


def test_friends_in_one_place_are_no_standoff_but_one_side_against_an_enemy() -> None:
    assert [*standoffs(campaign_of(TREATY, vanguard="fort", garrison="bridge"))] == []
    [standoff] = standoffs(campaign_of(TREATY, vanguard="fort"))
    assert standoff.sides == [["vanguard", "archers"], ["garrison"]]
    pending = campaign_of(TREATY, PENDING.format('"vanguard", "guard"'), vanguard="bridge", archers="bridge")
    assert standing_by(pending, pending.pending[0]) == [["archers"]]
    assert sides_with(pending, pending.pending[0].sides, ["archers"]) == [["vanguard", "archers"], ["guard"]]


def test_the_strongest_force_commands_a_new_side_in_each_printed_command() -> None:
    for forces in (["guard", "garrison"], ["garrison", "guard"]):
        assert sides_with(campaign_of(VALLEY), [["vanguard"]], forces)[1] == ["guard", "garrison"]


def test_check_names_what_does_not_fit_a_peace() -> None:
    twice = TREATY.replace("[factions.green]", '[factions.green]\npeace = ["red"]')
    [hint] = peace_hints(campaign_of(twice))
    assert hint.text == "green already lists red, and a peace counts for both; remove green here"
    [hint] = peace_hints(campaign_of(TREATY, PENDING.format('"vanguard", "archers"')))
    assert hint.text.startswith("red and green are at peace, but fight each other in ford; put them on one")
    joint = PENDING.format('["vanguard", "archers"], "guard"')
    [hint] = peace_hints(campaign_of(VALLEY, joint, '[aftermath]\nretreat = "choose"'))
    assert hint.text.endswith("make peace: cardbattle campaign set factions.red.peace+=green")
    assert not [*peace_hints(campaign_of(TREATY, joint, '[aftermath]\nretreat = "choose"'))]


@pytest.mark.parametrize("others", [["nobody"], ["red"], ["green", "green"]])
def test_a_peace_is_with_another_faction(others: list[str]) -> None:
    with pytest.raises(InvalidInput, match=r"nobody|with itself|already in this list"):
        campaign_of(VALLEY.replace("[factions.red]", f"[factions.red]\npeace = {others}"))


def test_a_peace_that_the_other_faction_still_lists_is_not_broken() -> None:
    change = Change(("factions", "green", "peace"), ["red", "blue"], None)
    assert peace_sentence(campaign_of(TREATY), change) == "the peace between Green and Blue has ended"


def test_a_new_faction_is_described_with_its_peace() -> None:
    key = ("factions", "green")
    changes = [Change(key, None, {}), Change((*key, "peace"), None, ["red", "blue"])]
    assert describe_changes(campaign_of(TREATY), changes) == ["new faction Green (peace with Red and Blue)"]


def test_only_the_two_factions_know_of_a_peace() -> None:
    known = {
        reader: public_data(campaign_of(TREATY), reader)["factions"]
        for reader in ("red", "green", "blue", None)
    }
    bare: dict[str, object] = {"red": {}, "blue": {}, "green": {}}
    assert known["red"] == {**bare, "red": {"peace": ["green"]}}
    assert known["green"] == {**bare, "green": {"peace": ["red"]}}
    assert known["blue"] == known[None] == bare


@pytest.mark.slow
def test_a_command_warns_at_once_of_a_battle_that_does_not_fit_a_peace(sh: Shell) -> None:
    sh.write("campaign.toml", f'{VALLEY}[aftermath]\nretreat = "choose"\n')
    do(sh, "add", "battle", "ford", "--side", "vanguard", "--side", "archers")
    assert "red and green are at peace, but fight" in do(sh, "set", "factions.red.peace+=green").err
    joint = ("edit", "ford", "--side", "vanguard+archers", "--side", "guard")
    assert "at peace" not in do(sh, *joint).err
    assert "fight on one side in ford, but are not at peace" in do(sh, "set", "factions.red.peace-=green").err


def test_a_peace_that_the_other_faction_lists_is_ended_there(sh: Shell) -> None:
    sh.write("campaign.toml", TREATY)
    error = do(sh, "set", "factions.green.peace-=red", code=3).err
    command = "campaign set factions.red.peace-=green"
    assert f'has no item "red"; red lists this peace, so write: cardbattle {command}' in error
    do(sh, *command.split()[1:])
    assert "red lists" not in do(sh, "set", "factions.green.peace-=red", code=3).err


@pytest.mark.slow
def test_a_peace_is_in_the_reports_of_its_two_factions(sh: Shell) -> None:
    sh.write("campaign.toml", VALLEY)
    do(sh, "set", "factions.red.peace=green,blue", "--reason", "a wedding", "--public")
    do(sh, "set", "factions.red.peace-=blue", "--reason", "a feud", "--public")
    broken = "The peace between Red and Blue has ended"
    for reader, told in {
        "umpire": ("Red makes peace with Green and Blue", broken),
        "red": ("Red makes peace with Green and Blue", broken),
        "green": ("Red makes peace with Green (a wedding)",),
        "blue": ("Red makes peace with Blue (a wedding)", broken),
        "public": (),
    }.items():
        report = do(sh, "report", "--turn", "1", "--for", reader).out
        assert all(sentence in report for sentence in told), report
        assert ("peace with" in report) is bool(told)
        assert (broken in report) is (broken in told)
        assert ("Green and Blue" in report) is ("Green and Blue" in " ".join(told))
        is_known = "Red and Green are at peace" in do(sh, "show", "--for", reader).out
        assert is_known is (reader in ("umpire", "red", "green"))
    ask = do(sh, "orders", "ask").out
    assert ask.count("You are at peace with Red: your forces do not fight each other.") == 1
    assert "Green and Blue" not in ask.partition("To red")[0] + ask.partition("To blue")[2]
    do(sh, "advance", "--no-wait")
    do(sh, "set", "factions.red.peace-=green", "--reason", "a quarrel")
    ended = "- The peace between Red and Green has ended. "
    assert f"What has happened in this turn: {ended}" in do(sh, "orders", "ask", "--for", "green").out
    do(sh, "advance", "--no-wait")
    messages = do(sh, "orders", "ask").out
    assert messages.count(f"Treaties of the last turn: {ended}") == 2
    assert "a quarrel" not in messages
    assert ended not in do(sh, "orders", "ask", "--for", "blue").out
    do(sh, "advance", "--no-wait")
    assert ended not in do(sh, "orders", "ask").out
    do(sh, "set", "factions.red.peace+=green")
    do(sh, "rename", "green", "verdant")
    assert 'peace = ["verdant"]' in (sh.folder / "campaign.toml").read_text(encoding="utf-8")
    assert do(sh, "history").out.count("Red: at peace with") == 4


@pytest.mark.slow
def test_a_public_peace_is_in_every_order_message_and_a_secret_one_in_two(sh: Shell) -> None:
    sh.write("campaign.toml", VALLEY)
    do(sh, "set", "factions.red.peace+=green", "--reason", "Red and Green make peace", "--public")
    do(sh, "set", "factions.red.peace+=blue", "--reason", "a secret peace")
    do(sh, "set", "factions.blue.peace+=green", "--reason", "another mistake", "--public")
    do(sh, "undo")
    public = "- Red and Green make peace. "
    secret = "- Red makes peace with Blue. "
    now, treaties, news = (
        "What has happened in this turn",
        "Treaties of the last turn",
        "News of the last turn",
    )
    for heading, heading_of_others in ((now, now), (treaties, news)):
        asked = {
            faction: do(sh, "orders", "ask", "--for", faction).out for faction in ("red", "green", "blue")
        }
        for faction, text in asked.items():
            assert f"{heading_of_others if faction == 'blue' else heading}: {public}" in text
            assert (secret in text) is (faction != "green")
        assert "a secret" not in str(asked)
        assert "mistake" not in str(asked)
        do(sh, "advance", "--no-wait")


@pytest.mark.slow
@pytest.mark.parametrize("value", ["factions.red.peace+=blue", "factions.red.purse=3"])
def test_the_messages_to_others_do_not_reveal_which_public_reason_is_about_a_peace(
    sh: Shell, value: str
) -> None:
    sh.write("campaign.toml", VALLEY)
    do(sh, "set", value, "--reason", "A rider left at night", "--public")
    for heading in ("What has happened in this turn", "News of the last turn"):
        text = do(sh, "orders", "ask", "--for", "green").out
        assert f"{heading}: - A rider left at night. " in text
        assert "Treaties" not in text
        do(sh, "advance", "--no-wait")


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("a wedding", "Red makes peace with Green (a wedding)."),
        (
            "Red and Blue quarrel about peace",
            "Red makes peace with Green (Red and Blue quarrel about peace).",
        ),
        ("Red and Green make peace at last", "Red and Green make peace at last."),
    ],
)
def test_a_reason_that_says_who_makes_peace_is_not_repeated(reason: str, told: str) -> None:
    change = Change(("factions", "red", "peace"), None, ["green"])
    entry = Entry(1, "set", [change], reason=reason, public=True)
    visible = visible_to(campaign_of(TREATY), EMPTY_LEDGER, "red")
    assert event_sentences(visible, entry) == [told]


@pytest.mark.parametrize(
    ("sides", "owner", "defender", "words"),
    [
        ('["vanguard"], ["guard"]', "red", None, "vanguard holds bridge against guard"),
        ('["vanguard"], ["guard"]', "red", "vanguard", "vanguard holds bridge against guard"),
        ('["vanguard"], ["guard"]', "red", "guard", "vanguard beats guard at bridge"),
        ('["vanguard"], ["guard"]', "green", None, "vanguard beats guard at bridge"),
        (
            '["vanguard", "archers"], ["guard"]',
            "green",
            None,
            "vanguard and archers hold bridge against guard",
        ),
        ('["vanguard", "archers"], ["guard"]', "green", "guard", "vanguard and archers beat guard at bridge"),
    ],
)
def test_nobody_holds_the_place_of_a_friend_or_one_where_the_enemy_stood(
    sides: str, owner: str, defender: str | None, words: str
) -> None:
    campaign = owned(campaign_of(TREATY, PENDING.format(sides)), bridge=owner)
    table = {"sides": [*campaign.pending[0].sides], "stakes": "bridge", "defender": defender}
    result = won_by(campaign, "vanguard")
    entry = Entry(1, "import", [Change(("pending", "ford"), table, None)], id="ford", result=result)
    assert ResultSentence(campaign, entry).outcome().lower() == words


def test_an_ally_that_lost_a_battle_retreats_in_the_sight_of_its_friends() -> None:
    campaign = campaign_of(TREATY, PENDING.format('["vanguard", "archers"], "guard"'))
    table = {"sides": [*campaign.pending[0].sides], "stakes": "bridge"}
    entry = Entry(1, "import", [Change(("pending", "ford"), table, None)], result=won_by(campaign, "guard"))
    assert [*beaten_forces(entry)] == ["vanguard", "archers"]
    assert not [*beaten_forces(entry._replace(result=Result([], {})))]


@pytest.mark.slow
def test_friends_who_enter_a_place_together_read_why_they_do_not_take_it_and_who_left_it(sh: Shell) -> None:
    text = TREATY.replace("[locations.bridge]", '[locations.cave]\n[locations.bridge]\nowner = "blue"')
    text = text.replace('7\nlocation = "fort"', '7\nlocation = "cave"')
    text += '[[road]]\nbetween = ["bridge", "cave"]\n[aftermath]\ncapture = true\n'
    text += '[visibility]\nlocation = "rough"\n[orders]\nguard = "march to cave"\n'
    sh.write("campaign.toml", f'{text}vanguard = "march to bridge"\narchers = "march to bridge"\n')
    stays = "Bridge stays with Blue: forces of Red and Green are there together"
    assert stays in do(sh, "advance", "--no-wait", "--explain").out
    for reader in ("red", "green", "blue"):
        report = do(sh, "report", "--turn", "1", "--for", reader).out
        assert (f"{stays}." in report) == (reader != "blue")
        assert "Guard marches from Bridge to Cave." in report
    assert [*shared_places(campaign_of(text, vanguard="bridge", archers="bridge", guard="mill"))] == [
        "bridge"
    ]


def test_a_place_that_a_friend_of_its_owner_shares_is_named_with_its_owner() -> None:
    """Red alone would capture the bridge of Blue, but Green, who is at peace with both, is there too."""
    text = TREATY.replace("[factions.blue]", '[factions.blue]\npeace = ["green"]')
    settings = "[aftermath]\ncapture = true\n"
    at = {"vanguard": "bridge", "archers": "bridge", "guard": "mill"}
    campaign = owned(campaign_of(text, settings, **at), bridge="blue")
    assert ("locations", "bridge", "owner") not in captured(campaign, [])
    [note] = run_aftermath(Situation(campaign, EMPTY_LEDGER, [])).notes
    assert note == "Bridge stays with Blue: forces of Red and Green are there together"
    assert not shared_places(owned(campaign, bridge="red"))
    assert not shared_places(owned(campaign_of(text, settings, archers="bridge"), bridge="blue"))
