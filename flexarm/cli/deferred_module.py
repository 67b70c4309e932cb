"""Modules that other packages import at their start, and hardly ever use, loaded when they are used."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any


def defer(name: str, *functions: str) -> None:
    """Put a module in the place of ``package.module`` that loads it when something of it is used.

    Nothing is done if it is loaded already, or if there is none. :class:`importlib.util.LazyLoader` will not do: the
    statement ``import`` itself asks for an attribute of the module.

    Parameters
    ----------
    name : str
    functions : str
        Those that may be imported by their names; it is loaded when one of them is called. To ask for anything else
        loads it at once.
    """
    spec = None if name in sys.modules else find_spec(name)
    if spec is None:
        return
    package, _, own_name = name.rpartition(".")
    module = ModuleType(name)
    module.__spec__ = spec
    if spec.submodule_search_locations is not None:
        module.__path__ = spec.submodule_search_locations

    def attribute(wanted: str) -> Any:
        if wanted.startswith("__"):  # what the import system looks for
            raise AttributeError(wanted)
        if sys.modules.get(name) is module:
            del sys.modules[name]
        return getattr(import_module(name), wanted)

    def deferred(function: str) -> Any:
        return lambda *arguments, **options: attribute(function)(*arguments, **options)

    vars(module).update({function: deferred(function) for function in functions}, __getattr__=attribute)
    sys.modules[name] = module
    setattr(sys.modules[package], own_name, module)
