"""A story come true: the program's own commands on a simulated machine, held against the model."""

from __future__ import annotations

import contextlib
import io
import posixpath
import re
from collections import Counter
from fractions import Fraction
from typing import Any, NamedTuple

import tomli_w

from tests.stress import page, stage, umpire
from tests.stress.disk import FOLDER
from tests.stress.editor import edited
from tests.stress.evidence import (
    ENTRY,
    OURS,
    digest_in,
    entry_wrong,
    placed,
    readable,
    result_in,
    sealed,
    text_wrong,
)
from tests.stress.machine import POWER, Machine, Mishap, Process
from tests.stress.model import Entry, Model, Refusal, Result
from tests.stress.story import BATTLES, CAMPAIGN, Step, Story
from tests.stress.wording import arguments, results
from tests.support.faults import Died

STATE = f"{FOLDER}/campaign.toml"
LEDGER = f"{FOLDER}/history.toml"
INBOX = "/inbox"
READERS = ("check", "history", "standings", "export")
ENDING = (Step("edit", ("comment", "", "", ""), (0, 3, 0)), Step("turn"), Step("check"))
CODES = (0, 1, 2, 3, 4, 5, 6, None)
FORCE = ("strength", "faction", "commander", "destroyed")
RECORDED = re.compile(r" (?:is|are) recorded; ")
NOTHING = re.compile("nothing was recorded|has recorded nothing")


class Divergence(Exception):
    """Program and model disagree, or the law is broken."""


class Told(NamedTuple):
    """How a command ended: its exit code, None if it died, and what it printed."""

    code: int | None
    out: str
    err: str


class Outcome(NamedTuple):
    """One way in which a command may end: with any of these codes, the campaign like this."""

    codes: tuple[int | None, ...]
    model: Model
    kept: bytes | None = None  # what an editor saved in the very moment, put aside


class World:
    """A simulated machine with a campaign on it, and the model of it."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.machine = Machine(self.meanwhile)
        self.machine.exchanges = story.exchanges
        self.machine.disk.folders.add(INBOX)
        self.machine.disk.safe_folders.add(INBOX)
        self.model = Model(CAMPAIGN)
        self.saved = [CAMPAIGN]
        self.save(CAMPAIGN)
        self.good = CAMPAIGN
        self.seen = b""  # the ledger's bytes that are settled
        self.tables: list[dict[str, Any]] = []
        self.fallbacks: list[Model] = []  # what a power cut may leave of a command that came to grief
        self.exports: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {}
        self.editors: list[bytes] = []
        self.others: set[int] = set()  # revisions that others recorded while a command was under way
        self.commands = 0
        self.happened: Counter[str] = Counter()

    def run(self) -> None:
        """Let the whole story happen; Divergence says at which step it went wrong, and how."""
        with stage.set_for(self.machine, self.story.every):
            for number, step in enumerate((*self.story.steps, *ENDING), 1):
                with self.machine.process(()):
                    try:
                        self.perform(step)
                    except Exception as error:
                        why = error if isinstance(error, Divergence) else repr(error)
                        raise Divergence(f"step {number}, {step}: {why}") from error

    def perform(self, step: Step) -> None:
        """Do one thing, and see that it came out as it must."""
        if step.do == "edit":
            self.edit(step)
        elif step.do == "power cut":
            self.machine.cut_power(step.numbers[0])
            for process in self.machine.running:
                process.dead = False
            self.judge_remains()
        else:
            self.command(step)

    def judge_remains(self) -> None:
        """Take over what a power cut has left of what was never said to be recorded."""
        found = [self.model, *self.fallbacks]
        found += [one._replace(text=other.text) for one in found for other in self.fallbacks]
        self.judge([Outcome((0,), one) for one in found], Told(0, "", ""), tail=True)
        self.fallbacks = []

    def edit(self, step: Step) -> None:
        """Save campaign.toml from an editor, perhaps with an old text in it."""
        age = step.numbers[0]
        text = self.saved[-1 - age] if age and age < len(self.saved) else self.text()
        if readable(text):
            self.good = text
        self.save(edited(self.good, step.words, step.numbers[1:]))
        self.model = self.model._replace(text=self.text())
        self.fallbacks = [one._replace(text=self.model.text) for one in self.fallbacks]

    def save(self, text: str) -> None:
        """Write campaign.toml as an editor does."""
        text = text.replace("\n", self.story.line_end)
        raw = ("\ufeff" * self.story.bom + text).encode()
        self.machine.disk.put(STATE, raw)

    def raw(self, path: str) -> bytes:
        """Return what a file holds, nothing if it is not there."""
        inode = self.machine.disk.files.get(path)
        return inode.now if inode is not None else b""

    def text(self) -> str:
        """Return campaign.toml without its byte order mark, lines ended as in Unix."""
        return page.plain(self.raw(STATE))

    def meanwhile(self, mishap: Mishap) -> None:
        """Let an editor save or another command run while one is at work."""
        step = mishap.step
        if step.do == "edit":
            before = self.model
            self.edit(step)
            self.editors.append(self.raw(STATE))
            self.model = before
        elif self.machine.holder is None:
            self.between()
            editors, others, count = self.editors, self.others, len(self.tables)
            self.perform(step)
            self.editors, self.others = editors, others | {*range(count + 1, len(self.tables) + 1)}
        else:
            self.meet_the_lock(step)
        if any(process.dead for process in self.machine.running):
            raise Died

    def between(self) -> None:
        """Take note of what the command under way has repaired already."""
        told = Told(0, "", "")
        models = [self.model, *self.verdict(self.model, Step("nothing"))[1], *self.fallbacks]
        self.judge([Outcome((0,), one) for one in models], told, tail=True)

    def meet_the_lock(self, step: Step) -> None:
        """Run a command while another writes: it may look, and no more."""
        disk = {path: inode.now for path, inode in self.machine.disk.files.items()}
        told, process = self.told(step)
        others = (0, 1, 3, 4) if step.do in READERS else (3,) if step.do == "add" else ()  # it looks first
        if told.code not in (5, *others) and not process.befell:
            raise Divergence(f"{step}: exit code {told.code} while another command writes: {told.err}")
        for path, inode in self.machine.disk.files.items():
            if path.startswith(FOLDER) and disk.get(path) != inode.now and not process.befell:
                raise Divergence(f"{step}: {path} was written while another command held the lock")

    def told(self, step: Step) -> tuple[Told, Process]:
        """Run a command of the program. Return its output and its process."""
        self.commands += 1
        words = ["campaign", "-C", FOLDER, *arguments(step, self.inbox)]
        out, err = Stream(), Stream()
        code: int | None
        with self.machine.process(step.mishaps) as process:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                try:
                    code = stage.run(words)
                except Died:
                    code = None
            if process.dead:
                code = None
        told = Told(code, out.getvalue(), err.getvalue())
        self.happened[f"{step.do}: {'died' if code is None else code}"] += 1
        self.happened.update(f"befell: {mishap.what}" for mishap in process.befell)
        if "Traceback" in told.err or "unexpected failure" in told.err or code not in CODES:
            raise Divergence(f"exit code {code}: {told.err}")
        return told, process

    def inbox(self, step: Step) -> str:
        """Put the results of an import into a file, bound as they were exported, and return its name."""
        found = []
        for battle, result in results(step).items():
            sides = {
                side: {"losses": f"{lost.numerator}/{lost.denominator}"}
                for side, lost in result.losses.items()
            }
            found.append({"id": battle, "winners": list(result.winners), "sides": sides})
            if "bound" in step.words and battle in self.exports:
                found[-1]["bound"] = self.exports[battle][0]
        path = f"{INBOX}/results-{self.machine.next_number()}.toml"
        self.machine.disk.put(path, tomli_w.dumps({"result": found}).encode())
        return path

    def command(self, step: Step) -> None:
        """Run a command, and see that it came out in one of the ways in which it may."""
        before, self.editors, self.others = self.model, [], set()
        told, process = self.told(step)
        if step.do in READERS:
            self.judge_reader(step, told, process)
            return
        self.look()
        stages = self.verdict(self.model, step)[1]
        outcomes = self.outcomes(step, before, process)
        self.judge(outcomes, told, tail=told.code != 0 or len(self.tables) == len(before.entries))
        self.judge_words(told, len(before.entries))
        self.settle(told, process, stages)

    def settle(self, told: Told, process: Process, stages: list[Model]) -> None:
        """Note what a power cut may take back: nothing of what was said to be recorded."""
        if told.code == 0 and len(stages) > 1:
            self.fallbacks = []
        elif RECORDED.search(told.err):
            self.fallbacks = [self.model._replace(text=one.text) for one in (*self.fallbacks, *stages)]
        elif process.dead or any(mishap.step is None for mishap in process.befell):
            self.fallbacks += stages

    @property
    def is_torn(self) -> bool:
        """Return True if the end of the ledger is not an entry."""
        return bool(self.raw(LEDGER).removeprefix(self.seen).strip())

    def outcomes(self, step: Step, before: Model, process: Process) -> list[Outcome]:
        """Return all ways in which a command may end, the ordinary one first."""
        code, stages = self.verdict(self.model, step)
        is_kept = self.editors and self.machine.exchanges  # what was saved meanwhile; else only nearly always
        found = [] if is_kept else [Outcome((code,), stages[-1])]
        if self.is_torn and self.lags:  # nobody can tell any more whether what is torn was recorded once
            found.append(Outcome((4,), self.model))
        if any(mishap.step is not None for mishap in process.befell):
            found += self.in_company(step, before, code, stages)
        if any(mishap.step is None for mishap in process.befell):
            found += [Outcome((None, 3, 6), one) for one in stages]
        if process.dead:
            texts = [one.text for one in (*self.fallbacks, *stages)]
            found += [Outcome((None,), one) for one in (*self.fallbacks, *stages)]
            found += [Outcome((None,), one._replace(text=text)) for one in stages for text in texts]
        return found

    def in_company(self, step: Step, before: Model, code: int, stages: list[Model]) -> list[Outcome]:
        """Return the ways in which a command may end if an editor saved meanwhile, or another command ran."""
        found = []
        for raw in self.editors:
            text = page.plain(raw)
            later, stages_later = self.verdict(self.model._replace(text=text), step)
            found.append(Outcome((later,), stages_later[-1]))
            found += [Outcome((4,), one) for one in self.unwritten(stages_later) if step.do == "fight"]
            found.append(Outcome((code,), stages[-1]._replace(text=text)))
            found += [Outcome((4, 6), one._replace(text=text)) for one in stages]
            found += [Outcome((4,), one, raw) for one in stages]
        early = self.verdict(before, step)[0]
        if step.do == "import" and {early, code} & {3, 4}:  # refused before the lock is taken again
            found += [Outcome(tuple({early, code} & {3, 4}), one) for one in self.unwritten(stages)]
        return found + (self.late_fights((4, early, code), stages) if step.do == "fight" else [])

    def late_fights(self, codes: tuple[int, ...], stages: list[Model]) -> list[Outcome]:
        """Return how a fight may end whose battles were chosen and fought before something else happened."""
        names = [table["id"] for table in self.tables[len(self.model.entries) :] if "record" in table]
        found = [Outcome(codes, one) for one in self.unwritten(stages)]
        for text in (self.model.text, *(page.plain(raw) for raw in self.editors)):
            late, stages_late = self.verdict(self.model._replace(text=text), Step("fight", tuple(names)))
            found += [Outcome((late,), stages_late[-1])] if names else []
        return found

    def unwritten(self, stages: list[Model]) -> list[Model]:
        """Return the states in which nothing is recorded yet: the battle fought has become another."""
        return [one for one in stages if len(one.entries) == len(self.model.entries)]

    def verdict(self, model: Model, step: Step) -> tuple[int, list[Model]]:
        """Return the exit code of a command, and the states through which the campaign goes."""
        stages = [model]
        if not readable(model.text):
            return 3, stages
        try:
            rolled = model.rolled_forward()
            stages += [rolled] if rolled.text != model.text else []
            noted = rolled.noted()
            entries = self.operation(noted, step)
        except Refusal as error:
            return error.code, stages
        if not entries:
            return 0, stages
        final = noted.plus(entries)
        stages += [noted] if noted is not rolled else []
        return 0, [*stages, final._replace(text=noted.text), final]

    def operation(self, model: Model, step: Step) -> list[Entry]:
        """Return the entries that the model has for a command."""
        words, force = [word for word in step.words if word[:2] != "--"], "--force" in step.words
        if step.do == "fight":
            names = [one["id"] for one in self.tables[len(self.model.entries) :] if "record" in one]
            is_all = "--all" not in step.words or sorted(names) == sorted(page.pending(model.text))
            if self.lags and not words and is_all:  # which comes first in a file brought up is not told
                words = names
            return umpire.fight(model, words, "--all" in step.words, self.fought)
        if step.do == "import":
            bound = {battle: self.exports[battle][1] for battle in self.exports if "bound" in words}
            rows = [(battle, result, bound.get(battle, {})) for battle, result in results(step).items()]
            return umpire.import_results(model, rows, force)
        if step.do == "override":
            ((battle, result),) = results(step).items()
            return umpire.override(model, battle, result, force)
        if step.do == "undo":
            return umpire.undo(model, words[0], force)
        if step.do == "adjust":
            return umpire.adjust(model, words)
        if step.do == "turn":
            return umpire.turn(model)
        if step.do == "note":
            return [Entry("note", {})]
        if step.do == "move":
            return umpire.move(model, words[:-1], words[-1])
        if step.do == "add":
            return umpire.add(model, words[0], list(BATTLES[words[0]]))
        return umpire.redo(model) if step.do == "redo" else []

    def fought(self, battle: str) -> Result:
        """Return how the program says a battle ended; any end will do if it was not recorded."""
        for table in self.tables[len(self.model.entries) :]:
            if table.get("id") == battle and table["kind"] == "battle":
                return result_in(table)
        return Result((), {side: Fraction(0) for side in BATTLES[battle]}, {})

    def look(self) -> None:
        """Read what the ledger has more than before; it may only have grown."""
        raw = self.raw(LEDGER)
        if not raw.startswith(self.seen) and self.fallbacks:
            self.seen, self.tables = b"", []  # a power cut took what was never said to be recorded
        if not raw.startswith(self.seen):
            raise Divergence("the ledger was changed where it was settled")
        end, group = len(self.seen), list[dict[str, Any]]()
        for found in ENTRY.finditer(raw, end):
            table = sealed(found[0], group or self.tables)
            if table is None:
                return
            group.append(table)
            part = table.get("part", [1, 1])
            if part[0] == part[1]:
                self.tables += group
                self.seen, group = raw[: found.end()], []

    def judge(self, outcomes: list[Outcome], told: Told, *, tail: bool = False) -> None:
        """Take over the outcome that has come true; Divergence if none has."""
        self.look()
        wrong = [self.wrong(outcome, told) for outcome in outcomes]
        if "" not in wrong:
            why = "; or ".join(dict.fromkeys(wrong))
            raise Divergence(f"{why}; it ended with {told.code}: {told.err or told.out}")
        model = outcomes[wrong.index("")].model
        if self.lags:  # where battles stand in a file brought up is not told
            model = model._replace(entries=tuple(map(placed, model.entries, self.tables)))
        self.model = model._replace(text=self.text())
        if not tail and self.is_torn:
            raise Divergence("bytes that are no entry were left at the end of the ledger")
        self.judge_folder()
        if self.text() != self.saved[-1] and readable(self.text()):
            self.saved.append(self.text())

    def wrong(self, outcome: Outcome, told: Told) -> str:
        """Say in what an outcome differs from what has come true."""
        if told.code not in outcome.codes:
            return f"expected exit code {outcome.codes[0]}"
        model = outcome.model
        if len(model.entries) != len(self.tables):
            return f"expected {len(model.entries)} entries, got {len(self.tables)}"
        for number, (entry, table) in enumerate(zip(model.entries, self.tables, strict=True), 1):
            if number > len(self.model.entries) or entry is not self.model.entries[number - 1]:
                words = entry_wrong(entry, table, number, ordered=not self.lags)
                if words:
                    return f"revision {number}: {words}"
        pending = {key: value for key, value in (model.first or {}).items() if key.startswith("pending.")}
        if self.tables and {f"pending.{one['id']}": one for one in self.tables[0]["pending"]} != pending:
            return "the first entry does not say which battles were pending"
        if outcome.kept is not None and not self.is_kept(outcome.kept):
            return "what the editor saved is not kept"
        return text_wrong(model.text, self.text(), ordered=not self.lags)

    @property
    def lags(self) -> bool:
        """Whether campaign.toml is behind the ledger, or an editor or a power cut may have left it so."""
        texts = [self.model.text, *map(page.plain, self.editors)]
        if self.fallbacks or not all(map(readable, texts)):
            return True
        return any(page.read(text)[1] < len(self.model.entries) for text in texts)

    def is_kept(self, raw: bytes) -> bool:
        """Say whether what an editor saved was put aside."""
        files = self.machine.disk.files
        return any(inode.now == raw for path, inode in files.items() if ".overtaken-" in path)

    def judge_words(self, told: Told, count: int) -> None:
        """Check a command's claims about itself. Before it, the ledger had `count` entries."""
        own = [table for table in self.tables[count:] if table["revision"] not in self.others]
        new = [table for table in own if table["kind"] != "edit"]
        if new and NOTHING.search(told.err):
            raise Divergence(f"it says that nothing was recorded, and it was: {told.err}")
        if not new and (RECORDED.search(told.err) or "recorded as revision" in told.out):
            raise Divergence(f"it says that it is recorded, and it is not: {told.err or told.out}")

    def judge_reader(self, step: Step, told: Told, process: Process) -> None:
        """See that a command that only reads has done so, and that `check` finds what is wrong."""
        if step.do == "export" and told.code == 0:
            table = page.data_in(told.out)["bound"]
            keys = [f"forces.{force}.{word}" for force in table["forces"] for word in FORCE]
            self.exports[step.words[0]] = (table, {key: self.model.now.get(key) for key in keys})
        self.model = self.model._replace(text=self.text()) if self.editors else self.model
        if any(mishap.what in POWER for mishap in process.befell) and not self.editors:
            self.judge_remains()
        if process.befell or self.fallbacks or not readable(self.model.text):
            return
        is_quiet = page.read(self.model.text)[1] == len(self.model.entries) and not self.is_torn
        expected = (
            (0, 1, 4)
            if not is_quiet
            else (1,)
            if step.do == "check" and umpire.is_unsound(self.model)
            else (0,)
        )
        if step.do == "export" and not (is_quiet and told.code == 0):
            expected = (0, 3, 4)
        if told.code not in expected:
            raise Divergence(f"exit code {told.code}, expected {expected[0]}: {told.err}")
        self.judge([Outcome((told.code,), self.model)], told, tail=True)

    def judge_folder(self) -> None:
        """Check that the folder has only the program's files, and that no recorded battle has changed."""
        for path in self.machine.disk.files:
            name = posixpath.relpath(path, FOLDER)
            if path.startswith(FOLDER) and not OURS.fullmatch(name):
                raise Divergence(f"{name} stands in the campaign's folder")
        for table in self.tables:
            if "record" in table and digest_in(self.raw(f"{FOLDER}/{table['record']}")) != table["digest"]:
                raise Divergence(f"{table['record']} is not the record of revision {table['revision']}")


class Stream(io.StringIO):
    """A stream that keeps what is written to it."""

    def fileno(self) -> int:
        return 1
