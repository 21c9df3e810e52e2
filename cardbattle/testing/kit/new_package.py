"""Create the package of a new rule set, with a small complete game that the author then changes."""

from __future__ import annotations

import os
import re
from importlib import resources
from keyword import iskeyword
from string import Template
from typing import NamedTuple

from cardbattle.core.errors import InvalidInput
from cardbattle.core.names import clean, key_error, key_from, name_error, quoted
from cardbattle.files import disk
from cardbattle.rules import ALIASES, RULE_SETS, plug_ins

TEMPLATES = resources.files("cardbattle").joinpath("data", "new-rules")
FILES = {  # template by path in the new package, in which $package is the folder of the code
    "pyproject.toml": "pyproject.toml.txt",
    "$package/__init__.py": "__init__.py.txt",
    "$package/battle.py": "battle.py.txt",
    "$package/rules.md": "rules.md",
    "tests/test_conformance.py": "test_conformance.py.txt",
    "tests/test_rules.py": "test_rules.py.txt",
}


class NewPackage(NamedTuple):
    """The package of a new rule set.

    It has a folder, the key of the rule set, and a dictionary from paths in the folder to the texts of files.
    """

    folder: str
    key: str
    files: dict[str, str]


def new_package(name: str, folder: str = "", code: str = "") -> NewPackage:
    """Return the package of a new rule set.

    By default, `folder` is the key of the rule set, and `code` consists of the initials of the key. Raises
    InvalidInput if the key, the name of the Python package or the code is not valid, or if another rule set
    has this key.
    """
    key = key_of(name)
    package = key.replace("-", "_")
    values = {
        "name": name,
        "key": key,
        "package": package,
        "kind": "".join(word.capitalize() for word in package.split("_")),
        "code": code or initials(key),
    }
    if not re.fullmatch("[A-Z]{2,4}", values["code"]):
        raise InvalidInput(f"code: expected 2 to 4 capital letters, got {quoted(values['code'])}")
    files = {
        Template(place).substitute(values): Template(text_of(file)).substitute(values)
        for place, file in FILES.items()
    }
    return NewPackage(folder or key, key, files)


def key_of(name: str) -> str:
    """Derive the key of a rule set from the name of the game.

    Raises InvalidInput if the key is not valid, or if another rule set has this key.
    """
    if name_error(name):
        raise InvalidInput(f"name: {name_error(name)}")
    if set(name) & set('"\\{}'):
        raise InvalidInput(f"name: write {quoted(name)} without quotation marks, backslashes and braces")
    key = key_from(name).replace("_", "-")
    if key_error(key):
        raise InvalidInput(f"name: {key_error(key)}")
    if not key[0].isalpha() or iskeyword(key):
        raise InvalidInput(f"name: {quoted(name)} gives no Python package; begin it with another word")
    if key in RULE_SETS or key in ALIASES or key in plug_ins():
        raise InvalidInput(f"name: {quoted(key)} is a rule set already; write another name")
    return key


def initials(key: str) -> str:
    """Return the initials of the words in a key.

    If the key has only one word, return the first two letters of this word.

    >>> initials("push-of-pike"), initials("chess"), initials("the-very-long-siege-of-lille")
    ('POP', 'CH', 'TVLS')
    """
    words = [word for word in key.split("-") if word[:1].isalpha()]
    return ("".join(word[0] for word in words) if len(words) > 1 else words[0][:2]).upper()[:4]


def text_of(file: str) -> str:
    """Return the text of one template file."""
    return TEMPLATES.joinpath(file).read_text(encoding="utf-8")


def create_package(name: str, folder: str = "", code: str = "") -> NewPackage:
    """Write the package of a new rule set into a new folder.

    Raises InvalidInput in the same cases as `new_package`, and if the folder already contains files. Raises
    SystemFailure if the files cannot be written.
    """
    package = new_package(name, folder, code)
    if os.path.lexists(package.folder) and (not os.path.isdir(package.folder) or os.listdir(package.folder)):
        raise InvalidInput(f"{clean(package.folder)} exists already; name a new folder with --folder")
    for place, text in package.files.items():
        path = os.path.join(package.folder, *place.split("/"))
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
        except OSError as error:
            disk.refuse(path, error)
        disk.write_text(path, text)
    return package
