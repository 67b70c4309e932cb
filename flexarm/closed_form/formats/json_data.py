"""Closed-form equations as JSON."""

from __future__ import annotations

import json

from flexarm.closed_form.closed_form import ClosedForm, Term
from flexarm.closed_form.formats.layout import equation_groups
from flexarm.closed_form.formats.sympy_expressions import (
    DOUBLE,
)


def as_json(form: ClosedForm, digits: int = DOUBLE, shape: str = "inverse") -> str:
    """JSON of the equations: of every product all digits, factors with powers, function and its argument."""
    equations = [
        {"name": left, "terms": [_as_data(term, factor) for factor, terms in groups for term in terms]}
        for left, groups in equation_groups(form, shape)
    ]
    data = {
        "arm": form.arm,
        "kept": form.truncation,
        "coordinates": list(form.coordinates),
        "rates": list(form.rates),
        "accelerations": list(form.accelerations),
        "parameters": {
            p.name: {"value": p.value, "unit": p.unit, "meaning": p.meaning} for p in form.parameters
        },
        "equations": equations,
    }
    return json.dumps(data, indent=2) + "\n"


def _as_data(term: Term, acceleration: str = "") -> dict:
    factors = dict(term.factors) | ({acceleration: 1} if acceleration else {})
    data: dict = {"coefficient": term.coefficient, "factors": factors}
    if term.tanh:
        data["tanh"] = [{"power": power, "of": [_as_data(part) for part in of]} for of, power in term.tanh]
    if term.function:
        data |= {"function": term.function, "angle": [_as_data(part) for part in term.angle]}
    return data
