"""Where keys of descriptions are explained in the guide, and which shipped arms have them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any

import yaml
from guide_sections import Section, guide_sections
from schema_parts import Schema
from schemas import schemas
from site_links import PROJECT

EXPLAINS, SHOWS = 4, 1
"""How much it counts that a section names a key in its text, and that a description in it has the key."""
MOST = 3
"""Sections, and arms, that are listed for a key."""

Owner = tuple[str, str, str]
"""Kind of description, model and key."""


def explained_in(owner: Owner) -> list[Section]:
    """Sections of the guide that say most about a key, in the order of the guide.

    Of a key that none mentions those of the key that leads to it, or the one about the description as a whole.
    """
    counts = _mentions().get(owner, Counter())
    kind, model, _ = owner
    if not counts and model:
        parent = schemas()[kind].parents[model]
        return explained_in((kind, parent.model, parent.name))
    if not counts:
        whole = sum(
            (_mentions().get((kind, "", key.name), Counter()) for key in schemas()[kind].keys("")), Counter()
        )
        counts = Counter(dict(whole.most_common(1)))
    best = sorted(counts, key=lambda number: -counts[number])[:MOST]
    return [guide_sections()[number] for number in sorted(best)]


def shown_by(owner: Owner) -> list[str]:
    """Shipped arms that have a key, those first that have few others."""
    return _arms().get(owner, [])[:MOST]


@cache
def _mentions() -> dict[Owner, Counter[int]]:
    found: dict[Owner, Counter[int]] = defaultdict(Counter)
    for number, section in enumerate(guide_sections()):
        for language, code in section.blocks:
            for owner in set(_owners_in_yaml(code)) if language == "yaml" else ():
                found[owner][number] += SHOWS
        for span in section.spans:
            for owner in set(_owners_in_span(span)):
                found[owner][number] += EXPLAINS
    return found


@cache
def _arms() -> dict[Owner, list[str]]:
    paths = sorted((PROJECT / "robots").glob("*.yaml"), key=lambda path: (path.stat().st_size, path))
    found: dict[Owner, list[str]] = defaultdict(list)
    for path in paths:
        for owner in dict.fromkeys(_walk(schemas()["arm"], "", yaml.safe_load(path.read_text()))):
            found[owner].append(path.stem)
    return found


def _owners_in_yaml(code: str) -> Iterator[Owner]:
    try:
        data = yaml.safe_load(code)
    except yaml.YAMLError:
        return
    if isinstance(data, dict):
        yield from _walk(_schema_of(data), "", data)


def _schema_of(data: dict[str, Any]) -> Schema:
    """The kind of description whose keys these are, above all."""
    return max(
        schemas().values(), key=lambda schema: len(data.keys() & {key.name for key in schema.keys("")})
    )


def _owners_in_span(span: str) -> Iterator[Owner]:
    """Keys that a piece of code in the text means: typed with a value, by a dotted path, or by a name of their own."""
    if re.fullmatch(r"[\w.\[\]*]+:?", span):
        yield from _owners_by_path([part for part in re.split(r"[.\[\]*\d]+", span.rstrip(":")) if part])
    elif re.match(r"\w+: ", span):
        try:
            data = yaml.safe_load(re.sub(r"\.\.+", "", span))
        except yaml.YAMLError:
            return
        for name, value in data.items() if isinstance(data, dict) else ():
            owners = _owners_of(str(name))
            if size := _size(value):
                inner = [
                    owner for owner in owners if len(list(_values(schemas()[owner[0]], owner, value))) == size
                ]
                owners = inner[:1] if inner else owners
            if len(owners) == 1:
                yield owners[0]
                yield from _values(schemas()[owners[0][0]], owners[0], value)


def _size(value: Any) -> int:
    """Number of keys in a value."""
    if isinstance(value, dict):
        return sum(1 + _size(item) for item in value.values())
    return sum(map(_size, value)) if isinstance(value, list) else 0


def _owners_by_path(parts: list[str]) -> Iterator[Owner]:
    """Owners of the last part of a dotted path, if the parts before leave one only."""
    if not parts:
        return
    owners = _owners_of(parts[-1])
    for kind, model, name in owners:
        place = schemas()[kind].paths[model].replace("[]", "").replace(".NAME", "").split(".")
        if len(parts) > 1 and place[-len(parts) + 1 :] == parts[:-1]:
            yield kind, model, name
    if len(owners) == 1 and len(parts) == 1:
        yield owners[0]


@cache
def _all_owners() -> dict[str, list[Owner]]:
    found: dict[str, list[Owner]] = defaultdict(list)
    for kind, schema in schemas().items():
        for model in schema.models:
            for key in schema.keys(model):
                found[key.name].append((kind, model, key.name))
    return found


def _owners_of(name: str) -> list[Owner]:
    return _all_owners().get(name, [])


def _walk(schema: Schema, model: str, data: dict[str, Any]) -> Iterator[Owner]:
    """All keys of a mapping that a model describes, and of what is in it."""
    for key in schema.keys(model):
        if key.name in data:
            owner = schema.kind, model, key.name
            yield owner
            yield from _values(schema, owner, data[key.name])


def _values(schema: Schema, owner: Owner, value: Any) -> Iterator[Owner]:
    """Keys in the value of a key: of the models that it may be, that which knows most of them."""
    node = schema.model(owner[1])["properties"][owner[2]]
    models = list(dict.fromkeys(schema.references(node)))
    for data in _mappings(value):
        fitting = [model for model in models if data.keys() <= {key.name for key in schema.keys(model)}]
        fitting = [model for model in fitting if _kind_fits(schema, model, data)]
        if fitting:
            yield from _walk(schema, fitting[0], data)


def _mappings(value: Any) -> Iterator[dict[str, Any]]:
    """The mappings of which a value consists: itself, those of a list, or those behind names."""
    if isinstance(value, list):
        for item in value:
            yield from _mappings(item)
    elif isinstance(value, dict):
        yield value
        yield from (item for item in value.values() if isinstance(item, dict))


def _kind_fits(schema: Schema, model: str, data: dict[str, Any]) -> bool:
    """Whether constants of a model are those of the data."""
    constants = {key.name: key.node["const"] for key in schema.keys(model) if "const" in key.node}
    return all(data.get(name, value) == value for name, value in constants.items())
