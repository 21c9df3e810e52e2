"""Movement on disk: undone to the byte, hidden from those who may not know it, fast on a large map."""

from __future__ import annotations

import re
from copy import deepcopy
from itertools import chain
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import pytest
import tomli_w
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from cardbattle.campaign import check
from cardbattle.campaign.exchange.orders.addresses import address_of
from cardbattle.campaign.ledger import undo
from cardbattle.campaign.phases.movement.planning import steps_of
from cardbattle.campaign.phases.turn_order import PHASES
from cardbattle.campaign.state.tables.march_orders import rename_in_note
from cardbattle.campaign.storage import store
from cardbattle.campaign.turn.advance import AdvanceOptions, rehearse_turn, run_phase
from cardbattle.campaign.visibility.reader import PUBLIC, visible_to
from cardbattle.show.pages.campaign.history import history_page
from cardbattle.show.pages.campaign.messages.orders import request_to
from cardbattle.show.pages.campaign.orders import orders_page
from cardbattle.show.pages.campaign.report import report_page
from cardbattle.show.writers.formats import render
from tests.campaign.phases.movement.test_procedure import vale
from tests.support import marches
from tests.support.movement import random_data
from tests.support.tally import tried

[MOVEMENT] = [phase for phase in PHASES if phase.name == "movement"]
HIDDEN = {"strength": "own", "location": "own", "commander": "own", "pending": "own"}
LOST = {
    "guard": {"faction": "blue", "strength": 3, "location": "bridge"},
    "garrison": {"faction": "blue", "strength": 3, "location": "bridge"},
    "lost": {"faction": "blue", "strength": 3},
}  # and a force that is not on the map
FEW = settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)  # each writes a campaign to disk


def write(folder: Path, data: dict[str, Any], comment: str = "") -> str:
    """Write a campaign, with a comment behind each order, and return its folder."""
    text = tomli_w.dumps({"revision": 0, **data})
    before, header, orders = text.partition("[orders]\n")
    orders = (
        re.sub(r'^(f\d+ = ".*")$', rf"\1  # {comment}", orders, flags=re.MULTILINE) if comment else orders
    )
    return marches.folder_with(folder, before + header + orders)


def text_of(folder: str) -> str:
    """Return campaign.toml without its revision."""
    text = (Path(folder) / "campaign.toml").read_text(encoding="utf-8")
    return re.sub(r"(?m)^revision = \d+", "revision", text)


@pytest.mark.slow
@FEW
@given(st.integers(0, 2**32))
def test_undo_of_the_movement_restores_every_byte(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    folder = write(tmp_path_factory.mktemp("turn"), random_data(Random(seed)), "by mail")
    before = text_of(folder)
    run_phase(folder, MOVEMENT, AdvanceOptions())
    after = text_of(folder)
    if after == before:
        return
    with store.open_for_writing(folder) as desk:
        desk.commit([undo.undo(desk.books, desk.ledger)])
    assert text_of(folder) == before
    with store.open_for_writing(folder) as desk:
        desk.commit([undo.redo(desk.books, desk.ledger)])
    assert text_of(folder) == after
    assert check.check(folder) == []
    tried("movements undone and redone to the byte")


def own_world(folder: str, faction: str) -> object:
    """Return what happens to a faction's own forces: positions, battles and failed orders."""
    campaign, ledger = store.load(folder).campaign, store.load_ledger(folder)
    forces = {key: force for key, force in campaign.forces.items() if force.faction == faction}
    changes = [change for entry in ledger.entries for change in entry.changes]
    failed = {change.key[1]: change.text for change in changes if change.key[0] == "orders"}
    reasons = {key: failed[key] for key in forces if key in failed}
    return forces, [battle for battle in campaign.pending if {*forces} & {*chain(*battle.sides)}], reasons


def read_by(folder: str, faction: str) -> list[str]:
    """Return everything that a faction can read of a campaign with movement."""
    campaign, ledger = store.load(folder).campaign, store.load_ledger(folder)
    visible = visible_to(campaign, ledger, faction)
    steps = {
        key: steps_of(campaign, force)
        for key, force in campaign.forces.items()
        if force.faction == faction and force.location
    }
    messages = request_to(visible, faction, address_of(campaign, faction), steps)
    pages = [orders_page(visible), history_page(visible, visible.entries), report_page(visible, {})]
    return [
        str(visible.campaign.data),
        *("\n".join(message.lines) for message in messages),
        *(render(page, form) for page in pages for form in ("plain", "json")),
    ]


def test_the_report_of_its_faction_says_why_a_force_did_not_avoid_a_battle(tmp_path: Path) -> None:
    orders = {"vanguard": "march to bridge", "guard": "hold, avoid battle", "archers": "march to fort"}
    folder = write(tmp_path, vale(orders).data)
    run_phase(folder, MOVEMENT, AdvanceOptions())
    campaign, ledger = store.load(folder).campaign, store.load_ledger(folder)
    for reader in ("blue", "red", "green", PUBLIC):
        visible = visible_to(campaign, ledger, reader)
        text = " ".join(render(report_page(visible, {}), "plain").split())
        sentence = "has to fight, although ordered to avoid battle: no free place is in reach"
        assert (sentence in text) == (reader == "blue"), text


@pytest.mark.parametrize(
    ("guard", "vanguard", "riders", "sentences"),
    [
        (
            "hold",
            "march to bridge",
            "hold",
            ["falls back from Bridge to Fort to avoid Vanguard, as ordered."],
        ),
        ("march to mill", "hold", "hold", ["stays at Bridge to avoid Militia and Vanguard, as ordered."]),
        (
            "march to ford",
            "hold",
            "march to ford",
            ["marches from Bridge to Fort.", "stops at Fort to avoid Riders, as ordered."],
        ),
        (
            "march to ford",
            "hold",
            "march to fort",
            ["falls back from Fort to Bridge to avoid Riders, as ordered."],
        ),
    ],
)
def test_its_faction_reads_once_how_a_force_avoided_a_battle(
    tmp_path: Path, guard: str, vanguard: str, riders: str, sentences: list[str]
) -> None:
    orders = {"guard": f"{guard}, avoid battle", "vanguard": vanguard, "riders": riders}
    folder = write(tmp_path, vale(orders).data)
    run_phase(folder, MOVEMENT, AdvanceOptions())
    campaign, ledger = store.load(folder).campaign, store.load_ledger(folder)
    for reader in ("blue", "red", "green", PUBLIC):
        text = render(report_page(visible_to(campaign, ledger, reader), {}), "plain")
        told = re.findall(r"Guard ((?:marches|falls|stops|stays).*)", text)
        assert told == sentences if reader == "blue" else "avoid" not in text


def test_the_note_of_a_withdrawal_follows_renamed_places_and_forces() -> None:
    note = "withdrew from ford to fort before red ford, by ford"
    assert rename_in_note(note, "locations", "ford", "weir") == (
        "withdrew from weir to fort before red ford, by weir"
    )
    assert (
        rename_in_note(note, "forces", "ford", "new") == "withdrew from ford to fort before red new, by ford"
    )
    assert rename_in_note("avoided, by ford", "locations", "ford", "weir") == "avoided, by weir"


@pytest.mark.parametrize(
    ("order", "more", "reason"),
    [
        (
            "march to fort",
            {"pending": [{"id": "old", "sides": ["guard", "archers"]}]},
            "it has a battle to fight",
        ),
        ("march to fort", {"road": [{"between": ["mill", "ford"]}]}, "no road leads where it is to go"),
        ("mill -> bridge", {}, "its order begins in another place"),
        ("join garrison", {}, "forces that join each other cannot march"),
        ("join lost", {"forces": LOST}, "the force to join is not on the map"),
        ("join archers", {}, "the force to join is not an ally in sight"),
    ],
)
def test_the_report_of_its_faction_says_why_a_force_did_not_march(
    tmp_path: Path, order: str, more: dict[str, Any], reason: str
) -> None:
    folder = write(tmp_path, vale({"guard": order, "garrison": "join guard"}, **more).data)
    assert any("orders.guard: the force will hold" in hint for hint in check.look_through(folder).hints())
    printed = run_phase(folder, MOVEMENT, AdvanceOptions()).outcome.notes
    assert any(note.startswith("Guard: ") for note in printed)
    campaign, ledger = store.load(folder).campaign, store.load_ledger(folder)
    for reader in ("blue", "red", "green", PUBLIC):
        text = " ".join(render(report_page(visible_to(campaign, ledger, reader), {}), "plain").split())
        assert (f"Guard holds: {reason}." in text) == (reader == "blue"), text


def test_the_report_of_its_faction_says_that_the_weather_stopped_a_march(tmp_path: Path) -> None:
    weather = {"table": [{"p": 1, "name": "storm", "movement": -2}], "now": "storm"}
    forces: Any = deepcopy(vale({}).data["forces"])
    forces["garrison"]["pace"] = 0
    orders = {"guard": "march to fort", "garrison": "march to bridge", "riders": "hold"}
    folder = write(tmp_path, vale(orders, weather=weather, forces=forces).data)
    run_phase(folder, MOVEMENT, AdvanceOptions())
    campaign, ledger = store.load(folder).campaign, store.load_ledger(folder)
    for reader in ("blue", "red", "green", PUBLIC):
        text = render(report_page(visible_to(campaign, ledger, reader), {}), "plain")
        assert ("Guard cannot march in this weather." in text) == (reader == "blue"), text
        assert text.count("cannot march in this weather") <= 1


@pytest.mark.parametrize(("steps", "told"), [(-1, "is slowed by the"), (-2, "cannot march in this")])
def test_the_report_says_that_the_weather_slows_or_stops_a_march_of_an_earlier_turn(
    tmp_path: Path, steps: int, told: str
) -> None:
    """Only its faction reads this, and the march goes on."""
    weather = {"table": [{"p": 1, "name": "fog", "movement": steps}], "now": "fog"}
    forces: Any = deepcopy(vale({}).data["forces"])
    forces["guard"]["march"] = "march to ford"
    folder = write(tmp_path, vale({"riders": "hold"}, weather=weather, forces=forces).data)
    run_phase(folder, MOVEMENT, AdvanceOptions())
    campaign, ledger = store.load(folder).campaign, store.load_ledger(folder)
    assert campaign.forces["guard"].march == "march to ford"
    for reader in ("blue", "red", "green", PUBLIC):
        text = render(report_page(visible_to(campaign, ledger, reader), {}), "plain")
        assert text.count(f"Guard {told} weather.") == (reader == "blue"), text


def test_the_weather_explains_why_a_force_has_not_arrived(tmp_path: Path) -> None:
    weather = {"table": [{"p": 1, "name": "fog", "movement": -1}], "now": "fog"}
    orders = {"guard": "march to ford", "riders": "march to mill", "vanguard": "march to bridge"}
    folder = write(tmp_path, vale(orders, weather=weather).data)
    report = run_phase(folder, MOVEMENT, AdvanceOptions())
    assert [reason.partition(": ")[2] for cause in report.outcome.causes for reason in cause.reasons] == [
        "march to Bridge: Mill -> Bridge",
        "march to Ford: Bridge -> Fort; the weather takes 1 step",
        "march to Mill: Wood -> Ford; the weather takes 1 step",
    ]
    campaign, ledger = store.load(folder).campaign, store.load_ledger(folder)
    texts = {
        reader: render(report_page(visible_to(campaign, ledger, reader), {}), "plain")
        for reader in ("red", "blue", "green", PUBLIC)
    }
    slow = {
        reader: re.findall(r"(\w+) (?:is|are) slowed by the weather", text) for reader, text in texts.items()
    }
    assert slow == {"red": [], "blue": ["Guard"], "green": ["Riders"], PUBLIC: []}


@pytest.mark.slow
@FEW
@given(st.integers(0, 2**32))
def test_hidden_movement_shows_in_nothing_that_a_faction_reads(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    """Two worlds in which others have other orders read the same if no own force has noticed."""
    random = Random(seed)
    data = random_data(random) | {"visibility": HIDDEN}
    orders: dict[str, str] = dict(data["orders"])  # type: ignore[call-overload]
    forces: dict[str, Any] = data["forces"]  # type: ignore[assignment]
    places = [*data["locations"]]  # type: ignore[misc]
    others = [key for key, force in forces.items() if force["faction"] != "york"]
    changed = {key: f"march to {random.choice(places)}" for key in others}
    folders = [
        write(tmp_path_factory.mktemp("world"), {**data, "orders": world})
        for world in (orders, orders | changed)
    ]
    assert read_by(folders[0], "york") == read_by(folders[1], "york")
    for folder in folders:
        run_phase(folder, MOVEMENT, AdvanceOptions())
    worlds = [own_world(folder, "york") for folder in folders]
    assume(worlds[0] == worlds[1])
    assert read_by(folders[0], "york") == read_by(folders[1], "york")
    tried("hidden movements that a faction reads nothing of")


def large_data(random: Random) -> dict[str, Any]:
    """Return a campaign of 8 factions, 500 forces with orders, 200 places and 400 roads."""
    places = [f"p{n}" for n in range(200)]
    roads = {tuple(sorted((f"p{n}", f"p{max(n - random.randint(1, 15), 0)}"))) for n in range(1, 200)}
    while len(roads) < 400:
        one = random.randrange(1, 200)
        roads.add(tuple(sorted((f"p{one}", f"p{max(one - random.randint(1, 25), 0)}"))))
    forces = {
        f"u{n}": {
            "faction": f"f{n % 8}",
            "strength": random.randint(3, 20),
            "location": f"p{n % 8 * 25 + random.randrange(25)}",
        }
        for n in range(500)
    }
    orders = {
        key: random.choice(("hold", f"march to {place}", f"march to {place}, avoid battle"))
        for key in forces
        for place in (random.choice(places),)
    }
    return {
        "format": 1,
        "name": "The Great War",
        "turn": 1,
        "seed": 7,
        "rules": "field-of-honour",
        "movement": {"allowance": 3, "stacking": 4},
        "factions": {f"f{n}": {} for n in range(8)},
        "forces": forces,
        "locations": {place: {"owner": f"f{n // 25}"} for n, place in enumerate(places)},
        "road": [{"between": [*road], "length": random.choice((1, 1, 2, 3))} for road in sorted(roads)],
        "orders": orders,
    }


@pytest.mark.slow
def test_a_turn_of_five_hundred_forces_is_rehearsed_in_three_seconds(tmp_path: Path) -> None:
    folder = write(tmp_path, large_data(Random(1)))
    start = process_time()
    reports = list(rehearse_turn(store.load(folder), store.load_ledger(folder), AdvanceOptions()))
    assert process_time() - start < 3
    [report] = [report for report in reports if report.phase.name == "movement"]
    assert len(report.outcome.causes) > 30
