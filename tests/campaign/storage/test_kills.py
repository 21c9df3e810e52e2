"""A real system fails: processes are killed at system calls, disks are cut off and filled up."""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.campaign.storage.test_store import Begun, attempt, judge, survey
from tests.campaign.storage.test_store import begun as begun
from tests.campaign.storage.test_store import copies as copies
from tests.support import marches
from tests.support.faults import CALLS, FaultySystem
from tests.support.tally import tried

KILLED_AT = (
    "mkdir", "mkdirat", "openat", "fchmod", "write", "fsync", "close", "rename", "renameat", "renameat2",
    "unlink", "unlinkat", "ftruncate",
)  # fmt: skip  # some machines have only the later of two
together = pytest.mark.parametrize("begun", ["together"], indirect=True)


def traced(options: list[str], task: Callable[[], object], log: Path) -> int:
    """Run a task in a child that strace holds; return how the child ended."""
    ready, go = os.pipe()
    child = os.fork()
    if child == 0:
        os.read(ready, 1)
        with contextlib.suppress(BaseException):
            task()
        os._exit(0)
    command = ["strace", "-f", "-o", str(log), *options, "-p", str(child)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as tracer:
        assert tracer.stderr is not None
        said = tracer.stderr.readline()
        os.write(go, b"!")
        _, status = os.waitpid(child, 0)
        os.close(ready)
        os.close(go)
    if "attached" not in said:
        pytest.skip(f"processes cannot be traced here: {said.strip()}")
    return status


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
@together
def test_a_process_killed_at_any_system_call_leaves_the_old_or_the_new(
    begun: Begun, copies: Callable[[], Path], tmp_path: Path
) -> None:
    log = tmp_path / "log"
    folder = copies()
    marches.record(str(folder), *begun.battles)  # so that a child imports nothing more
    folder = copies()
    everything = f"trace={','.join(f'?{name}' for name in KILLED_AT)}"
    traced(["-e", everything], lambda: marches.record(str(folder), *begun.battles), log)
    assert survey(folder, begun)
    calls = re.findall(r"^\d+ +(\w+)\(", log.read_text(), re.MULTILINE)
    killed = 0
    for name in KILLED_AT:
        for number in range(1, calls.count(name) + 1):
            folder = copies()
            inject = f"inject={name}:signal=SIGKILL:when={number}"
            status = traced(
                ["-e", everything, "-e", inject],
                lambda at=str(folder): marches.record(at, *begun.battles),  # type: ignore[misc]
                log,
            )
            killed += os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
            judge("nothing said", survey(folder, begun))
            shutil.rmtree(folder)
    tried("processes killed at a system call by strace", killed)
    assert killed == len(calls) > 30


class Mounted:
    """A file system in a file."""

    def __init__(self, image: Path, at: Path, *kind: str) -> None:
        self.image = image
        self.at = at
        self.kind = kind

    def __enter__(self) -> Path:
        self.at.mkdir(exist_ok=True)
        subprocess.run(["mount", *self.kind, str(self.image), str(self.at)], check=True)
        return self.at

    def __exit__(self, *_: object) -> None:
        subprocess.run(["umount", str(self.at)], check=True)


class CopyingSystem(FaultySystem):
    """The `os` module, which keeps what the disk holds before every call."""

    def __init__(self, image: Path) -> None:
        super().__init__({})
        self.image = image
        self.kept: list[Path] = []

    def call(self, name: str, real: Any, *args: Any, **more: Any) -> Any:
        if name in CALLS:
            self.keep()
        return super().call(name, real, *args, **more)

    def keep(self) -> None:
        self.kept.append(self.image.with_suffix(f".{len(self.kept)}"))
        command = ["cp", "--sparse=always", "--reflink=auto", str(self.image), str(self.kept[-1])]
        subprocess.run(command, check=True)


def may_mount() -> bool:
    """Say whether this process may mount file systems."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("mkfs.ext4") is None:
        return False
    here = subprocess.run(["unshare", "--mount", "true"], check=False, capture_output=True)
    return here.returncode == 0


def formatted(image: Path, kind: str) -> None:
    """Make an empty file system of this kind in a file. Skip the test if the kind is not available."""
    if shutil.which(f"mkfs.{kind}") is None:
        pytest.skip(f"mkfs.{kind} is not installed")
    if not re.search(rf"\b{kind}$", Path("/proc/filesystems").read_text(encoding="ascii"), re.MULTILINE):
        pytest.skip(f"this kernel does not mount {kind}")
    size, options = FILE_SYSTEMS[kind]
    with image.open("wb") as file:
        file.truncate(size)
    subprocess.run([f"mkfs.{kind}", "-q", *options, str(image)], check=True, capture_output=True)


FILE_SYSTEMS = {
    "ext4": (4 << 20, []),
    "xfs": (300 << 20, []),  # the smallest it makes
    "btrfs": (32 << 20, ["--mixed"]),
}
mounts = pytest.mark.skipif(not may_mount(), reason="only root may mount")


@pytest.mark.heavy
@mounts
@together
@pytest.mark.parametrize("kind", FILE_SYSTEMS)
def test_a_file_system_cut_off_at_any_call_holds_the_old_or_the_new(
    kind: str, begun: Begun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The image is copied at that moment, so data that the file system had not written is lost."""
    monkeypatch.setattr(os, "fsync", importlib.import_module(os.name).fsync)  # which conftest.py replaces
    image = tmp_path / "disk"
    formatted(image, kind)
    with Mounted(image, tmp_path / "mnt", "-o", "loop") as at:
        folder = at / "campaign"
        shutil.copytree(begun.folder, folder)
        os.sync()
        system = CopyingSystem(image)
        said = attempt(folder, begun, system, monkeypatch)
        system.keep()
    assert said == "recorded"
    recorded = []
    for number, kept in enumerate(system.kept, 1):
        with Mounted(kept, tmp_path / "mnt", "-t", kind, "-o", "loop") as at:
            recorded.append(survey(at / "campaign", begun))
        kept.unlink()
        judge(said if number == len(system.kept) else "nothing said", recorded[-1])
    tried(f"images of {kind}, cut off at a call", len(recorded))
    assert recorded == sorted(recorded)
    assert recorded[0] is False


@pytest.mark.heavy
@mounts
@together
def test_a_disk_that_is_full_says_so_and_holds_the_old_or_the_new(
    begun: Begun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = []
    for free in range(12):
        with Mounted(Path("none"), tmp_path / "mnt", "-t", "tmpfs", "-o", "size=1m") as at:
            folder = at / "campaign"
            shutil.copytree(begun.folder, folder)
            filler = at / "filler"
            with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
                while True:
                    file.write(bytes(4096))
            os.truncate(filler, filler.stat().st_size - 4096 * free)
            told.append(attempt(folder, begun, os, monkeypatch))
            filler.unlink()
            judge(told[-1], survey(folder, begun))
            tried("disks that were full")
    assert told[0] == "refused"
    assert told[-1] == "recorded"
