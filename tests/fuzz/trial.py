"""Try inputs: a reader must soon accept each, or reject it with a message. Any other result is reported."""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import process_time

from tests.fuzz.readers import Reader

LONGEST = 2.0  # seconds of work on one input


@dataclass
class Tally:
    """What came of the inputs; `stories` has one input for each way to fall over."""

    sound: int = 0
    refused: int = 0
    fell: int = 0
    slowest: float = 0.0
    stories: dict[str, str] = field(default_factory=dict)

    def words(self, reader: str) -> str:
        """Return the tally in a line, and a line for each way to fall over."""
        count = self.sound + self.refused + self.fell
        head = f"{reader}: {count} inputs, {self.sound} sound, {self.refused} refused, {self.fell} fell over"
        lines = [f"{head}, slowest {self.slowest:.3f} s"]
        return "\n  ".join([*(f"{where}: {told}" for where, told in self.stories.items()), *lines])


def try_inputs(
    name: str, reader: Reader, seed: str, numbers: Iterable[int], folder: Path, keep: Path | None = None
) -> Tally:
    """Try the inputs of these numbers; each is made from reader, seed and number alone."""
    tally = Tally()
    path = folder / reader.file
    for number in numbers:
        text = made(name, reader, seed, number)
        path.unlink(missing_ok=True)  # some file systems wait for the disk when one is written over
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        story = try_one(reader, path, Random(number), tally)
        if story:
            tally.fell += 1
            if story not in tally.stories and keep is not None:
                keep.mkdir(parents=True, exist_ok=True)
                (keep / f"{name}-{seed}-{number}-{reader.file}").write_bytes(path.read_bytes())
            tally.stories.setdefault(story, f"--reader {name} --seed {seed} --first {number} --count 1")
    return tally


def made(name: str, reader: Reader, seed: str, number: int) -> str:
    """Return the input of this number."""
    random = Random(f"{name}/{seed}/{number}")
    return reader.make(random.choice(reader.samples), random)


def try_one(reader: Reader, path: Path, random: Random, tally: Tally) -> str:
    """Let a reader read one input; return how it fell over, nothing if it did not."""
    begun = process_time()
    try:
        is_sound = reader.read(path, random)
    except Exception as error:  # every exception is a fault
        return story_of(error)
    took = process_time() - begun
    tally.slowest = max(tally.slowest, took)
    if took > LONGEST:
        return f"took {took:.1f} s"
    tally.sound += is_sound
    tally.refused += not is_sound
    return ""


def story_of(error: Exception) -> str:
    """Return what went wrong and where, the same for the same fault."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {os.path.basename(last.filename)}:{last.lineno}: {str(error)[:200]}"
