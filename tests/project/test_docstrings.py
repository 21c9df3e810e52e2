"""Everything that a user of the library can import has a docstring."""

import importlib
import inspect
from collections.abc import Iterator

import pytest

PUBLIC_MODULES = ["cardbattle", "cardbattle.aio", "cardbattle.plugin", "cardbattle.testing"]


def public_objects(module_name: str) -> Iterator[tuple[str, object]]:
    """Yield each exported class and function, and the public methods that its class defines itself."""
    module = importlib.import_module(module_name)
    for name in module.__all__:
        exported = getattr(module, name)
        if not (inspect.isclass(exported) or inspect.isroutine(exported)):
            continue
        yield name, exported
        if inspect.isclass(exported):
            for attribute, value in vars(exported).items():
                is_member = inspect.isroutine(value) or isinstance(value, property)
                if is_member and not attribute.startswith("_"):
                    yield f"{name}.{attribute}", value


@pytest.mark.parametrize("module_name", PUBLIC_MODULES)
def test_every_public_object_has_a_docstring(module_name: str) -> None:
    objects = list(public_objects(module_name))

    assert len(objects) >= 4
    assert [name for name, value in objects if not inspect.getdoc(value)] == []
