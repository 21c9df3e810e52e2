"""Compile the rules where a C compiler and mypyc are there; leave them plain Python where not.

Only a wheel is compiled: an editable install runs the sources as they are, so that no stale
binary can hide a change.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

BUILDS = {"bdist_wheel", "build", "build_ext", "install"}
CORE = ["battle", "cards", "chance", "numeric/lanes", "numeric/matrix_game", "referee", "setup"]
RULES = [
    "evaluation",
    "battle",
    "box",
    "choices",
    "dealing",
    "ending",
    "knowledge",
    "learned",
    "seasoned",
    "solver",
    "state",
    "tactics",
]
COUNTING = [
    "cardbattle/commanders/ranks.py",
    "cardbattle/commanders/search.py",
    "cardbattle/commanders/rollout.py",
    "cardbattle/battles/resolve.py",
    "cardbattle/simulation/counting.py",
]
TYPES = ["--ignore-missing-imports", "--follow-imports=silent"]  # where it is built nothing else is installed
OPT_LEVEL = os.environ.get("CARDBATTLE_OPT_LEVEL", "3")  # of the C compiler; a low one builds faster
FLAGS = [
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
    return [*core, *rules, *COUNTING]


def extensions() -> list[Extension]:
    """Return what is to be compiled; nothing where a wheel is not asked for or mypyc is missing."""
    if not BUILDS & set(sys.argv):
        return []
    try:
        from mypyc.build import mypycify
    except ImportError:
        print("cardbattle: mypyc is not there; the rules stay plain Python")
        return []
    try:
        compiled: list[Extension] = mypycify(
            [*TYPES, *modules()], opt_level=OPT_LEVEL, group_name="cardbattle._compiled"
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


setup(ext_modules=extensions(), cmdclass={"build_ext": Optional})
