"""What an umpire's commands come to in the model: battles decided, taken back, brought back, values set."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from tests.stress import page
from tests.stress.model import Entry, Model, Refusal, Result, Values, is_battle, is_count, same


def fought(model: Model, kind: str, battle: str, result: Result) -> Entry:
    """Return the entry of a battle's result: points, losses, spoils, and it is pending no more."""
    now, fight = model.now, model.now.get(f"pending.{battle}")
    if fight is None:
        raise Refusal(3)
    sides = {side if isinstance(side, str) else side[0]: side for side in fight["sides"]}
    if {*sides} != {*result.losses}:
        raise Refusal(3)
    after: Values = {}
    for side, forces in sides.items():
        won = side in result.winners
        gain = now["scoring.win" if won and len(result.winners) == 1 else "scoring.draw"]
        gain = gain if won or not result.winners else now.get("scoring.loss", 0)
        gain += now["scoring.per_score"] * result.scores.get(side, 0)
        rate = Fraction(now["attrition.winner_rate" if won else "attrition.rate"])
        forces = [forces] if isinstance(forces, str) else forces
        for faction in dict.fromkeys(now[f"forces.{force}.faction"] for force in forces):
            key = f"factions.{faction}.points"
            after[key] = after.get(key, now[key]) + gain
        for force in forces:
            strength = now[f"forces.{force}.strength"]
            lost = (strength * result.losses[side] * rate + Fraction(1, 2)) // 1
            after[f"forces.{force}.strength"] = strength - lost
            if strength - lost < now["attrition.destroyed_below"]:
                after[f"forces.{force}.destroyed"] = True
    takers = {now[f"forces.{winner}.faction"] for winner in result.winners}
    if "stakes" in fight and len(takers) == 1:
        after[f"locations.{fight['stakes']}.owner"] = takers.pop()
    changes = {key: (now.get(key), value) for key, value in after.items() if now.get(key) != value}
    return Entry(kind, {**changes, f"pending.{battle}": (fight, None)}, battle, result=result)


def decided(model: Model, battles: Iterable[tuple[str, str, Result]]) -> list[Entry]:
    """Return the entries of battles, each with what those before it left."""
    found = list[Entry]()
    for kind, battle, result in battles:
        found.append(fought(model, kind, battle, result))
        model = model.plus(found[-1:])
    return found


def fight(model: Model, names: list[str], everything: bool, told: Callable[[str], Result]) -> list[Entry]:
    """Fight the first pending battle, or these, or all that still can be fought."""
    waiting, found = page.pending(model.text), list[Entry]()
    if not waiting or not {*names} <= {*waiting}:
        raise Refusal(3)
    for battle in names or (waiting if everything else waiting[:1]):
        if model.recorded(battle):
            raise Refusal(4)
    for battle in dict.fromkeys(names or (waiting if everything else waiting[:1])):
        forces = forces_of(model.now[f"pending.{battle}"])
        if any(model.now.get(f"forces.{force}.destroyed") for force in forces):
            if everything:
                continue
            raise Refusal(3)
        found.append(fought(model, "battle", battle, told(battle)))
        model = model.plus(found[-1:])
    if not found:
        raise Refusal(3)
    return found


def import_results(model: Model, rows: list[tuple[str, Result, Values]], force: bool) -> list[Entry]:
    """Take results from elsewhere: known ones are passed over, others must fit."""
    new, fits = list[tuple[str, str, Result]](), True
    for battle, result, bound in rows:
        known = model.recorded(battle)
        changed = any(not same(model.now.get(key), bound[key]) for key in bound)
        fits &= model.entries[known - 1].result == result if known else force or not changed
        new += [] if known else [("import", battle, result)]
    found = decided(model, new)
    if not fits:
        raise Refusal(4)
    return found


def override(model: Model, battle: str, result: Result, force: bool) -> list[Entry]:
    """Decide a battle. A recorded battle is undone first."""
    known = model.recorded(battle)
    first = [undone(model, (known,), force)] if known else []
    return [*first, *decided(model.plus(first), [("override", battle, result)])]


def undo(model: Model, what: str, force: bool) -> list[Entry]:
    """Take back the last command, or a battle or revision, whole."""
    found = [n for n, one in model.standing() if one.kind != "edit" and what in ("", one.id, str(n))]
    if not found:
        raise Refusal(3)
    first, last = model.entries[found[-1] - 1].group
    gone = model.gone()
    return [undone(model, tuple(n for n in range(first, last + 1) if n not in gone), force)]


def undone(model: Model, revisions: tuple[int, ...], force: bool) -> Entry:
    """Return the entry that undoes these: counts by differences, and other values as before."""
    whole: dict[str, tuple[Any, Any]] = {}
    entries = [model.entries[n - 1] for n in revisions]
    for one in entries:
        whole |= {key: (whole.get(key, pair)[0], pair[1]) for key, pair in one.changes.items()}
    changes: dict[str, tuple[Any, Any]] = {}
    for key, (before, after) in reversed(whole.items()):
        now, last = model.now.get(key), max(n for n in revisions if key in model.entries[n - 1].changes)
        since = [one for n, one in model.standing(last) if n not in revisions]
        later = [one.kind for one in since if key in one.changes or key in prizes(one)]
        if same(before, after):
            continue
        gone_or_back = not same(now, after) if is_battle(key) else is_count(key) and now is None
        if gone_or_back and force:
            continue
        decided = "edit" in later if is_count(key) else not is_battle(key) and (later or not same(now, after))
        if gone_or_back or (decided and not force):
            raise Refusal(4)
        new = now - (after - before) if is_count(key) else before
        changes[key] = (now, max(0, new) if key.endswith(".strength") else new)
    name = entries[0].id if len({one.id for one in entries}) == 1 else ""
    changes = {key: pair for key, pair in changes.items() if not same(*pair)}
    redone = [one for one in model.entries[revisions[-1] :] if one.kind == "redo"]
    lines = [found for one in entries for found in one.lines]
    for one in redone:  # the same battle, taken out again with the lines it had then
        back = [key for key in whole if same(one.changes.get(key, (None,))[0], whole[key][0])]
        lines += [found for found in one.lines if found[0] in back]
    return Entry("undo", changes, name, revisions, lines=tuple(lines))


def redo(model: Model) -> list[Entry]:
    """Bring back what was taken back last, if nothing has touched it since."""
    undos = list[int]()
    for n, one in enumerate(model.entries, 1):
        undos += [n] if one.kind == "undo" else []
        if one.kind == "redo":
            undos.remove(max(n for n in undos if model.entries[n - 1].undoes == one.undoes))
    undos = [n for n in undos if n not in model.gone()]
    if not undos:
        raise Refusal(3)
    last = model.entries[undos[-1] - 1]
    concerns = {word for one in (last, *(model.entries[n - 1] for n in last.undoes)) for word in about(one)}
    if any(concerns & about(one) for _, one in model.standing(undos[-1])):
        raise Refusal(4)
    changes = {key: (after, before) for key, (before, after) in reversed(last.changes.items())}
    if any(not same(model.now.get(key), before) for key, (before, _) in changes.items()):
        raise Refusal(4)
    return [Entry("redo", changes, last.id, last.undoes, lines=last.lines)]


def turn(model: Model) -> list[Entry]:
    """Begin the next turn."""
    return [Entry("turn", {"turn": (model.now["turn"], model.now["turn"] + 1)})]


def move(model: Model, forces: list[str], place: str) -> list[Entry]:
    """Move forces to a place; those that are there stay."""
    keys = [f"forces.{force}.location" for force in forces]
    changes = {key: (model.now.get(key), place) for key in keys if model.now.get(key) != place}
    fallen = any(model.now.get(f"forces.{force}.destroyed") for force in forces)
    if fallen or not changes:
        raise Refusal(3)
    return [Entry("move", changes)]


def add(model: Model, battle: str, sides: list[str]) -> list[Entry]:
    """Add a pending battle below the others, unless its id is known or one of its forces is destroyed."""
    fallen = any(model.now.get(f"forces.{force}.destroyed") for force in forces_of({"sides": sides}))
    if fallen or battle in page.pending(model.text) or model.recorded(battle):
        raise Refusal(3)
    key, table = f"pending.{battle}", {"id": battle, "sides": sides}
    lines = ((key, page.written(table), len(page.pending(model.text))),)
    return [Entry("add", {key: (None, table)}, lines=lines)]


def is_unsound(model: Model) -> bool:
    """Say whether a pending battle is recorded already, or cannot be fought as its forces are."""
    fallen = {key.split(".")[1] for key, value in model.now.items() if key.endswith(".destroyed") and value}
    return any(
        model.recorded(battle) or fallen & {*forces_of(model.now[f"pending.{battle}"])}
        for battle in page.pending(model.text)
    )


def adjust(model: Model, settings: list[str]) -> list[Entry]:
    """Set values, or add to the numbers that are there, in one entry. If nothing changes, it is refused."""
    found = dict[str, tuple[Any, Any]]()
    for setting in settings:
        key, _, value = setting.partition("=")
        is_relative, sign = key[-1] in "+-" or value[0] in "+-", -1 if "-" in (key[-1], value[0]) else 1
        key, value = key.rstrip("+-"), value.lstrip("+-")
        now: Any = model.now.get(key)
        after = now + sign * int(value) if is_relative else typed(value)
        is_negative = isinstance(after, int) and after < 0 and not key.endswith(".points")
        if same(now, after) or is_negative:
            raise Refusal(3)
        model = model.plus([Entry("adjust", {key: (now, after)})])
        found[key] = (found[key][0] if key in found else now, after)
    found = {key: pair for key, pair in found.items() if not same(*pair)}
    if not found:
        raise Refusal(3)
    return [Entry("adjust", found)]


def forces_of(battle: Values) -> list[str]:
    """Return the forces that fight a pending battle."""
    sides = [[side] if isinstance(side, str) else side for side in battle["sides"]]
    return [force for side in sides for force in side]


def about(entry: Entry) -> set[str]:
    """Return what an entry is about: its battle, the forces that fought, each value and force it changed."""
    fights = [pair[0] or pair[1] for key, pair in entry.changes.items() if is_battle(key) and entry.result]
    forces = {f"forces.{force}" for fight in fights for force in forces_of(fight)}
    changed = {key.rpartition(".")[0] for key in entry.changes if key.startswith("forces.")}
    return {*entry.changes, *forces, *changed, *prizes(entry)}


def prizes(entry: Entry) -> set[str]:
    """Return the owner's key of the place that a battle has won, whose ever it was before."""
    if entry.result is None or not entry.result.winners:
        return set()
    fights = [pair[0] for key, pair in entry.changes.items() if is_battle(key) and pair[0]]
    return {f"locations.{fight['stakes']}.owner" for fight in fights if "stakes" in fight}


def typed(value: str) -> int | str:
    """Return a value in the form in which it is typed: a number or text."""
    return int(value) if value.isdigit() else value
