"""Parameters of a description: named numbers, and expressions of them that stand in the place of numbers."""

from __future__ import annotations

import copy
import keyword
import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

from pydantic_core import PydanticCustomError

from flexarm.description.reading.json_schema import SchemaGuide
from flexarm.description.values.expression import RESERVED, Expression, names_in
from flexarm.description.values.input_model import Faults, InputModel, KeyPath, located, wrong
from flexarm.description.values.quantities import angle, angular_rate, is_number

PARAMETERS = "parameters"
"""Key of a description under which its parameters stand."""

MOST_PARAMETERS = 200

_NAME = re.compile(r"[A-Za-z]\w*", re.ASCII)
_ALWAYS = frozenset(RESERVED) - {"t"}
_WHAT = 'a number, an angle such as "30 deg" or an expression of other parameters'


class Formula(NamedTuple):
    """Expression in the place of a number, the parameters that it uses, and what its place takes."""

    text: str
    names: frozenset[str]
    kind: Literal["number", "whole", "signal"]


@dataclass
class Resolution:
    """Description with numbers in the place of its expressions of parameters.

    Attributes
    ----------
    typed : dict
        Parameters as typed.
    data : dict
        The description; an expression that depends on t too is an :class:`Expression`.
    formulas : dict
        Where expressions stood.
    values : dict
        Values of the parameters [SI units, rad].
    """

    typed: dict[str, Any]
    data: dict[str, Any]
    formulas: dict[KeyPath, Formula]
    values: dict[str, float]

    @cached_property
    def _upstream(self) -> dict[str, frozenset[str]]:
        """All parameters on which each one depends, itself among them."""
        found: dict[str, frozenset[str]] = {}
        for name in self.values:  # in the order in which they were computed
            found[name] = frozenset({name}).union(*(found[other] for other in _uses(self.typed, name)))
        return found

    def used_below(self, path: KeyPath) -> frozenset[str]:
        """Parameters on which expressions at a path, or below it, depend."""
        names = [formula.names for at, formula in self.formulas.items() if at[: len(path)] == path]
        return frozenset().union(*(self._upstream[name] for name in frozenset().union(*names)))

    @property
    def unused(self) -> list[str]:
        """Parameters on which nothing depends."""
        used = self.used_below(())
        return [name for name in self.values if name not in used]

    def vary(self, changes: Mapping[str, Any]) -> None:
        """Compute the description anew with other parameters; each change as it would be typed.

        Raises
        ------
        ValidationError
            A parameter or an expression has no value.
        """
        self.typed = {**self.typed, **changes}
        self.values = _parameter_values(self.typed)
        self.data[PARAMETERS].update(self.values)
        affected = {
            path: formula
            for path, formula in self.formulas.items()
            if any(not self._upstream[name].isdisjoint(changes) for name in formula.names)
        }
        _write(self.data, affected, self.values)

    def put(self, path: KeyPath, text: str, model: type[InputModel]) -> None:
        """Put a text into the place of a value, as if it had been typed there; faults as of :meth:`vary`."""
        _entry(self.data, path[:-1])[path[-1]] = float(text) if _is_plain(text) else text
        if _may_be_formula(text, self.values) and (
            formula := _formula(text, path, SchemaGuide(self.data, model), self.values)
        ):
            _write(self.data, {path: formula}, self.values)


def resolve(data: dict[str, Any], model: type[InputModel]) -> Resolution:
    """Evaluate the expressions of a description that stand in the place of numbers.

    Parameters
    ----------
    data : dict
        The description as typed; it is not changed.
    model : type
        What it describes: its schema says where numbers stand.

    Raises
    ------
    ValidationError
        Every fault of a parameter, or else of an expression.
    """
    typed = data.get(PARAMETERS)
    typed = typed if isinstance(typed, dict) else {}
    texts = [(path, text) for path, text in _texts(data, ()) if _may_be_formula(text, typed)]
    if not typed and not texts:
        return Resolution({}, data, {}, {})
    values = _parameter_values(typed)
    guide = SchemaGuide(data, model)
    found = ((path, _formula(text, path, guide, typed)) for path, text in texts)
    formulas = {path: formula for path, formula in found if formula is not None}
    resolved = copy.deepcopy(data)
    if typed:
        resolved[PARAMETERS] = dict(values)
    _write(resolved, formulas, values)
    return Resolution(typed, resolved, formulas, values)


def _texts(data: Any, path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    """Texts of a description, and where they stand."""
    if isinstance(data, str):
        yield path, data
    elif isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            if (*path, key) != (PARAMETERS,):
                yield from _texts(value, (*path, key))


def _may_be_formula(text: str, typed: Collection[str]) -> bool:
    """Whether a text is an expression whose names are known, or may be misspelt parameters."""
    names = names_in(text)
    if names is None or (not names and _is_plain(text)):
        return False
    return names <= _ALWAYS or (bool(typed) and (not names.isdisjoint(typed) or "t" not in names))


def _is_plain(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _formula(text: str, path: KeyPath, guide: SchemaGuide, typed: Collection[str]) -> Formula | None:
    """Formula at a path; None where the schema takes no number, or takes this text as it is."""
    kind = guide.numeric_kind(path, text)
    names = names_in(text) or frozenset()
    if kind is None or (kind == "signal" and names <= frozenset(RESERVED)):
        return None
    return Formula(text, names.intersection(typed), kind)


def _write(data: Any, formulas: Mapping[KeyPath, Formula], values: Mapping[str, float]) -> None:
    """Put the values of expressions in their places."""
    faults = []
    for path, formula in formulas.items():
        try:
            _entry(data, path[:-1])[path[-1]] = _value_of(formula, values)
        except PydanticCustomError as fault:
            faults.append((path, fault))
    if faults:
        raise located(faults)


def _entry(data: Any, path: KeyPath) -> Any:
    for part in path:
        data = data[part]
    return data


def _value_of(formula: Formula, values: Mapping[str, float]) -> float | int | Expression:
    unknown = (names_in(formula.text) or frozenset()).difference(values, RESERVED)
    named = values if unknown else formula.names  # all are candidates for what is misspelt
    expression = Expression(formula.text, tuple((name, values[name]) for name in sorted(named)))
    if "t" in expression.names:
        if formula.kind != "signal":
            raise wrong(f"got {formula.text!r}, expected a number, which does not depend on t")
        return expression
    value = _number(expression)
    return int(value) if formula.kind == "whole" and value.is_integer() else value


def _number(expression: Expression) -> float:
    value = float(expression.at(0.0))  # pyright: ignore[reportArgumentType]
    if not math.isfinite(value):
        raise wrong(f"got {str(expression)!r}, which has no finite value")
    return value


def _parameter_values(typed: Mapping[str, Any]) -> dict[str, float]:
    """Values of parameters, each after those on which it depends."""
    if faults := list(_name_faults(typed)):
        raise located(faults)
    values: dict[str, float] = {}
    faults = []
    for name in typed:
        faults += _compute(name, typed, values, ())
    if faults:
        raise located(faults)
    return values


def _compute(
    name: str, typed: Mapping[str, Any], values: dict[str, float], waiting: tuple[str, ...]
) -> list[tuple[KeyPath, PydanticCustomError]]:
    """Compute a parameter, and before it those that it needs; faults of it and of those."""
    if name in values:
        return []
    if name in waiting:
        circle = " -> ".join((*waiting[waiting.index(name) :], name))
        return [((PARAMETERS, name), wrong(f"got {typed[name]!r}, which needs itself: {circle}"))]
    faults = []
    for other in sorted(_uses(typed, name)):
        if other not in values and (faults := _compute(other, typed, values, (*waiting, name))):
            return faults if waiting or faults[0][0][-1] == name else []  # said where it is wrong
    try:
        values[name] = _parameter_value(typed[name], values)
    except PydanticCustomError as fault:
        return [((PARAMETERS, name), fault)]
    return []


def _parameter_value(value: Any, values: Mapping[str, float]) -> float:
    if is_number(value):
        if not math.isfinite(value):
            raise wrong(f"got {value}, expected a finite number")
        return float(value)
    if not isinstance(value, str):
        kinds = {list: "a list", dict: "keys and values", bool: "true or false"}
        raise wrong(f"got {kinds.get(type(value), 'nothing')}, expected {_WHAT}")
    for read in (angle, angular_rate):
        try:
            return read(value)
        except PydanticCustomError:
            continue
    if names_in(value) is None:
        raise wrong(f"got {value!r}, expected {_WHAT}", "units are SI; only those of angles are written")
    names = names_in(value) or frozenset()
    if "t" in names:
        raise wrong(f"got {value!r}, expected a number, which does not depend on t", "t belongs into signals")
    used = names.intersection(values) or values
    return _number(Expression(value, tuple((name, values[name]) for name in sorted(used))))


def _uses(typed: Mapping[str, Any], name: str) -> frozenset[str]:
    """Other parameters that a parameter is an expression of."""
    value = typed[name]
    names = names_in(value) if isinstance(value, str) else None
    return (names or frozenset()).intersection(typed)


def _name_faults(typed: Mapping[str, Any]) -> Faults:
    if len(typed) > MOST_PARAMETERS:
        yield (PARAMETERS,), wrong(f"got {len(typed)} parameters, expected at most {MOST_PARAMETERS}")
    for name in typed:
        if name in RESERVED:
            message = f"the name {name!r} means something in every expression already"
            yield (PARAMETERS, name), wrong(message, "choose another name")
        elif _NAME.fullmatch(name) is None or keyword.iskeyword(name):
            message = f"{name!r} cannot be a name in an expression"
            yield (PARAMETERS, name), wrong(message, "names are letters, digits and _, a letter first")
