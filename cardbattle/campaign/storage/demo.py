"""The sample campaign that comes with the program. The command `demo` copies it."""

from __future__ import annotations

import os
from importlib import resources

from cardbattle.campaign.state import schema
from cardbattle.core.errors import InvalidInput
from cardbattle.core.names import clean
from cardbattle.files import disk


def copy_to(folder: str) -> str:
    """Copy the sample campaign into a folder that does not exist yet, and return the folder's path.

    Raises InvalidInput if the folder exists, and SystemFailure if it cannot be written.
    """
    if os.path.lexists(folder):
        raise InvalidInput(f"{clean(folder)} exists already; name a new folder")
    try:
        os.makedirs(folder)
        for file in resources.files("cardbattle").joinpath("data", "demo").iterdir():
            with open(os.path.join(folder, file.name), "xb") as copy:
                copy.write(file.read_bytes())
        schema.put_into(folder)
    except OSError as error:
        disk.refuse(folder, error)
    return os.path.abspath(folder)
