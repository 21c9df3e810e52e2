"""A step in the program's words, and in the model's."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tests.stress.model import Result
from tests.stress.story import BATTLES, Step


def arguments(step: Step, inbox: Callable[[Step], str]) -> list[str]:
    """Return the words of a command line; `inbox` puts the results of an import into a file."""
    words = list(step.words)
    force = ["--force", "--reason", "agreed"] if "--force" in words else []
    if step.do == "fight":
        return ["fight", *words, "-q", "--jobs", "1", "--format", "plain", "--detail", "brief"]
    if step.do == "undo":
        return ["undo", *([words[0]] if words[0] else []), *force]
    if step.do == "adjust":
        return ["adjust", *words, "--reason", "seen", "--public"]
    if step.do == "override":
        battle, winner, *lost = [word for word in words if word != "--force"]
        sides = zip(BATTLES[battle], lost, strict=True)
        losses = [
            word
            for side, share in sides
            for word in ("--losses", f"{side}={'all' if share == '1' else share}")
        ]
        wins = ["--winner", winner] if winner else []
        return ["override", battle, *wins, *losses, *(force or ["--reason", "so be it"])]
    if step.do == "add":
        return ["add", "battle", words[0], *(f"--side={side}" for side in BATTLES[words[0]])]
    if step.do == "import":
        return ["import", inbox(step), *force]
    return [step.do, *words]


def results(step: Step) -> dict[str, Result]:
    """Return the results in the words of a step, by their battles."""
    words = [word for word in step.words if word not in ("bound", "--force")]
    found = {}
    for place in range(0, len(words), 4):
        battle, winner, *lost = words[place : place + 4]
        sides = BATTLES[battle]
        losses = {side: Fraction(share) for side, share in zip(sides, lost, strict=True)}
        found[battle] = Result((winner,) if winner else (), losses, dict.fromkeys(sides, 0))
    return found
