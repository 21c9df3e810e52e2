"""Pickle and copy compiled classes, and interpreted subclasses of compiled classes.

A compiled class keeps its fields outside `__dict__`. A subclass that is written in plain Python keeps the
fields that it adds in `__dict__`. `state_of` collects both kinds of fields.

Objects are pickled in one of two ways:

- If the constructor can rebuild the object, the class has a method `__reduce__` that returns the arguments of
  the constructor.
- Any other object is created without fields, and then its fields are set. A compiled class needs the
  decorator `@mypyc_attr(allow_interpreted_subclasses=True)` for this. Without the decorator, `__new__` of the
  compiled class would call `__init__`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping


def state_of(instance: object) -> dict[str, object]:
    """Return the fields of an object by name. The class of the object can be compiled or interpreted."""
    names = [name for name in getattr(type(instance), "__mypyc_attrs__", ()) if name != "__dict__"]
    compiled = {name: getattr(instance, name) for name in names if hasattr(instance, name)}
    return {**compiled, **getattr(instance, "__dict__", {})}


def restore(instance: object, state: Mapping[str, object]) -> None:
    """Set the fields of an object that has no fields yet to the values that `state_of` returned."""
    for name, value in state.items():
        setattr(instance, name, value)


def global_name(instance: object) -> str:
    """Return the name of the global variable that holds an object in the module of the object's class.

    The name is empty if no variable holds the object.
    """
    module = sys.modules.get(type(instance).__module__)
    return next((name for name, value in vars(module).items() if value is instance), "") if module else ""
