"""Source files of a module of flexarm and of all modules of flexarm that it imports, without importing any."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.util import resolve_name
from pathlib import Path

ROOT = Path(__file__).parents[3]
"""Folder that holds the package flexarm."""

# A statement begins a line; parsing all of the text would take ten times as long as reading it.
_FROM = re.compile(r"^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|(?:[^\n\\]|\\\n)*)", re.MULTILINE)
_IMPORT = re.compile(r"^[ \t]*import[ \t]+([\w., \t]+)", re.MULTILINE)


def source_files(module: str) -> list[Path]:
    """List the files that a module's code is made from: its own and, transitively, those that it imports."""
    found: dict[str, Path] = {}
    waiting = {module}
    while waiting:
        name = waiting.pop()
        path = _path(name)
        if path is not None:
            found[name] = path
            package = name if path.name == "__init__.py" else name.rpartition(".")[0]
            waiting |= set(_imports(path.read_text(encoding="utf-8"), package)) - found.keys()
    return sorted(found.values())


def _path(module: str) -> Path | None:
    """File of a module; none if it is not of flexarm, or if this is the name of something in a module."""
    if module.partition(".")[0] != "flexarm":
        return None
    place = ROOT.joinpath(*module.split("."))
    return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)


def _imports(text: str, package: str) -> Iterator[str]:
    """Names of all modules that a source text may import."""
    for names in _IMPORT.findall(text):
        yield from re.findall(r"[\w.]+", names)
    for module, names in _FROM.findall(text):
        module = resolve_name(module, package)
        yield module
        yield from (f"{module}.{name}" for name in re.findall(r"\w+", names))
