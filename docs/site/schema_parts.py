"""Parts of a description in its JSON Schema: models, their keys, and on which page each stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

UNIT = re.compile(r" \[([^\[\]]+)\]$")
DISCRIMINATORS = ("shape",)
SHARED = "shared"
"""Page of the models that several parts have."""


@dataclass(frozen=True)
class Key:
    """Key of a model.

    Attributes
    ----------
    model : str
        Name of the model in the schema; empty for the description as a whole.
    name : str
    node : dict
        Its schema.
    required : bool
    """

    model: str
    name: str
    node: dict[str, Any]
    required: bool

    @property
    def meaning(self) -> str:
        """Description without the unit."""
        return UNIT.sub("", self.node.get("description", ""))

    @property
    def unit(self) -> str:
        """Unit; empty where there is none."""
        found = UNIT.search(self.node.get("description", ""))
        return found[1] if found else ""


class Schema:
    """One kind of description.

    Parameters
    ----------
    kind : str
        Name of the page about the description as a whole.
    schema : dict
        JSON Schema.
    """

    def __init__(self, kind: str, schema: dict[str, Any]):
        self.kind = kind
        self._schema = schema

    def model(self, name: str) -> dict[str, Any]:
        """Schema of a model."""
        return self._schema["$defs"][name] if name else self._schema

    def keys(self, model: str) -> list[Key]:
        """Keys of a model, in the order of the schema."""
        found = self.model(model)
        required = found.get("required", ())
        return [
            Key(model, name, node, name in required) for name, node in found.get("properties", {}).items()
        ]

    @property
    def models(self) -> list[str]:
        """All models that have keys."""
        return [name for name in ("", *self._schema.get("$defs", {})) if self.model(name).get("properties")]

    def references(self, node: Any) -> Iterator[str]:
        """Models to which a schema leads directly, in order."""
        if isinstance(node, list):
            for item in node:
                yield from self.references(item)
        elif isinstance(node, dict):
            if "$ref" in node:
                yield node["$ref"].rsplit("/", 1)[1]
            for name, item in node.items():
                if name not in ("discriminator", "$defs"):
                    yield from self.references(item)

    @cached_property
    def parents(self) -> dict[str, Key]:
        """The key that leads to each model on the shortest path."""
        found: dict[str, Key] = {}
        waiting = [""]
        while waiting:
            for key in self.keys(waiting.pop(0)):
                for reference in self.references(key.node):
                    if reference not in found:
                        found[reference] = key
                        waiting.append(reference)
        return found

    @cached_property
    def paths(self) -> dict[str, str]:
        """Where each model stands, as ``links[].modes``: the shortest path to it."""
        found = {"": ""}
        for model, key in self.parents.items():
            found[model] = f"{found[key.model]}.{key.name}".lstrip(".") + _brackets(key.node)
        return found

    @cached_property
    def pages(self) -> dict[str, list[str]]:
        """Models by page: one for each key of the whole that has models of its own, and one for what several share."""
        if self.kind != "arm":
            return {self.kind: [model for model in self.paths if model in self.models]}
        reached: dict[str, list[str]] = {}
        for key in self.keys(""):
            for model in self._within(key.node):
                reached.setdefault(model, []).append(key.name)
        pages: dict[str, list[str]] = {self.kind: [""]}
        for key in self.keys(""):
            own = [model for model, names in reached.items() if names == [key.name] and model in self.models]
            if own:
                pages[key.name] = own
        pages[SHARED] = [model for model, names in reached.items() if len(names) > 1 and model in self.models]
        return pages

    def page_of(self, model: str) -> str:
        """Page on which a model stands."""
        return next(page for page, models in self.pages.items() if model in models)

    def _within(self, node: Any) -> list[str]:
        """Models to which a schema leads, also through others."""
        found: list[str] = []
        waiting = list(self.references(node))
        while waiting:
            model = waiting.pop(0)
            if model not in found:
                found.append(model)
                waiting += self.references(self.model(model).get("properties", {}))
        return found

    def entry(self, key: Key) -> str:
        """Name of a key in the reference: its path, with what tells apart models at the same place."""
        if self.kind != "arm":
            return f"{self.kind}: {self.paths[key.model]}.{key.name}".replace(": .", ": ")
        if self.page_of(key.model) == SHARED:
            return f"{self.title(key.model)}.{key.name}"
        path = f"{self.paths[key.model]}.{key.name}".lstrip(".")
        same = [
            model
            for model, place in self.paths.items()
            if place == self.paths[key.model] and model != key.model
        ]
        if not any(key.name in self.model(model).get("properties", {}) for model in same):
            return path
        return f"{path} ({self.title(key.model)})"

    def title(self, model: str) -> str:
        """What a model is called: its kind where keys choose among several, else its name in words."""
        for name in DISCRIMINATORS:
            if kind := self.model(model).get("properties", {}).get(name, {}).get("const"):
                return kind
        return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", model.lstrip("_")).lower()


def _brackets(node: Any) -> str:
    """Brackets behind a key that has a list, a dot and a name behind one that has a mapping of names."""
    options = [node, *node.get("anyOf", [])]
    if any("items" in option and "prefixItems" not in option for option in options):
        return "[]"
    return ".NAME" if any(isinstance(option.get("additionalProperties"), dict) for option in options) else ""
