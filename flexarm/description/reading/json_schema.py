"""JSON Schema of input files as they are typed, and the keys and descriptions in it."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import cache
from typing import Any

from flexarm.description.arm.arm import Arm
from flexarm.description.reading.yaml_text import has_entry
from flexarm.description.values.input_model import InputModel, KeyPath


def arm_json_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of arm descriptions; every key has its meaning and unit."""
    return copy.deepcopy(_schema(Arm))


def trajectory_json_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of trajectories."""
    from flexarm.description.motion.trajectory import Trajectory  # arms are read quicker without

    return copy.deepcopy(_schema(Trajectory))


@cache
def _schema(model: type[InputModel]) -> dict[str, Any]:
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **model.model_json_schema()}
    _tidy(schema)
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
        return list(found)

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

    def _at(self, path: KeyPath) -> list[dict[str, Any]]:
        """Schemas, alternatives side by side, that apply at `path`."""
        data = self._document
        nodes = list(self._alternatives(self._schema, data))
        for part in path:
            steps = (
                node.get("items") if isinstance(part, int) else node.get("properties", {}).get(part)
                for node in nodes
            )
            data = data[part] if has_entry(data, part) else None  # type: ignore[index]
            nodes = [end for step in steps if step is not None for end in self._alternatives(step, data)]
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
