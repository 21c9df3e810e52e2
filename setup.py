"""Compile the rules where a C compiler and mypyc are there; leave them plain Python where not.

Only a wheel is compiled: an editable install runs the sources as they are, so that no stale
binary can hide a change.
"""

from __future__ import annotations

import gzip
import os
import shlex
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

BUILDS = {"bdist_wheel", "build", "build_ext", "install"}
CORE = ["battle", "cards", "chance", "numeric/matrix_game", "referee", "setup", "spelling"]
RULES = [
    "battle",
    "box",
    "choices",
    "dealing",
    "duel",
    "ending",
    "knowledge",
    "scene",
    "seasoned",
    "solver",
    "state",
    "tactics",
]
OTHERS = [
    "cardbattle/commanders/ranks.py",
    "cardbattle/commanders/search.py",
    "cardbattle/commanders/rollout.py",
    "cardbattle/battles/resolve.py",
    "cardbattle/engines/description.py",
    "cardbattle/simulation/counting.py",
]
PAGES = [  # the parts of a battle's page that gain most, for sites of thousands of battles
    "cardbattle/battles/records/record_reader.py",
    "cardbattle/battles/records/visible_steps.py",
    "cardbattle/files/reader.py",
    "cardbattle/show/battle_text.py",
    "cardbattle/show/board_changes.py",
    "cardbattle/show/writers/battle_html.py",
    "cardbattle/show/writers/replay_html.py",
    "cardbattle/story/language.py",
    "cardbattle/story/teller.py",
]
TYPES = ["--ignore-missing-imports", "--follow-imports=silent"]  # where it is built nothing else is installed
TIME = int(os.environ.get("SOURCE_DATE_EPOCH", "315532800"))  # of files in the source distribution: 1980
OPT_LEVEL = os.environ.get("CARDBATTLE_OPT_LEVEL", "3")  # of the C compiler; a low one builds faster
FLAGS = [
    "-Wno-all",  # looking for mistakes in generated code takes more time than compiling it
    "-fvisibility=hidden",  # calls inside the group go straight
    "-fno-semantic-interposition",
    "-ffp-contract=off",  # a sum of products is rounded twice, as Python does it
]


def modules() -> list[str]:
    """Return the files to compile, as one group so that they call each other directly.

    No `__init__.py` is among them: the shared library lies in the package, and mypyc would take its
    folder for that of a compiled package.
    """
    core = [f"cardbattle/core/{name}.py" for name in CORE]
    rules = sorted(
        path.as_posix() for name in RULES for path in Path("cardbattle/rules").glob(f"*/{name}.py")
    )
    return [*core, *rules, *OTHERS, *PAGES]


def compiles() -> bool:
    """Return False if a small file with the headers of Python does not compile, before mypyc spends minutes.

    On Windows, where compilers are found in another way, return True.
    """
    if sys.platform == "win32":
        return True
    command = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "trial.c"
        source.write_text("#include <Python.h>\n")
        include = f"-I{sysconfig.get_path('include')}"
        try:
            tried = subprocess.run(
                [*command, include, "-c", str(source), "-o", str(source.with_suffix(".o"))],
                capture_output=True,
            )
        except OSError:
            return False
    return tried.returncode == 0


def extensions() -> list[Extension]:
    """Return the extensions to compile; none without a wheel to build or mypyc, or if they are unwanted."""
    if not BUILDS & set(sys.argv) or os.environ.get("CARDBATTLE_PURE"):
        return []
    if not compiles():
        print("cardbattle: no C compiler with the headers of Python; the rules stay plain Python")
        return []
    try:
        from mypyc.build import mypycify
    except ImportError:
        print("cardbattle: mypyc is not there; the rules stay plain Python")
        return []
    try:
        compiled: list[Extension] = mypycify(
            [*TYPES, *modules()], opt_level=OPT_LEVEL, debug_level="0", group_name="cardbattle._compiled"
        )
    except (Exception, SystemExit) as error:  # a later mypyc may find fault with what this one takes
        print(f"cardbattle: mypyc refuses; the rules stay plain Python: {str(error)[:200]}")
        return []
    if sys.platform == "linux":
        for extension in compiled:
            extension.extra_compile_args = [*extension.extra_compile_args, *FLAGS]
    return compiled


class Optional(build_ext):
    """Builds the extensions, or none of them where the compiler fails."""

    def run(self) -> None:
        """Build; what fails is told and left out."""
        try:
            super().run()
        except Exception as error:  # whatever a compiler or its absence may raise
            print(f"cardbattle: not compiled, the rules stay plain Python: {str(error)[:200]}")
            for extension in self.extensions:
                Path(self.get_ext_fullpath(extension.name)).unlink(missing_ok=True)
            self.extensions = []
            self.call_it_plain()

    def call_it_plain(self) -> None:
        """Let the wheel be one of plain Python, for any system, by its name and where it puts its files."""
        self.distribution.ext_modules = []
        wheel = self.distribution.get_command_obj("bdist_wheel", create=False)
        if wheel is not None:
            wheel.root_is_pure = True


class ReproducibleSdist(sdist):
    """Writes the source distribution so that the same files always give the same bytes."""

    def make_archive(self, base_name: str, format: str, *places: object, **more: object) -> str:
        """Write the archive: files in order, with one time, one owner, and only the executable bit."""
        if format != "gztar":
            return str(super().make_archive(base_name, format, *places, **more))
        path = f"{base_name}.tar.gz"
        files = sorted(file for file in Path(self.distribution.get_fullname()).rglob("*") if file.is_file())
        with (
            open(path, "wb") as raw,
            gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=TIME) as packed,
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
        ):
            for file in files:
                archive.add(file, file.as_posix(), filter=normalised)
        return path


def normalised(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Return an entry of the archive without what differs from one machine to the next."""
    member.mtime, member.mode = TIME, 0o755 if member.mode & 0o100 else 0o644
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


setup(ext_modules=extensions(), cmdclass={"build_ext": Optional, "sdist": ReproducibleSdist})
