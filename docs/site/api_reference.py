"""Reference of the Python library: a page for each public name, made from its docstring."""

from __future__ import annotations

import ast
import inspect
import re
from functools import cached_property
from typing import Any

from page_tree import PageTree
from pydantic import BaseModel
from site_links import PROJECT

import flexarm

FOLDER = "reference/python"
STUB = PROJECT / "flexarm" / "__init__.pyi"


class UndocumentedNamesError(Exception):
    """Public names, or public members of public classes, without a docstring."""


def public_names() -> dict[str, str]:
    """Public names in the order of the stub, each with the part of the package from which it comes."""
    tree = ast.parse(STUB.read_text())
    return {
        alias.name: (node.module or "").partition(".")[0]
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def api_reference(tree: PageTree) -> str:
    """Write the pages; return the name of their overview.

    Raises
    ------
    UndocumentedNamesError
        Some public name has no docstring.
    """
    names = public_names()
    if missing := [entry for name in names for entry in undocumented(name, getattr(flexarm, name))]:
        raise UndocumentedNamesError(", ".join(missing))
    themes: dict[str, list[str]] = {}
    for name, theme in names.items():
        themes.setdefault(theme, []).append(name)
        tree.write(f"{FOLDER}/{name}.rst", _page(name, getattr(flexarm, name)))
    tree.write(f"{FOLDER}/index.rst", _overview(themes))
    return f"{FOLDER}/index.rst"


def undocumented(name: str, public: Any) -> list[str]:
    """What of a public name has no docstring: itself, methods and properties, fields that the docstring leaves out."""
    if not inspect.getdoc(public):
        return [name]
    if not inspect.isclass(public):
        return []
    missing = []
    text = "\n".join(
        inspect.getdoc(base) or "" for base in public.__mro__[:-1] if base.__module__ != "builtins"
    )
    source = inspect.getsource(public)
    for member, value in vars(public).items():
        if member.startswith("_") or member == "model_config" or inspect.isclass(value):
            continue
        if callable(value) or isinstance(value, property | cached_property | classmethod | staticmethod):
            function = value.fget if isinstance(value, property) else getattr(value, "func", value)
            missing += [] if inspect.getdoc(function) else [f"{name}.{member}"]
    fields = [field for field in inspect.get_annotations(public) if not field.startswith("_")]
    if issubclass(public, BaseModel):
        return missing + [f"{name}.{field}" for field in fields if not public.model_fields[field].description]
    for field in fields:
        described = re.search(rf"\b{field}\b", text) or re.search(
            rf'^    {field}\b[^\n]*\n    """', source, re.MULTILINE
        )
        missing += [] if described else [f"{name}.{field}"]
    return missing


def _overview(themes: dict[str, list[str]]) -> str:
    text = (
        "Python\n======\n\nWhat ``import flexarm`` offers; each name is imported when it is first used. "
        ":doc:`From Python </guide/python>` shows the library by example.\n"
    )
    for theme, names in themes.items():
        title = theme.replace("_", " ").capitalize()
        text += f"\n{title}\n{'-' * len(title)}\n\n"
        for name in names:
            kind = "class" if inspect.isclass(getattr(flexarm, name)) else "func"
            first = (inspect.getdoc(getattr(flexarm, name)) or "").partition("\n\n")[0]
            text += f":{kind}:`~flexarm.{name}`\n   {' '.join(first.split())}\n\n"
    listed = "".join(f"   {name}\n" for names in themes.values() for name in names)
    return f"{text}\n.. toctree::\n   :hidden:\n\n{listed}"


def _page(name: str, public: Any) -> str:
    if not inspect.isclass(public):
        body = f".. autofunction:: flexarm.{name}\n"
    else:
        body = f".. autoclass:: flexarm.{name}\n   :members:\n"
        if issubclass(public, BaseModel):
            body = f"Its fields are the :doc:`keys of its description </reference/yaml/{name.lower()}>`.\n\n{body}"
            body += "   :exclude-members: model_config, model_post_init\n"
    return f"{name}\n{'=' * len(name)}\n\n{body}"
