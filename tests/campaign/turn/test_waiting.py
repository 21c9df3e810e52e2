"""Who has something to do, what follows from missed deadlines, and substitutes for players."""

from __future__ import annotations

import json
import os
import re
import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardbattle.battles.saved_session import open_saved
from cardbattle.campaign.state.clock import zoned_time
from cardbattle.campaign.state.tables.deadlines import duration
from cardbattle.campaign.turn import missed_deadlines
from cardbattle.campaign.turn.deadline import deadline, moment
from cardbattle.campaign.turn.missed_deadlines import consequences
from cardbattle.campaign.turn.waiting import ANSWER, CONFIRM, ORDERS, Duty
from cardbattle.cli.campaign.between_battles import advance
from cardbattle.show.pages.campaign.messages.battles import TO_FIGHT
from tests.battles.messages.test_messages import FIELD
from tests.campaign.turn.test_orders import BOTH, KEPT, campaign
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.cli.test_cli_campaign import bytes_in, state
from tests.cli.test_cli_campaign import war as war  # the same campaign
from tests.support.marches import MARCHES, books

LATER = "2099-01-01"
TIMES = st.datetimes().filter(lambda time: 1900 < time.year < 2200)


@pytest.mark.slow
@given(TIMES, st.integers(1, 999), st.sampled_from(["minute", "hour", "day", "week"]))
def test_a_deadline_is_its_length_after_the_time(time: object, count: int, unit: str) -> None:
    since = f"{time:%Y-%m-%dT%H:%M:%SZ}"
    text = f"{count} {unit}{'s' if count > 1 else ''}"
    assert moment(deadline(since, text)) - moment(since) == duration(text) >= timedelta(minutes=1)
    assert deadline("", text) == deadline(since, None) == ""


DUTIES = st.lists(
    st.builds(
        Duty,
        st.sampled_from([ORDERS, ANSWER, CONFIRM]),
        st.sampled_from([["york"], ["lancaster"]]),
        st.sampled_from(["bridge", "wood"]),
        st.just("x"),
        until=st.sampled_from(["", "2026-01-01T00:00:00Z", "2030-01-01T00:00:00Z"]),
        sides=st.sampled_from([["percy"], ["stafford"]]),
    ),
    max_size=6,
    unique_by=lambda duty: (duty.kind, duty.battle, tuple(duty.factions), tuple(duty.sides)),
)


@pytest.mark.slow
@given(DUTIES, st.randoms(), st.sampled_from(["standing-orders", "hold", "forfeit", "wait"]))
def test_what_follows_does_not_depend_on_the_order_of_the_list(
    found: list[Duty], chance: object, rule: str
) -> None:
    assert hasattr(chance, "shuffle")
    world = books(f'{MARCHES}\n[deadlines]\nmissed = "{rule}"\n').campaign
    other = [duty if duty.kind != ORDERS else duty._replace(battle="", sides=()) for duty in found]
    mixed = list(other)
    chance.shuffle(mixed)
    now = "2027-01-01T00:00:00Z"
    one, two = consequences(world, other, now), consequences(world, mixed, now)
    plain = [
        {(each.action, each.battle, frozenset(each.sides)) for each in each_list} for each_list in (one, two)
    ]
    assert plain[0] == plain[1]
    late = {duty.battle for duty in other if duty.until[:4] == "2026"}
    assert {each.battle for each in one} <= late
    if rule == "wait":
        assert one == []


def waiting(sh: Shell, *more: str) -> list[dict[str, object]]:
    """Return what `campaign waiting` lists."""
    said = sh("campaign", "waiting", "--json", *more)
    assert said.code == 0, said.err
    found: list[dict[str, object]] = json.loads(said.out)["waiting"]
    return found


def with_deadlines(sh: Shell, missed: str) -> None:
    """Give answers by message three days, and begin a battle by message."""
    campaign(sh, "set", "deadlines.answer=3 days", f"deadlines.missed={missed}")
    campaign(sh, *BOTH)


def birch_answers(sh: Shell, war: Path) -> None:
    """Let Birch's Firelocks choose in secret, all that they must."""
    for place in range(1, 20):
        (war / "mail.txt").write_text(f"mill/birch@{place}: 1", encoding="utf-8")
        assert sh("orders", "take", KEPT, "mail.txt").code == 0
        if open_saved(str(war / KEPT)).session.seats_to_answer == [0]:
            return


@pytest.mark.slow
def test_no_list_shows_who_has_chosen_in_secret(
    sh: Shell, war: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795600000")
    with_deadlines(sh, "wait")
    until = zoned_time("2026-11-28T09:46:40Z")
    for command in (["ask", KEPT], ["remind", KEPT, "birch"]):  # the deadline is part of each message
        assert f"The deadline is {until}." in sh("orders", *command).out
    assert f"until {until}" in " ".join(sh("campaign", "waiting").out.split())
    before = [waiting(sh), waiting(sh, "--for", "public")]
    assert [duty["until"] for duty in before[0] if duty["kind"] == "answer"] == ["2026-11-28T09:46:40Z"] * 2
    assert {duty["until"] for duty in before[1]} == {""}
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795700000")
    birch_answers(sh, war)
    assert [waiting(sh), waiting(sh, "--for", "public")] == before
    late = sh("campaign", "waiting", "--now", LATER).out
    assert (
        late.count("OVERDUE, unless the secret answer is in") == 2 and "\nAt least 1 deadline missed." in late
    )


@pytest.mark.slow
def test_a_commander_answers_for_who_is_late_until_the_other_must(sh: Shell, war: Path) -> None:
    with_deadlines(sh, "standing-orders")
    birch_answers(sh, war)
    moves = len(open_saved(str(war / KEPT)).session.referee.moves)
    assert "would" not in sh("campaign", "advance", "--leave", "--dry-run").err
    said = sh("campaign", "advance", "--now", LATER)
    assert "in the battle at Knightsford Mill a regular commander answers for the late players" in said.err
    step = f"print the new questions of battle mill with: cardbattle orders ask {KEPT}"
    assert f"\n{step}\n" in said.err
    assert f"\nnext: {step}; then take the answers with: cardbattle orders take {KEPT} FILE" in said.err
    session = open_saved(str(war / KEPT)).session
    assert len(session.referee.moves) > moves
    assert all(side.acting == "human" for side in session.plan.sides if side.commander == "human")
    assert "missed" in campaign_kinds(sh)


@pytest.mark.slow
def test_only_the_late_player_reads_which_questions_a_commander_answered(sh: Shell, war: Path) -> None:
    with_deadlines(sh, "standing-orders")
    birch_answers(sh, war)
    sh("campaign", "advance", "--now", LATER)
    answered = "commander answered"
    answers = [sh("orders", "ask", KEPT).out]
    while (war / KEPT).exists():
        session = open_saved(str(war / KEPT)).session
        lines = [f"mill/{session.keys[seat]}@{session.place(seat)}: 1" for seat in session.seats_to_answer]
        (war / "mail.txt").write_text("\n".join(lines), encoding="utf-8")
        said = sh("orders", "take", KEPT, "mail.txt")
        answers.append(said.out)
    messages = re.findall(r"^To (\w+) .*?\), (.*?)(?=^To |\Z)", "\n".join(answers), re.DOTALL | re.MULTILINE)
    assert [side for side, text in messages if answered in text] == ["vaughan"] * 2
    reports = {
        reader: sh("campaign", "report", "--turn", "1", "--for", reader).out
        for reader in ("king", "parliament", "public")  # the late player belongs to the king
    }
    assert [reader for reader, text in reports.items() if answered in text] == ["king"]


@pytest.mark.slow
def test_an_interrupted_answer_of_a_commander_is_noted_once(
    sh: Shell, war: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_deadlines(sh, "standing-orders")
    birch_answers(sh, war)
    with monkeypatch.context() as patch:
        patch.setattr(missed_deadlines, "open_saved", lambda path: 1 / 0)
        for _ in range(2):
            assert sh("campaign", "advance", "--now", LATER).code not in (0, 4)
    sh("campaign", "advance", "--now", LATER)
    assert campaign_kinds(sh).count("missed") == 1
    sh("campaign", "advance", "--now", "2100-01-01")  # the next question, in the same turn
    assert campaign_kinds(sh).count("missed") == 2


@pytest.mark.slow
def test_advance_records_a_battle_that_a_commander_has_ended(
    sh: Shell, war: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795700000")
    with_deadlines(sh, "standing-orders")
    missed_deadlines.apply_missed(str(war), f"{LATER}T00:00:00Z")
    assert open_saved(str(war / KEPT)).session.is_over
    how = "cardbattle campaign fight mill --by-message"
    assert f"record battle mill: {how}, or campaign advance" in [duty["what"] for duty in waiting(sh)]
    other = war.parent / "other"
    shutil.copytree(war, other)
    said = sh("campaign", "-C", str(other), "fight", "mill", "--by-message")
    assert "mill is recorded in the campaign" in said.err

    planned = " ".join(sh("campaign", "advance", "--dry-run").out.split())
    assert (war / KEPT).exists()
    with monkeypatch.context() as patch:  # interrupted between the entry and the messages
        patch.setattr(advance, "last_messages", lambda saved, to: 1 / 0)
        assert sh("campaign", "advance", "--phase", "battles").code not in (0, 4)
    assert (war / KEPT).exists()
    again = sh("campaign", "advance", "--phase", "battles")
    assert [*relative(bytes_in(war), war)] == [*relative(bytes_in(other), other)]
    assert relative(bytes_in(war), war) == relative(bytes_in(other), other)
    for answered in said.out.splitlines(), again.out.splitlines():
        assert answered.count("A regular commander answered for you from question 1 on.") == 2
    assert "a regular commander answered for Birch's Firelocks from question 1 on" in planned
    sh("campaign", "undo")
    assert "mill" in [battle["id"] for battle in state(war)["pending"]]  # type: ignore[attr-defined]


def relative(hashes: dict[str, str], folder: Path) -> dict[str, str]:
    return {os.path.relpath(path, folder): value for path, value in hashes.items()}


@pytest.mark.slow
def test_advance_says_why_it_cannot_record_a_battle(sh: Shell, war: Path) -> None:
    with_deadlines(sh, "standing-orders")
    missed_deadlines.apply_missed(str(war), f"{LATER}T00:00:00Z")
    campaign(sh, "set", "forces.birch.strength=3")
    said = sh("campaign", "advance")
    assert said.code == 4
    assert (
        "battle mill is over, but cannot be recorded: the campaign has changed since mill.battle" in said.err
    )
    assert (war / KEPT).exists()


@pytest.mark.slow
@pytest.mark.parametrize("command", ["set", "adjust"])
def test_a_change_that_stops_a_battle_by_message_is_reported_at_once(
    sh: Shell, war: Path, command: str
) -> None:
    """The warning has the words of the later refusal. A change of other values has no warning."""
    with_deadlines(sh, "wait")
    reason = ["--reason", "more men"] if command == "adjust" else []
    assert "warning" not in campaign(sh, command, "factions.king.points+=1", *reason)
    tried = campaign(sh, command, "forces.birch.strength+=2", *reason, "--dry-run")
    done = campaign(sh, command, "forces.birch.strength+=2", *reason)
    refused = sh("campaign", *BOTH)
    text = "the campaign has changed since mill.battle.toml was begun: "
    warning = done[done.index(text) :].splitlines()[0]
    assert refused.code == 3 and warning in refused.err and warning in tried
    assert "warning" not in campaign(sh, "undo")


@pytest.mark.slow
def test_a_house_rule_that_stops_a_battle_by_message_is_reported_at_once(sh: Shell, war: Path) -> None:
    """The house rule of the campaign and the one of the battle have the same warning, and undo has none."""
    with_deadlines(sh, "wait")
    for key in ("house.field-of-honour.redeploy", "pending.mill.house.redeploy"):
        done = campaign(sh, "set", f"{key}=either")
        refused = sh("campaign", *BOTH)
        assert refused.code == 3 and refused.err.splitlines()[0].removeprefix("cardbattle: ") in done
        assert "warning" not in campaign(sh, "undo")


@pytest.mark.slow
def test_only_who_has_not_answered_forfeits(sh: Shell, war: Path) -> None:
    with_deadlines(sh, "forfeit")
    birch_answers(sh, war)
    said = " ".join(sh("campaign", "advance", "--now", LATER).err.split())
    assert "Vaughan's Horse has not answered in time; the battle at Knightsford Mill is forfeited" in said
    results = [
        entry
        for entry in json.loads(sh("campaign", "history", "--json").out)["entries"]
        if "winners" in entry
    ]
    assert results[-1]["winners"] == ["birch"]


def campaign_kinds(sh: Shell) -> list[str]:
    """Return the kinds of the ledger's entries."""
    return [entry["kind"] for entry in json.loads(sh("campaign", "history", "--json").out)["entries"]]


def test_both_sides_forfeit_a_battle_that_neither_answers(sh: Shell, war: Path) -> None:
    with_deadlines(sh, "forfeit")
    strengths = {key: force["strength"] for key, force in state(war)["forces"].items()}  # type: ignore[attr-defined]
    sh("campaign", "advance", "--now", LATER)
    assert "mill" not in [battle["id"] for battle in state(war)["pending"]]  # type: ignore[attr-defined]
    assert {key: force["strength"] for key, force in state(war)["forces"].items()} == strengths  # type: ignore[attr-defined]
    assert "Missed: " in sh("campaign", "history").out


@pytest.mark.slow
@pytest.mark.parametrize("missed", ["hold", "wait"])
def test_a_battle_waits_if_nothing_is_to_follow(sh: Shell, war: Path, missed: str) -> None:
    with_deadlines(sh, missed)
    before = bytes_in(war)
    assert sh("campaign", "advance", "--now", LATER).code == 4
    assert bytes_in(war) == before
    said = sh("campaign", "waiting", "--now", LATER).err
    assert f"cardbattle orders take {KEPT} FILE" in said and "campaign advance" not in said
    assert f"next: remind a late player with: cardbattle orders remind {KEPT} SIDE; or print" in said
    assert {duty["overdue"] for duty in waiting(sh, "--now", LATER) if duty["kind"] == "answer"} == {True}


@pytest.mark.slow
def test_a_turn_waits_for_orders_until_their_deadline(sh: Shell, war: Path) -> None:
    campaign(
        sh,
        "set",
        "movement.allowance=1",
        "deadlines.orders=3 days",
        "deadlines.missed=hold",
        "attrition.rate=1/2",
    )
    campaign(sh, "set", "forces.birch.location=mill")
    before = bytes_in(war)
    said = sh("campaign", "advance", "--leave")
    assert said.code == 4 and "the turn waits for the orders of" in said.err and bytes_in(war) == before
    dry = sh("campaign", "advance", "--leave", "--dry-run")
    assert dry.code == 0 and "waits: for the orders of" in dry.out and "would begin" not in dry.out
    for words in (["--no-wait"], ["--now", LATER]):
        assert "would begin" in sh("campaign", "advance", "--leave", "--dry-run", *words).out
    said = sh("campaign", "advance", "--leave", "--now", LATER)
    assert said.code == 0 and "sent no orders in time" in said.err
    assert campaign_kinds(sh).count("missed") == said.err.count("sent no orders in time") > 0
    assert "sent no orders in time" in sh("campaign", "report").out
    assert sh("campaign", "advance", "--leave", "--no-wait").code == 0


@pytest.mark.slow
@pytest.mark.parametrize(("ran", "undone"), [([], ["--phase", "movement"]), (["--phase", "movement"], [])])
def test_a_late_player_is_not_blamed_after_the_movement_is_undone(
    sh: Shell, war: Path, ran: list[str], undone: list[str]
) -> None:
    """The weather of a whole turn is decided between the deadline and the movement, and stays."""
    campaign(sh, "set", "movement.allowance=1", "deadlines.orders=3 days", "deadlines.missed=hold")
    campaign(sh, "add", "weather", "name=fair", "p=1")
    campaign(sh, "set", "forces.birch.location=mill")
    if ran:
        assert sh("campaign", "advance", "--phase", "events", "--leave").code == 0
    assert sh("campaign", "advance", "--leave", "--now", LATER, *ran).code == 0
    blame = "sent no orders in time"
    assert blame in sh("campaign", "report", "--turn", "1").out
    said = sh("campaign", "undo", *undone)
    assert "if you have written reports of turn 1, write them again: they can differ now" in said.err
    report = sh("campaign", "report", "--turn", "1").out
    assert blame not in report and "fair" in report
    assert sh("campaign", "advance", "--leave", "--now", LATER).code == 0
    assert blame in sh("campaign", "report", "--turn", "1").out


@pytest.mark.slow
def test_a_turn_begins_at_the_time_that_replaces_the_clock(sh: Shell, war: Path) -> None:
    """A time before the clock does not go back behind what is recorded."""
    campaign(sh, "set", "movement.allowance=1", "deadlines.orders=3 days")
    campaign(sh, "set", "forces.birch.location=mill")
    began = sh("campaign", "advance", "--leave", "--no-wait", "--now", "2098-12-31T08:00")
    assert "the orders are due by 3 January 2099" in began.err
    assert "The deadline is 3 January 2099" in sh("campaign", "orders", "ask").out
    assert (
        "are due by 3 January 2099"
        not in sh("campaign", "advance", "--leave", "--no-wait", "--now", "2001-01-01").err
    )


def test_a_refused_turn_records_no_missed_deadline(sh: Shell, war: Path) -> None:
    campaign(sh, "set", "movement.allowance=1", "deadlines.orders=3 days", "deadlines.missed=hold")
    before = bytes_in(war)
    for options, code in (
        (["--phase", "nosuch"], 2),
        (["--fight"], 2),
        (["--name", "  "], 2),
        (["--retreat", "birch"], 2),
        (["--reports", "campaign.toml"], 6),
        (["--reports", "campaign.toml/reports"], 6),
    ):
        assert sh("campaign", "advance", "--leave", "--now", LATER, *options).code == code
        assert bytes_in(war) == before, options


@pytest.mark.slow
def test_the_first_turn_begins_when_the_campaign_is_set_up(
    sh: Shell, war: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its deadline counts from the last change before the first orders, and the messages contain it."""

    def began() -> set[object]:
        return {duty["since"] for duty in waiting(sh) if duty["kind"] == ORDERS}

    campaign(sh, "set", "movement.allowance=1", "deadlines.orders=3 days")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795900000")
    campaign(sh, "set", "forces.birch.location=mill")
    assert began() == {"2026-11-28T21:06:40Z"}
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1796200000")
    campaign(sh, "orders", "give", "king", "hold")
    campaign(sh, "note", "rain")
    assert began() == {"2026-11-28T21:06:40Z"}
    assert "The deadline is 1 December 2026, 21:06 (UTC).\nWrite an" in sh("campaign", "orders", "ask").out
    for faction in state(war)["factions"]:  # type: ignore[attr-defined]
        sh("campaign", "orders", "give", faction, "hold")
    assert "next: run the turn with" not in sh("campaign", "waiting").err  # battles are pending
    sh("campaign", "advance", "--leave")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1796300000")
    campaign(sh, "note", "sun")
    assert began() == {"2026-12-02T08:26:40Z"}
    campaign(sh, "undo", "--turn", "--force", "--reason", "x")
    campaign(sh, "undo")  # of the order
    sh("campaign", "advance", "--leave", "--no-wait")
    assert began() == {"2026-12-03T12:13:20Z"}  # an undone turn has no deadline
    assert sh("campaign", "history", "--turn", "2").out.count("Turn 2 begins") == 1


@pytest.mark.slow
def test_a_substitute_acts_for_a_turn_or_for_good(sh: Shell, war: Path) -> None:
    campaign(sh, *BOTH)
    faction = state(war)["forces"]["birch"]["faction"]  # type: ignore[index]
    assert any(faction in duty["factions"] for duty in waiting(sh))  # type: ignore[operator]
    said = campaign(sh, "substitute", faction, "green")
    assert "battle mill: the commander of Birch's Firelocks is now green" in said
    assert not any(faction in duty["factions"] for duty in waiting(sh))  # type: ignore[operator]
    assert acting(war) == "green"
    campaign(sh, "turn")
    sh("campaign", "advance")
    assert acting(war) == "human"
    campaign(sh, "substitute", faction, "seasoned", "--always")
    campaign(sh, "turn")
    sh("campaign", "advance")
    assert acting(war) == "seasoned"
    assert sh("campaign", "substitute", faction, "seasoned", "--always").code == 3
    said = sh("campaign", "substitute", faction, "human").out
    assert "the player plays again (the substitute was seasoned)" in said
    assert "no longer there" not in said
    assert "substitutes" not in state(war)
    assert acting(war) == "human"


@pytest.mark.slow
def test_only_the_player_or_a_substitute_ends_the_order_else_veteran(sh: Shell, war: Path) -> None:
    campaign(sh, *BOTH)
    faction = state(war)["forces"]["birch"]["faction"]  # type: ignore[index]
    campaign(sh, "substitute", faction, "green")
    campaign(sh, "turn")
    sh("campaign", "advance")
    (war / "mail.txt").write_text("mill/birch@1: when any: play\nbirch@1: else veteran", encoding="utf-8")
    assert sh("orders", "take", KEPT, "mail.txt").code == 0
    sh("campaign", "advance")
    assert acting(war) == "veteran"
    campaign(sh, "substitute", faction, "regular")
    assert acting(war) == "regular"
    campaign(sh, "substitute", faction, "human")
    assert acting(war) == "veteran"
    assert sh("orders", "substitute", KEPT, "birch", "human").code == 0
    assert acting(war) == "human"


def acting(war: Path) -> str:
    """Return who commands Birch's Firelocks in the battle by message."""
    session = open_saved(str(war / KEPT)).session
    return session.plan.sides[session.keys.index("birch")].acting


def test_the_list_is_for_people_too(sh: Shell, war: Path) -> None:
    with_deadlines(sh, "wait")
    said = sh("campaign", "waiting", "--now", LATER)
    assert "answer in battle mill" in said.out and "OVERDUE" in said.out and "1 deadline missed." in said.out
    step = f"next: remind a late player with: cardbattle orders remind {KEPT} SIDE; or print the questions"
    assert step in said.err and f"cardbattle orders substitute {KEPT} SIDE RANK" in said.err
    posted = sh("campaign", "waiting", "--format", "discord").out
    assert "answer in battle mill" in posted and "OVERDUE" not in posted
    assert sh("campaign", "waiting", "--now", "soon").code == 2
    assert sh("campaign", "waiting", "--now", "0871-01-01").code == 0


def test_the_list_names_players_to_the_umpire_alone(sh: Shell, war: Path) -> None:
    with_deadlines(sh, "wait")
    factions: dict[str, object] = state(war)["factions"]  # type: ignore[assignment]
    for faction in factions:
        assert sh("campaign", "set", f"factions.{faction}.player=Ann Q").code == 0
    assert "(Ann Q)" in sh("campaign", "waiting").out
    assert "Ann Q" not in sh("campaign", "waiting", "--for", next(iter(factions))).out


@pytest.mark.parametrize("confirm", ["umpire", "both"])
def test_the_umpire_reads_how_to_go_on_with_a_battle_with_real_cards(
    sh: Shell, war: Path, confirm: str
) -> None:
    """Until its end is entered, the umpire owes the moves."""
    campaign(sh, "set", f"results.confirm={confirm}")
    (war / "mill.battle.toml").write_text('fought = "table"\n[waiting]\n', encoding="utf-8")
    command = "cardbattle campaign fight mill --play --table"
    said = sh("campaign", "waiting")
    assert f"enter the moves of battle mill: {command}" in re.sub(r"\s+", " ", said.out)
    assert "next: " in said.err and command in said.err
    assert ("record", "mill") in {(duty["kind"], duty["battle"]) for duty in waiting(sh)}


@pytest.mark.parametrize("missed", ["wait", "standing-orders", "forfeit"])
def test_a_turn_waits_for_a_battle_with_real_cards(sh: Shell, war: Path, missed: str) -> None:
    """With deadlines, the turn read the file as a battle by message, and refused it."""
    with_deadlines(sh, missed)
    text = 'fought = "table"\n[waiting]\n'
    (war / KEPT).write_text(text, encoding="utf-8")
    said = sh("campaign", "advance", "--now", LATER)
    assert said.code == 4, said.err
    assert "waits: mill is in progress with real cards" in " ".join(said.out.split())
    assert (war / KEPT).read_text(encoding="utf-8") == text


def test_the_file_of_a_battle_is_named_from_the_working_directory(
    sh: Shell, war: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_deadlines(sh, "wait")
    (war / "mail.txt").write_text("mill/birch@1: 1; 1; 1", encoding="utf-8")
    monkeypatch.chdir(war.parent)
    step = sh("campaign", "-C", war.name, "waiting", "--now", LATER).err
    command = next(words for words in step.split("; ") if "orders ask" in words).partition(": ")[2]
    assert command.split() == ["cardbattle", "orders", "ask", f"{war.name}/{KEPT}"]
    assert sh(*command.split()[1:]).code == 0
    assert f"orders take {war.name}/{KEPT} FILE" in step


@pytest.mark.slow
def test_a_time_in_the_command_line_decides_not_the_clock(sh: Shell, war: Path) -> None:
    campaign(sh, "set", "visibility.pending=own")
    campaign(sh, "set", "deadlines.confirm=1 week", "results.confirm=both", "deadlines.missed=hold")
    campaign(sh, "confirm", "mill/birch: birch won, birch lost 1/4, vaughan lost 1/2")
    assert [duty["kind"] for duty in waiting(sh) if duty["battle"] == "mill"] == ["confirm"]
    sh("campaign", "advance")
    assert "mill" in [battle["id"] for battle in state(war)["pending"]]  # type: ignore[attr-defined]
    rehearsal = sh("campaign", "advance", "--leave", "--dry-run", "--now", LATER).out
    run = sh("campaign", "advance", "--leave", "--now", LATER).out
    assert battles_of(rehearsal) == battles_of(run)  # a dry run prints what the turn does
    assert "mill" not in [battle["id"] for battle in state(war)["pending"]]  # type: ignore[attr-defined]
    said = {
        reader: " ".join(sh("campaign", "history", "--for", reader).out.split())
        for reader in ("umpire", "public", "king", "parliament", "clubmen")
    }
    late = "not confirmed the battle at Knightsford Mill in time; the reported result counts"
    assert [reader for reader in said if late in said[reader]] == ["umpire"]
    told = "The time to confirm the battle at Knightsford Mill is over, so the reported result counts."
    assert [reader for reader in said if told in said[reader]] == ["umpire", "king", "parliament"]


def battles_of(turn: str) -> str:
    """Return what a printed turn says about its battles."""
    return turn.partition("\nBattles\n")[2].partition("\n\n")[0]


@pytest.mark.parametrize("command", [["confirm", "--file"], ["orders", "take"]])
def test_a_report_from_the_table_never_replaces_a_battle_by_message(
    sh: Shell, war: Path, command: list[str]
) -> None:
    campaign(sh, "set", "results.confirm=both")
    campaign(sh, *BOTH)
    before, listed = bytes_in(war), waiting(sh)
    (war / "mail.txt").write_text("mill/birch: we won, we lost 0, they lost 1/2", encoding="utf-8")
    said = sh("campaign", *command, "mail.txt")
    assert said.code == 3 and "battle mill is in progress, waiting for " in said.err
    assert f"cardbattle orders take {KEPT} FILE" in said.err and f"move {KEPT} away" in said.err
    (war / "mail.txt").unlink()
    assert (bytes_in(war), waiting(sh)) == (before, listed)
    (war / KEPT).unlink()
    campaign(sh, "confirm", "mill/birch: we won, we lost 0, they lost 1/2")


def test_a_battle_by_message_from_outside_the_campaign_does_not_stop_a_report(sh: Shell, war: Path) -> None:
    campaign(sh, "set", "results.confirm=both")
    (war / "mill.toml").write_text(FIELD, encoding="utf-8")
    assert sh("orders", "ask", "mill.toml", "-q").code == 0
    assert (war / KEPT).exists() and "in progress" not in str(waiting(sh))
    campaign(sh, "confirm", "mill/birch: we won, we lost 0, they lost 1/2")


@pytest.mark.slow
def test_each_faction_with_a_pending_battle_can_report_as_its_message_says(sh: Shell, war: Path) -> None:
    campaign(sh, "set", "results.confirm=both", "visibility.pending=own")
    asked = sh("campaign", "orders", "ask", "--json")
    forces: dict[str, dict[str, str]] = state(war)["forces"]  # type: ignore[assignment]
    fought = {
        (battle["id"], forces[force]["faction"])
        for battle in state(war)["pending"]  # type: ignore[attr-defined]
        for side in battle["sides"]
        for force in ([side] if isinstance(side, str) else side)
    }
    messages = json.loads(asked.out)["messages"]
    assert {(each["topic"].split()[-1], each["faction"]) for each in messages} == fought
    for text in (each["text"] for each in messages):
        battle, _, address = text.rpartition("\n")
        assert f"Battle {address.partition('/')[0]} at " in battle and TO_FIGHT in battle
        for example in (line[2:] for line in battle.splitlines() if line.startswith("- ")):
            said = sh("campaign", "confirm", f"{address} {example}", "--dry-run")
            if "declined" not in example:
                wanted = "waits for the report of"
            elif address.startswith("orchard"):  # it has more than two sides
                wanted = "and you decide whether the other sides fight"
            else:
                wanted = "no other side needs to confirm"
            assert said.code == 0 and wanted in said.err, said.err
        (war / "mail.txt").write_text(text, encoding="utf-8")  # an empty form is not a report
        assert "no report" in sh("campaign", "confirm", "--file", "mail.txt").err
    first = state(war)["pending"][0]["id"]  # type: ignore[index]
    ways = (f"fight {first};", f"fight {first} --by-message;", f"export {first} --sheet;", "orders ask,")
    step = sh("campaign", "waiting").err
    assert "advance" not in step and not [way for way in ways if way not in step], step
    assert "3 battles are pending; see what to do with: cardbattle campaign waiting" in (
        sh("campaign", "orders", "ask").err
    )


@pytest.mark.slow
def test_a_side_that_declines_does_not_end_the_battle_of_the_others(sh: Shell, war: Path) -> None:
    """The umpire decides whether the other sides fight, at once and not by the deadline for confirmations."""
    campaign(sh, "set", "deadlines.confirm=1 week", "results.confirm=both", "deadlines.missed=hold")
    asked = " ".join(sh("campaign", "orders", "ask", "--for", "clubmen").out.split())
    assert "If you decline, the umpire decides whether the others fight." in asked and "gives" not in asked
    edit = "edit orchard --side lunsford --side massie --side stragglers --unset options.clubmen"
    said = sh("campaign", "confirm", "orchard/clubmen: we decline, too few of us")
    declining = "The Men with Clubs and Widow Hale decline battle orchard"
    assert f"{declining}, and you decide whether the other sides fight" in said.err
    step = (
        f"next: let the other sides of battle orchard fight with: cardbattle campaign {edit}; or end it for"
    )
    assert f"{step} all with: cardbattle campaign decline orchard clubmen; " in said.err
    for time in ((), ("--now", LATER)):
        listed = sh("campaign", "waiting", *time)
        assert "decide battle orchard, which a side declines" in " ".join(listed.out.split())
        assert f"cardbattle campaign {edit}" in listed.err and "confirm the result" not in listed.out
    waits = sh("campaign", "advance", "--now", LATER)
    assert waits.code == 4 and f"cardbattle campaign {edit}" in " ".join((waits.out + waits.err).split())
    campaign(sh, *edit.split())
    assert "fight battle orchard" in sh("campaign", "waiting").out
    sh("campaign", "confirm", "orchard/massie: we decline")
    said = sh("campaign", "confirm", "orchard/stragglers: we decline")
    assert "end it for all with" not in said.err and "decline orchard massie stragglers" in said.err
    said = sh("campaign", "confirm", "orchard/lunsford: we decline")
    assert "next: end battle orchard with: cardbattle campaign cancel orchard" in said.err


AGREED = "birch won, birch lost 1/4, vaughan lost 1/2"
OTHERS = 'pending.mill.sides=[["birch"], ["lunsford"]]'


@pytest.mark.slow
def test_reports_that_differ_after_the_deadline_are_left_to_the_umpire(sh: Shell, war: Path) -> None:
    campaign(sh, "set", "deadlines.confirm=1 week", "results.confirm=both", "deadlines.missed=hold")
    losses = "lunsford lost 0, massie lost 0, clubmen lost 0, stragglers lost 0"
    for side, winner in (("lunsford", "lunsford"), ("massie", "massie")):
        campaign(sh, "confirm", f"orchard/{side}: {winner} won, {losses}")
    said = sh("campaign", "advance", "--leave", "--now", LATER)
    assert said.code == 0
    left = "not confirmed the battle at Widow Hale's orchard in time; it is left to you"
    assert f"{left}, because the reports differ" in said.err


@pytest.mark.slow
def test_each_side_is_asked_to_check_a_report_that_differs(sh: Shell, war: Path) -> None:
    """A side reads its own report, and only that another one differs."""
    campaign(sh, "set", "results.confirm=both", "deadlines.confirm=1 week", "deadlines.missed=hold")
    corrected = "mill/vaughan: birch won, birch lost 1/2, vaughan lost 2/3"
    (war / "mail.txt").write_text(corrected, encoding="utf-8")
    decide = "next: decide battle mill with: cardbattle campaign override mill --winner SIDE"
    first = sh("campaign", "confirm", "mill/birch: birch won, birch lost 1/4, vaughan lost 1/2").err
    assert (
        "next: ask the King's men to confirm the result of mill with: cardbattle campaign orders ask" in first
    )
    (war / "unread.txt").write_text("mill/birch: birch won, vaughan lost much", encoding="utf-8")
    refused = sh("campaign", "orders", "take", "unread.txt").out
    assert "Your earlier report still counts:" in refused and "differ" not in refused
    assert "lost 1/4, Vaughan's Horse lost 1/2\n" in refused
    assert "next: apply the missed deadline with" in sh("campaign", "waiting", "--now", LATER).err
    for command in (
        ("confirm", "mill/vaughan: birch won, birch lost 1/2, vaughan lost all"),
        ("waiting",),
        ("orders", "take", "mail.txt"),
    ):
        assert decide in sh("campaign", *command).err
    king, parliament = (sh("campaign", "orders", "ask", "--for", who).out for who in ("king", "parliament"))
    assert "the reports of the sides differ" in king and "the reports of the sides differ" in parliament
    assert "lost 1/2, Vaughan's Horse lost 2/3\n" in king and "lost 2/3" not in parliament
    assert "lost 1/4, Vaughan's Horse lost 1/2\n" in parliament and "lost 1/4, Vaughan's" not in king
    for side, who in (("birch", parliament), ("vaughan", king)):
        (war / "mail.txt").write_text(f"mill/{side}: birch won, vaughan lost much", encoding="utf-8")
        refused = sh("campaign", "orders", "take", "mail.txt").out
        assert "- not taken: " in refused
        own = who[who.index("In this battle, the reports") : who.index("Write the result")]
        assert own in refused.replace("Otherwise, correct it.\n\n", "Otherwise, correct it.\n")
    asked = [duty["factions"] for duty in waiting(sh) if duty["kind"] == "check"]
    assert sorted(map(str, asked)) == ["['king']", "['parliament']"]
    readers = {
        who: [duty["kind"] for duty in waiting(sh, "--for", who)] for who in ("king", "clubmen", "public")
    }
    assert readers == {"king": ["check"], "clubmen": [], "public": []}
    assert sh("campaign", "confirm", "mill/vaughan: birch won, birch lost 1/4, vaughan lost 1/2").code == 0
    assert "check" not in [duty["kind"] for duty in waiting(sh)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reports", "change", "why"),
    [
        ([f"{AGREED}, Gunners lost 3"], "forces.vaughan.units.Gunners=1", "Gunners had 1"),
        ([AGREED], OTHERS, "fought by birch and lunsford"),
        (["vaughan declined"], OTHERS, 'not by "vaughan"'),
    ],
)
def test_a_late_confirmation_that_does_not_fit_is_left_to_the_umpire(
    sh: Shell, war: Path, reports: list[str], change: str, why: str
) -> None:
    campaign(sh, "set", "deadlines.confirm=1 week", "results.confirm=both", "deadlines.missed=hold")
    campaign(sh, "set", "forces.vaughan.units={ Gunners = 3, Horse = 2 }")
    for side, report in zip(("birch", "vaughan"), reports, strict=False):
        campaign(sh, "confirm", f"mill/{side}: {report}")
    campaign(sh, "set", change)
    rehearsal = sh("campaign", "advance", "--leave", "--dry-run", "--now", LATER)
    before = state(war)
    said = sh("campaign", "advance", "--leave", "--now", LATER)
    assert (rehearsal.code, said.code) == (0, 0)
    [line] = [line for line in said.err.splitlines() if "left to you" in line]
    assert line in rehearsal.err.splitlines()
    assert why in line and "campaign override mill --winner SIDE --reason TEXT" in line
    after = state(war)
    assert after["pending"] == before["pending"] and after["reported"] == before["reported"]
    assert after["turn"] == before["turn"] + 1  # type: ignore[operator]


@pytest.mark.slow
def test_show_check_and_orders_status_say_who_is_late(sh: Shell, war: Path) -> None:
    campaign(sh, "set", "movement.allowance=1", "deadlines.orders=1 minute", "forces.birch.location=mill")
    said = sh("campaign", "orders", "status", "--now", LATER)
    assert "; it was missed by The King's men, Parliament's men" in " ".join(said.out.split())
    said = sh("campaign", "orders", "status", "--now", "2000-01-01")
    assert "The deadline is 25 November" in " ".join(said.out.split())
    assert "Waiting for" in sh("campaign", "show", "--no-odds").out
    assert "Waiting for" not in sh("campaign", "show", "--no-odds", "--for", "public").out
    assert "the deadline has passed" not in sh("campaign", "check").err
    environment = pytest.MonkeyPatch()
    environment.setenv("SOURCE_DATE_EPOCH", "4070908800")
    assert "the deadline has passed for orders for turn" in sh("campaign", "check").err
    environment.undo()


@pytest.mark.usefixtures("war")
def test_a_reader_who_may_not_know_all_duties_does_not_read_that_there_are_none(sh: Shell) -> None:
    assert "export mill --sheet" in " ".join(sh("campaign", "waiting").out.split())
    assert "No one, as far as this reader may know." in sh("campaign", "waiting", "--for", "public").out
