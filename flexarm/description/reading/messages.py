"""Messages about bad input: pydantic's errors -> problems with file, line, key, value found and value expected."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from pydantic import ValidationError

from flexarm.description.reading.json_schema import SchemaGuide
from flexarm.description.reading.left_out import left_out
from flexarm.description.reading.yaml_files.yaml_document import Document, has_entry
from flexarm.description.values.expression import Expression, shorten
from flexarm.description.values.input_model import InputModel, KeyPath, dotted
from flexarm.errors import InputProblem
from flexarm.hints import did_you_mean

MOST_PLACES = 3
"""Places of a key that a hint names where it was typed in another one."""

EXPECTED: dict[str, Callable[[dict[str, Any]], str]] = {
    "float_type": lambda ctx: "a number",
    "int_type": lambda ctx: "a whole number",
    "finite_number": lambda ctx: "a finite number",
    "bool_type": lambda ctx: "true or false",
    "string_type": lambda ctx: "text",
    "greater_than": lambda ctx: f"a number > {ctx['gt']:g}",
    "greater_than_equal": lambda ctx: f"a number >= {ctx['ge']:g}",
    "less_than": lambda ctx: f"a number < {ctx['lt']:g}",
    "less_than_equal": lambda ctx: f"a number <= {ctx['le']:g}",
    "tuple_type": lambda ctx: "a list",
    "model_type": lambda ctx: "keys and values",
    "model_attributes_type": lambda ctx: "keys and values",
    "dict_type": lambda ctx: "keys and values",
    "string_too_long": lambda ctx: f"at most {ctx['max_length']} characters",
    "string_pattern_mismatch": lambda ctx: "letters, digits, '-', '_' and '.' only",
    "literal_error": lambda ctx: _one_of(_choices(ctx)),
    "union_tag_invalid": lambda ctx: _one_of(_choices({"expected": ctx["expected_tags"]})),
    "expected": lambda ctx: ctx["what"],
}
"""Type of a pydantic error -> what was expected, from the error's context."""


def problems(
    error: ValidationError, document: Document, source: str, model: type[InputModel]
) -> list[InputProblem]:
    """All problems of a document in the order of their lines.

    Parameters
    ----------
    model : type
        What the document describes.
    """
    guide = SchemaGuide(document.data, model)
    found, again = [], []
    for details in error.errors(include_url=False):
        path = _path(details["loc"], details["type"], document.data)
        if details["type"] == "union_tag_invalid" or details["type"] == "union_tag_not_found":
            path = (*path, "shape")
        problem = _problem(details, path, document, source, guide)
        (again if _is_copied(path, document) else found).append((path[-1:], problem))
    said = {_essence(*one) for one in found}
    for one in again:  # of several copies of what is typed once, the first one is named
        if _essence(*one) not in said:
            said.add(_essence(*one))
            found.append(one)
    return sorted(dict.fromkeys(problem for _, problem in found), key=lambda problem: problem.line or 0)


def _essence(key: KeyPath, problem: InputProblem) -> tuple[object, ...]:
    """What problems of copies have in common."""
    return problem.source, problem.line, key, problem.message, problem.hint


def _is_copied(path: KeyPath, document: Document) -> bool:
    """True if the key at `path`, or the nearest key around it, stands in the text at another path too."""
    if path in document.copied:
        return True
    around = _nearest(path, document)
    return around != path and (around in document.copied or around in document.aliased)


def _path(loc: KeyPath, kind: str, data: Any) -> KeyPath:
    """Path of the key that pydantic's location means in the document as typed.

    Locations also hold names of alternatives and indices of lists that were typed as a single entry; those
    lead nowhere in the document and are dropped, unless it is the last part that names a missing key.
    """
    path: list[str | int] = []
    for k, part in enumerate(loc):
        if has_entry(data, part):
            data = data[part]
        elif not (kind in ("missing", "absent") and k == len(loc) - 1):
            continue
        path.append(part)
    return tuple(path)


def _problem(
    details: Any, path: KeyPath, document: Document, source: str, guide: SchemaGuide
) -> InputProblem:
    kind, ctx = details["type"], details.get("ctx", {})
    given = ctx.get("tag", details["input"])
    line = _line(path, document)
    key = dotted(path)
    if kind == "wrong":
        if ctx["source"] is not None:
            return InputProblem(ctx["source"], ctx["line"], key, ctx["message"], ctx["hint"])
        message = ctx["message"]
        value = _value_at(document.data, path) if path in document.formulas else None
        if isinstance(value, int | float) and document.formulas[path] not in message:
            message += f" (it is {shorten(document.formulas[path])!r} = {value:.6g})"
        return InputProblem(source, line, key, message, ctx["hint"])
    if kind in ("missing", "union_tag_not_found", "absent"):
        message = ctx.get("message", "missing")
        return InputProblem(source, line, key, message, ctx.get("hint") or guide.description(path))
    if kind == "extra_forbidden":
        message, hint = _unknown_key(path, document, guide)
        return InputProblem(source, line, key, message, hint)
    what = EXPECTED[kind](ctx) if kind in EXPECTED else details["msg"]
    got = _shown(given)
    if path in document.formulas and isinstance(given, int | float):
        got = f"{shorten(document.formulas[path])!r} = {given:.6g}"
    return InputProblem(source, line, key, f"got {got}, expected {what}", _hint(details, path, guide))


def _value_at(data: Any, path: KeyPath) -> Any:
    for part in path:
        data = data[part]
    return data


def _line(path: KeyPath, document: Document) -> int | None:
    """Line of the key, or of the nearest key around it."""
    around = _nearest(path, document)
    if around != path and around in document.aliased:
        return document.aliased[around]  # what is missing is missing there
    return document.lines.get(around)


def _nearest(path: KeyPath, document: Document) -> KeyPath:
    while path and path not in document.lines:
        path = path[:-1]
    return path


def _unknown_key(path: KeyPath, document: Document, guide: SchemaGuide) -> tuple[str, str]:
    known = guide.keys(path[:-1])
    if path[-1] in known:
        return "does not go with the other keys here", "remove one of them"
    if hint := left_out(path):
        return "unknown key", hint
    if places := list(_places_of(path[-1], path[:-1], guide)):
        inside = [dotted((*place, path[-1])).replace("[0]", "[..]") for place in places[:MOST_PLACES]]
        return "unknown key", f"did you mean {' or '.join(inside)}?"
    otherwise = f"known keys: {', '.join(known)}"
    for name in known:
        if name.lower() == str(path[-1]).lower():
            otherwise = f"did you mean {name!r}?"
    return "unknown key", did_you_mean(str(path[-1]), known, otherwise)


def _places_of(key: str | int, around: KeyPath, guide: SchemaGuide, depth: int = 2) -> Iterator[KeyPath]:
    """Mappings inside of that at a path, in entries of lists too, in which a key may stand; the nearest ones first."""
    inner = [
        place
        for name in guide.keys(around)
        for place in ((*around, name), (*around, name, 0))
        if guide.keys(place)
    ]
    yield from (place for place in inner if key in guide.keys(place))
    for place in inner if depth > 1 else ():
        yield from _places_of(key, place, guide, depth - 1)


def _hint(details: Any, path: KeyPath, guide: SchemaGuide) -> str:
    kind, given, ctx = details["type"], details["input"], details.get("ctx", {})
    if ctx.get("hint"):
        return ctx["hint"]
    if given is None:
        return "give a value or remove the key"
    if kind == "literal_error" and (hint := left_out((*path, str(given)))):
        return hint
    if kind == "union_tag_invalid" and (hint := left_out((*path[:-1], f"{path[-1]}_{ctx['tag']}"))):
        return hint
    if kind in ("literal_error", "union_tag_invalid"):
        choices = _choices(ctx if kind == "literal_error" else {"expected": ctx["expected_tags"]})
        return did_you_mean(str(ctx.get("tag", given)).lower(), choices)
    if kind in ("float_type", "int_type") and isinstance(given, str) and _is_number(given):
        return "remove the quotes"
    return guide.description(path)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _choices(ctx: dict[str, Any]) -> list[str]:
    return re.findall(r"'([^']*)'", ctx["expected"])


def _one_of(choices: list[str]) -> str:
    return choices[0] if len(choices) == 1 else f"one of {', '.join(choices)}"


def _shown(value: Any) -> str:
    """Value as it can be recognised in the file."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case str():
            return repr(shorten(value))
        case int() | float():
            return shorten(str(value))
        case Expression():
            return repr(shorten(str(value)))
        case list() | tuple():
            return f"a list of {len(value)}"
        case dict():
            return f"keys {', '.join(map(str, value))}" if value else "no keys"
    return "something else"
