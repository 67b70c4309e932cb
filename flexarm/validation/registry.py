"""All validation cases, in the order in which they are shown."""

from __future__ import annotations

from flexarm.validation import beams, flight, formulations, hardware, inverse_dynamics, stiffening, swinging
from flexarm.validation.case import Case

CASES: dict[str, Case] = {
    case.name: case
    for module in (beams, swinging, stiffening, flight, inverse_dynamics, formulations, hardware)
    for case in module.CASES
}
"""Name of every case -> the case."""
