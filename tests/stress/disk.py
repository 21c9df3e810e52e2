"""A disk in memory: names and files, and what of them a power cut leaves."""

from __future__ import annotations

import posixpath
from random import Random

from tests.support.faults import halves

FOLDER = "/campaign"


class Inode:
    """A file: what it holds now, and what of it is certain to outlive a power cut."""

    def __init__(self, content: bytes = b"") -> None:
        self.now = content
        self.safe = content


class Disk:
    """The current names and files, and their state after a power cut."""

    def __init__(self) -> None:
        self.files: dict[str, Inode] = {}
        self.folders = {"/", FOLDER}
        self.safe_files: dict[str, Inode] = {}
        self.safe_folders = {"/", FOLDER}
        self.unsynced: list[tuple[str, str, str, Inode | None]] = []

    def put(self, path: str, content: bytes) -> None:
        """Write a file whole and for certain, as an editor of the old school."""
        self.files[path] = self.safe_files[path] = Inode(content)
        self.unsynced = [one for one in self.unsynced if path not in one[1:3]]

    def link(self, path: str, inode: Inode) -> None:
        """Give a file a name."""
        self.files[path] = inode
        self.unsynced.append(("link", path, path, inode))

    def mkdir(self, path: str) -> None:
        """Make a folder."""
        self.folders.add(path)
        self.unsynced.append(("mkdir", path, path, None))

    def move(self, source: str, target: str) -> None:
        """Rename a file, and replace a file with the new name."""
        inode = self.files.pop(source)
        self.files[target] = inode
        self.unsynced.append(("move", source, target, inode))

    def exchange(self, one: str, other: str) -> None:
        """Let two files change names."""
        self.files[one], self.files[other] = self.files[other], self.files[one]
        self.unsynced += [("set", name, name, self.files[name]) for name in (one, other)]

    def unlink(self, path: str) -> None:
        """Take a name away."""
        del self.files[path]
        self.unsynced.append(("unlink", path, path, None))

    def sync_folder(self, folder: str) -> None:
        """Make the names in a folder certain."""
        rest = []
        for one in self.unsynced:
            if posixpath.dirname(one[2]) == folder:
                self.make_safe(*one)
            else:
                rest.append(one)
        self.unsynced = rest

    def make_safe(self, kind: str, path: str, target: str, inode: Inode | None) -> None:
        """Carry a change of names out where a power cut cannot undo it."""
        if kind == "mkdir":
            self.safe_folders.add(path)
        elif inode is None or kind == "move":
            self.safe_files.pop(path, None)
        if inode is not None:
            self.safe_files[target] = inode

    def cut_power(self, chance: Random) -> None:
        """Keep what was synced, and a random part of the rest."""
        for one in self.unsynced:
            if chance.random() < 0.5:
                self.make_safe(*one)
        self.unsynced = []
        self.folders = set(self.safe_folders)
        self.safe_files = {
            path: inode for path, inode in self.safe_files.items() if posixpath.dirname(path) in self.folders
        }
        self.files = dict(self.safe_files)
        for inode in self.files.values():
            if inode.now != inode.safe:
                inode.now = inode.safe = chance.choice(halves(inode.safe, inode.now))
