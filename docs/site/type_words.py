"""Types of the JSON Schema in words, as Markdown."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

SHORT = {"number": "number", "integer": "whole number", "string": "text", "boolean": "true or false"}
LARGEST = 1e9
"""Bounds beyond are there against misuse and tell a reader nothing."""


def type_words(node: dict[str, Any], link: Callable[[str], str]) -> str:
    """Say what may stand for a key; that an expression may stand for a number is left out.

    Parameters
    ----------
    node : dict
        Its schema.
    link : callable
        From the name of a model to a link to it.
    """
    return " or ".join(dict.fromkeys(_options(node, link))) or "anything"


def default_words(value: Any) -> str:
    """A default as one types it in YAML; empty for none, and for that of a model, which stands at its keys."""
    if value in (None, []) or isinstance(value, dict):
        return ""
    return f"`{value}`" if isinstance(value, str) else f"`{json.dumps(value)}`"


def _options(node: dict[str, Any], link: Callable[[str], str]) -> list[str]:
    for name in ("anyOf", "oneOf"):
        if name in node:
            return [words for option in node[name] for words in _options(option, link)]
    if "$ref" in node:
        return [link(node["$ref"].rsplit("/", 1)[1])]
    if "const" in node:
        return [f"`{node['const']}`"]
    if "enum" in node:
        return [f"`{value}`" for value in node["enum"]]
    kind = node.get("type", "anything")
    if kind == "null" or "examples" in node:  # an expression in the place of a number
        return []
    if kind == "array":
        return [_list(node, link)]
    if kind == "object":
        inner = node.get("additionalProperties")
        return [f"names, each with {type_words(inner, link)}" if isinstance(inner, dict) else "mapping"]
    return [SHORT.get(kind, kind) + _range(node)]


def _range(node: dict[str, Any]) -> str:
    """Bounds of a number."""
    low, high = node.get("minimum"), node.get("maximum")
    high = high if high is not None and high < LARGEST else None
    if low is not None and high is not None:
        return f" from {low:g} to {high:g}"
    signs = {"≥": low, ">": node.get("exclusiveMinimum"), "≤": high, "<": node.get("exclusiveMaximum")}
    return " and".join(
        f" {sign} {bound:g}" for sign, bound in signs.items() if bound is not None and bound < LARGEST
    )


def _list(node: dict[str, Any], link: Callable[[str], str]) -> str:
    if "prefixItems" in node:
        return "[" + ", ".join(type_words(item, link) for item in node["prefixItems"]) + "]"
    least, most = node.get("minItems", 0), node.get("maxItems")
    count = f" of {most}" if least == most else f" of at least {least}" if least > 1 else ""
    return f"list{count}: {type_words(node.get('items', {}), link)}"
