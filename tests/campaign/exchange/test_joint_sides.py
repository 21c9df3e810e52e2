"""Forces of several factions fight as one side: who reports for it, and who can decline."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardbattle.campaign.exchange.confirmation import commanding_ally, leading_force
from cardbattle.campaign.exchange.report_text import faction_of_report, quoted_reports, report_lines
from cardbattle.campaign.ledger.ledger import Ledger
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.storage import store
from cardbattle.campaign.turn.in_progress import battles_in_progress
from cardbattle.campaign.turn.waiting import ANSWER, CHECK, RECORD, duties
from cardbattle.cli.campaign.between_battles.next_step import step_with_results
from cardbattle.core.errors import InvalidInput
from tests.campaign.exchange.test_confirmation import tell
from tests.campaign.ledger.test_umpire_changes import umpire_of
from tests.campaign.phases.test_peace import PENDING, TREATY, campaign_of
from tests.campaign.turn.test_turn_by_messages import do, take
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell

ENEMIES = '["vanguard", "archers"], "guard"'
JOINT = TREATY.replace("[movement]", '[results]\nconfirm = "both"\n[movement]') + PENDING.format(ENEMIES)
NAMED = JOINT.replace("[forces.vanguard]", '[forces.vanguard]\nname = "The Vanguard of the Upper Valley"')
NAMED = NAMED.replace("[forces.archers]", '[forces.archers]\nname = "The Archers of the Lower Valley"')
LOST = "they won, we lost 1/2, they lost none"
WON = "we won, we lost 1/4, they lost 1/2"


@pytest.fixture
def joint(sh: Shell) -> Path:
    return Path(sh.write("campaign.toml", JOINT))


def loaded(campaign_file: Path) -> tuple[Campaign, Ledger]:
    folder = str(campaign_file.parent)
    return store.load(folder).campaign, store.load_ledger(folder)


def answering(campaign_file: Path) -> list[list[str]]:
    """Return the factions that must answer in a battle by message."""
    campaign, ledger = loaded(campaign_file)
    found = duties(campaign, ledger, battles_in_progress(campaign))
    return [[*duty.factions] for duty in found if duty.kind == ANSWER]


def joined(text: str) -> str:
    return " ".join(text.split())


def test_a_joint_side_declines_only_together(sh: Shell, joint: Path) -> None:
    asked = do(sh, "orders", "ask", "--for", "green").out
    assert "ford/archers:" in asked and "Your side declines only if Red declines too." in asked
    first = take(sh, "ford/archers: we decline")
    assert "battle ford is declined only if Red declines it too" in first.err
    assert step_with_results(*loaded(joint), "").startswith("next: ask Red to decline or fight ford with: ")
    assert "To green, turn 1, read as" in first.out and "You do not need to answer" in first.out
    assert store.load(str(joint.parent)).campaign.pending
    waiting = "say if you decline battle ford too, as an ally does"
    assert waiting in do(sh, "waiting").out and waiting in do(sh, "waiting", "--for", "red").out
    assert "ford" not in do(sh, "waiting", "--for", "blue").out
    assert "An ally on your side declines this battle." in do(sh, "orders", "ask").out
    assert "decline battle ford; no other side" in take(sh, "red@1:\nford: we decline").err
    assert not store.load(str(joint.parent)).campaign.pending


def test_allies_who_disagree_leave_the_battle_to_the_umpire(tmp_path: Path) -> None:
    umpire = umpire_of(tmp_path, JOINT)
    tell(umpire, f"ford/archers: {WON}")
    assert "the reports differ" in tell(umpire, "ford/vanguard: we decline")[0]
    _, first, second, _ = tell(umpire, f"ford/vanguard: {LOST}")
    assert first.startswith("Green reports: Vanguard and Archers won")
    assert second.startswith("Red reports: Guard won")
    checks = [duty for duty in duties(umpire.books.campaign, umpire.seen, {}) if duty.kind == CHECK]
    assert [duty.factions for duty in checks] == [["red"], ["green"]]


def test_the_remedy_for_an_unknown_side_is_an_address_of_the_own_side(sh: Shell, joint: Path) -> None:
    for faction, side in (("blue", "guard"), ("red", "vanguard"), ("green", "vanguard")):
        said = take(sh, f"{faction}@1:\nford/spears: {WON}", code=3)
        assert f"write something like ford/{side}: " in " ".join(said.err.split())


def test_one_report_of_a_joint_side_is_enough(tmp_path: Path) -> None:
    umpire = umpire_of(tmp_path, JOINT)
    assert tell(umpire, f"ford/archers: {WON}")[1] == "battle ford waits for the report of Guard"
    assert tell(umpire, f"red@1:\nford: {WON}")[1] == "battle ford waits for the report of Guard"
    tell(umpire, "ford/guard: they won, we lost 1/2, they lost 1/4")
    assert not umpire.books.campaign.pending


def test_the_losses_of_a_player_can_leave_out_those_of_allies(tmp_path: Path) -> None:
    umpire = umpire_of(tmp_path, JOINT)
    clear = '"I" can mean only your own forces; "we" is your whole side'
    with pytest.raises(InvalidInput, match=clear):
        tell(umpire, "ford/archers: We won. I lost 1/4, they lost 1/2")
    assert tell(umpire, "ford/archers: I won, we lost 1/4, they lost 1/2")[1].endswith("report of Guard")
    tell(umpire, "ford/guard: They won. I lost 1/2, they lost 1/4")
    assert not umpire.books.campaign.pending


def test_a_substitute_of_an_ally_need_not_decline(tmp_path: Path) -> None:
    umpire = umpire_of(tmp_path, f"{JOINT}[substitutes.red]\n")
    assert tell(umpire, "ford/archers: we decline")[0].endswith("no other side needs to confirm this")


def test_an_address_names_the_faction_that_reports() -> None:
    campaign = campaign_of(JOINT)
    text = f"ford/vanguard: {WON}\nford/archers: {WON}\nford/vanguard and archers: {WON}\nford/green: {WON}"
    lines = report_lines(campaign, text)
    assert [faction_of_report(campaign, line) for line in lines] == ["red", "green", "red", "green"]
    assert not quoted_reports(campaign, text)


@pytest.mark.slow
def test_an_ally_reads_who_commands_a_battle_by_message(sh: Shell, joint: Path) -> None:
    said = do(sh, "fight", "ford", "--by-message")
    assert "Red commands Vanguard and Archers, also for Green" in said.err
    assert "To green, turn 1, battle ford" in said.out and "Red commands your side, and answers" in said.out
    assert "Red commands" not in do(sh, "fight", "ford", "--by-message").out
    asked = do(sh, "orders", "ask", "--for", "green").out
    assert "Red commands your side" in asked and "The report of the turn says how the battle ended." in asked
    assert "ford" not in do(sh, "orders", "ask", "--for", "red").out.partition("Roads")[2]
    do(sh, "substitute", "green")
    assert "Red commands" not in do(sh, "orders", "ask").out


@pytest.mark.slow
def test_the_last_message_goes_to_the_player_who_commanded(sh: Shell, joint: Path) -> None:
    """Red has a substitute, so that Green commands the vanguard of Red too."""
    do(sh, "substitute", "red")
    asked = do(sh, "fight", "ford", "--by-message").out
    names = [line.partition(":")[0] for line in asked.splitlines() if line.startswith("To vanguard (")]
    mail = sh.write("mail.txt", "vanguard@1: else regular\n\nguard@1: else regular\n")
    ended = sh("orders", "take", "ford.battle.toml", mail)
    last = [line.partition(":")[0] for line in ended.out.splitlines() if line.startswith("To vanguard (")]
    assert names == ["To vanguard (Archers, Green), question 1"]
    assert last == ["To vanguard (Archers, Green), the end"]
    for reader, count in (("red", 1), ("green", 1), ("blue", 0)):
        report = joined(do(sh, "report", "--turn", "1", "--no-chances", "--for", reader).out)
        assert report.count("Green commanded the joint army of Red and Green.") == count
    do(sh, "substitute", "red", "human")
    report = joined(do(sh, "report", "--turn", "1", "--no-chances", "--for", "red").out)
    assert "Red commanded" not in report


@pytest.mark.slow
def test_no_player_reports_a_battle_whose_moves_the_umpire_enters(sh: Shell, joint: Path) -> None:
    do(sh, "set", "deadlines.result=1 week")
    sh.write("ford.battle.toml", 'fought = "table"\n[waiting]\n')
    asked = do(sh, "orders", "ask").out
    for faction in ("red", "blue", "green"):
        assert f"To {faction}, turn 1, battle ford" in asked
    assert asked.count("The battle is fought at the table, and the umpire enters its moves.") == 3
    progress = battles_in_progress(loaded(joint)[0])
    battle_duties = [duty for duty in duties(*loaded(joint), progress) if duty.battle == "ford"]
    assert [(duty.kind, duty.factions, bool(duty.until)) for duty in battle_duties] == [(RECORD, [], True)]


@pytest.mark.slow
def test_an_ally_reads_that_its_side_has_reported(sh: Shell, joint: Path) -> None:
    take(sh, f"ford/archers: {WON}")
    reported, only_own = "An ally has reported the result of this battle, also for you.", "earlier report"
    asked = do(sh, "orders", "ask", "--battle", "ford").out
    to_red, to_blue = asked[asked.index("To red") : asked.index("To blue")], asked[asked.index("To blue") :]
    assert reported in to_red and "ford/vanguard:" in to_red and "To green" not in asked
    assert reported not in to_blue and "Another side has reported" in to_blue
    refused = take(sh, "ford/vanguard: we won a lot", code=3).out
    assert reported in refused and only_own not in refused


def test_the_umpire_reads_which_ally_declines_a_battle_of_three_sides(tmp_path: Path) -> None:
    three = JOINT.replace(ENEMIES, f'{ENEMIES}, "garrison"').replace("field-of-honour", "warmonger")
    umpire = umpire_of(tmp_path, three)
    [note] = tell(umpire, "ford/archers: we decline")
    assert note.startswith("Green declines battle ford, and you decide")


def test_an_ally_is_not_asked_to_decline_if_the_enemy_reports_a_fight(tmp_path: Path) -> None:
    umpire = umpire_of(tmp_path, JOINT)
    tell(umpire, "ford/archers: we decline")
    assert "the reports differ" in tell(umpire, f"ford/guard: {WON}")[0]


def test_every_player_reads_which_forces_fight_on_a_joint_side(sh: Shell) -> None:
    sh.write("campaign.toml", NAMED)
    asked = do(sh, "orders", "ask").out
    sides = (
        "Red and Green (The Vanguard of the Upper Valley and the Archers of the Lower Valley) against Guard"
    )
    assert asked.count(f"Battle ford at Bridge: {sides};") == 3
    assert "- archers won, archers lost 1/5, guard lost 3/5" in asked.partition("To green")[2]
    assert "- vanguard won, vanguard lost 1/5, guard lost 3/5" in asked.partition("To red")[2]


def test_a_battle_by_message_goes_on_with_a_new_name_of_a_side(sh: Shell, joint: Path) -> None:
    do(sh, "fight", "ford", "--by-message")
    do(sh, "set", "forces.guard.name=The River Guard")
    assert "To guard" in do(sh, "fight", "ford", "--by-message").out


@pytest.mark.slow
def test_a_player_commands_the_side_while_a_substitute_replaces_an_ally(sh: Shell, joint: Path) -> None:
    do(sh, "fight", "ford", "--by-message")
    said = do(sh, "substitute", "red", "veteran").err
    assert "battle ford: Green commands Vanguard and Archers now; print the questions with: " in said
    assert answering(joint) == [["green"], ["blue"]]
    assert "To vanguard (Archers, Green), question 1" in joined(sh("orders", "ask", "ford.battle.toml").out)
    assert "commands your side" not in do(sh, "orders", "ask").out
    assert "the commander of Vanguard is now veteran" in do(sh, "substitute", "green", "regular").err
    assert answering(joint) == [["blue"]]
    assert "the commander of Vanguard is now human" in do(sh, "substitute", "red", "human").err
    assert answering(joint) == [["red"], ["blue"]]
    assert "To green" not in do(sh, "orders", "ask").out


def test_the_first_ally_without_a_substitute_commands() -> None:
    for substitutes, leader, allies in (
        ((), "vanguard", {"green": "red"}),
        (("red",), "archers", {"red": "green"}),
        (("red", "green"), "vanguard", {"green": "red"}),
    ):
        campaign = campaign_of(JOINT, *(f"[substitutes.{faction}]" for faction in substitutes))
        [battle] = campaign.pending
        assert leading_force(campaign, battle, "vanguard") == leader
        assert leading_force(campaign, battle, "guard") == "guard"
        commanding = {key: commanding_ally(campaign, battle, key) for key in campaign.factions}
        assert {key: ally for key, ally in commanding.items() if ally} == allies
