"""Pickle and copy the classes that are compiled or have interpreted subclasses.

A compiled class keeps its fields outside `__dict__`, a subclass in plain Python keeps its own fields inside
it; `state_of` collects both. A class of the battle machine pickles in one of two ways:

- A value that its constructor rebuilds has a `__reduce__` that names the arguments.
- Any other class is created empty and then given its fields. Compiled, this needs
  `@mypyc_attr(allow_interpreted_subclasses=True)`: `__new__` of any other compiled class calls `__init__`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping


def state_of(instance: object) -> dict[str, object]:
    """Return an object's fields by name, whether its class is compiled or not."""
    names = [name for name in getattr(type(instance), "__mypyc_attrs__", ()) if name != "__dict__"]
    compiled = {name: getattr(instance, name) for name in names if hasattr(instance, name)}
    return {**compiled, **getattr(instance, "__dict__", {})}


def restore(instance: object, state: Mapping[str, object]) -> None:
    """Set the fields that `state_of` returned on an empty object."""
    for name, value in state.items():
        setattr(instance, name, value)


def global_name(instance: object) -> str:
    """Return the name of the global variable that holds an object in the module of its class, or ""."""
    module = sys.modules.get(type(instance).__module__)
    return next((name for name, value in vars(module).items() if value is instance), "") if module else ""
