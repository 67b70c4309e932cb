"""JSON Schema of input files as they are typed, and the keys and descriptions in it."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import cache
from typing import Any, Literal

from flexarm.description.arm.arm import Arm
from flexarm.description.reading.yaml_files.yaml_document import has_entry
from flexarm.description.reading.yaml_files.yaml_reader import MOST_REPETITIONS, REPEAT, REPEAT_TEXT, REPEATED
from flexarm.description.values.input_model import InputModel, KeyPath

_CHOSEN = {"const", "enum", "pattern"}
"""Keywords of texts that are not free."""
_FORMULA = {
    "type": "string",
    "pattern": r"^(?!.*[\w.)]\s+[\w.(])\s*[\w.+(-]([\w\s.+*/(),-]*[\w.)])?\s*$",
    "examples": ["2*depth"],
}
"""Expression of parameters in the place of a number; a pattern of its characters."""


def arm_json_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of arm descriptions; every key has its meaning and unit."""
    return _with_repeat(_with_formulas(_schema(Arm)))


def trajectory_json_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of trajectories."""
    from flexarm.description.motion.trajectory import Trajectory  # arms are read quicker without

    return _with_formulas(_schema(Trajectory))


@cache
def _schema(model: type[InputModel]) -> dict[str, Any]:
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **model.model_json_schema()}
    _tidy(schema)
    return _with_repeat(schema) if model is Arm else schema


def _with_repeat(schema: dict[str, Any]) -> dict[str, Any]:
    """Add, in place, the key of which the models know nothing, since the reader writes it out."""
    count = {"type": "integer", "minimum": 1, "maximum": MOST_REPETITIONS, "description": REPEAT_TEXT}
    for (name,) in REPEATED:
        items = schema["properties"][name]["items"]
        for option in items.get("anyOf", [items]):
            if "$ref" in option:
                schema["$defs"][option["$ref"].rsplit("/", 1)[1]]["properties"][REPEAT] = dict(count)
    return schema


def _tidy(node: Any) -> None:
    """Remove titles, which repeat a key's name, and all but the first paragraph of descriptions."""
    if isinstance(node, list):
        for item in node:
            _tidy(item)
    elif isinstance(node, dict):
        if isinstance(node.get("title"), str):
            del node["title"]
        if isinstance(node.get("description"), str):
            node["description"] = node["description"].partition("\n\n")[0].replace("``", "'")
        for item in node.values():
            _tidy(item)


def _with_formulas(node: Any) -> Any:
    """Copy of a schema in which an expression may stand for every number."""
    if isinstance(node, list):
        return [_with_formulas(item) for item in node]
    if not isinstance(node, dict):
        return copy.deepcopy(node)
    found = {name: _with_formulas(item) for name, item in node.items()}
    if found.get("type") not in ("number", "integer"):
        return found
    about = {name: found.pop(name) for name in ("description", "default") if name in found}
    return {"anyOf": [found, dict(_FORMULA)], **about}


class SchemaGuide:
    """Keys and descriptions in the JSON Schema, by the path of a key."""

    def __init__(self, document: Any, model: type[InputModel]) -> None:
        self._schema = _schema(model)
        self._document = document

    def keys(self, path: KeyPath) -> list[str]:
        """All keys that may stand in the mapping at `path`."""
        found: dict[str, None] = {}
        for node in self._at(path):
            found |= dict.fromkeys(node.get("properties", {}))
            if "additionalProperties" in node and isinstance(here := self._typed(path), dict):
                found |= dict.fromkeys(here if node["additionalProperties"] else ())
        return list(found)

    def numeric_kind(self, path: KeyPath, text: str) -> Literal["number", "whole", "signal"] | None:
        """Kind of number for which a text may stand at `path`; None where that is no place of a number."""
        options = self._at(path)
        types = {option.get("type") for option in options}
        if not types & {"number", "integer"}:
            return None
        if any(text == option.get("const") or text in option.get("enum", ()) for option in options):
            return None
        if any(option.get("type") == "string" and not option.keys() & _CHOSEN for option in options):
            return "signal"
        return "number" if "number" in types else "whole"

    def description(self, path: KeyPath) -> str:
        """Meaning and unit of the key at `path`; empty where the schema has none."""
        while path and isinstance(path[-1], int):
            path = path[:-1]
        if not path:
            return ""
        for parent in self._at(path[:-1]):
            entry = parent.get("properties", {}).get(path[-1])
            if entry is not None:
                return entry.get("description", "")
        return ""

    def _typed(self, path: KeyPath) -> Any:
        data = self._document
        for part in path:
            data = data[part] if has_entry(data, part) else None  # type: ignore[index]
        return data

    def _at(self, path: KeyPath) -> list[dict[str, Any]]:
        """Schemas, alternatives side by side, that apply at `path`."""
        data = self._document
        nodes = list(self._alternatives(self._schema, data))
        for part in path:
            steps = (
                node.get("items")
                if isinstance(part, int)
                else node.get("properties", {}).get(part, node.get("additionalProperties"))
                for node in nodes
            )
            data = data[part] if has_entry(data, part) else None  # type: ignore[index]
            nodes = [
                end for step in steps if isinstance(step, dict) for end in self._alternatives(step, data)
            ]
        return nodes

    def _alternatives(self, node: dict[str, Any], data: Any) -> Iterator[dict[str, Any]]:
        """The schemas among which `node` lets choose, without those for another kind of `data`."""
        if "$ref" in node:
            yield from self._alternatives(self._schema["$defs"][node["$ref"].rsplit("/", 1)[1]], data)
        for name in ("anyOf", "oneOf"):
            for option in node.get(name, []):
                yield from self._alternatives(option, data)
        kinds = {
            name: entry["const"] for name, entry in node.get("properties", {}).items() if "const" in entry
        }
        if isinstance(data, dict) and any(data.get(name, kind) != kind for name, kind in kinds.items()):
            return
        yield node
