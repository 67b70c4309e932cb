"""Cost of a derivation before it begins: operations, memory and time, by measurement.

Measured on chains of 2 to 100 links in plane and space with 0 to 10 modes each, with `geometric_stiffening`: numbers of
operations come out within a factor of two. What compiling them takes is known once they are derived, see
:mod:`flexarm.codegen.native`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import casadi as ca

from flexarm.formulations.kinematics.joint_transforms import angle_about, turned
from flexarm.memory import check_memory, rough_duration
from flexarm.model.chain import Chain
from flexarm.progress import grouped, stage

RECURSIVE = {"articulated"}
"""Formulations without a mass matrix in their accelerations: so many operations for every body."""

BODY = {False: (60.0, 100.0, 20.0), True: (185.0, 400.0, 5.0)}
"""In plane, in space: operations of a body with m modes, a + b m + c m^3, of one evaluation of the accelerations."""

MASS_MATRIX_ENTRY = {False: 10.0, True: 22.0}
"""In plane, in space: operations of one entry of the mass matrix; every command asks for it once."""

DENSE_ENTRY, DENSE_CUBE = (
    {False: 15.0, True: 40.0},
    {"gibbs-appell": 0.5, "lagrangian": 0.75, "elastodynamics": 1.6},
)
"""Of other formulations: more operations of an entry, and those that grow with the third power of the coordinates."""

EVALUATIONS = 2.2
"""Accelerations are derived for the state equation, and once more with the observables."""

BYTES_PER_OPERATION, SECONDS_PER_OPERATION = 300.0, 1.5e-5
"""Of a whole command, which derives some of it twice and evaluates it, measured on 300 to 1000 links."""

NOTEWORTHY = 5.0  # s: estimates that are shorter are not mentioned


def operations(chain: Chain, formulation: str) -> float:
    """Estimate the operations of the accelerations, the observables and the mass matrix of a chain."""
    spatial = any(turned(body.joint) or angle_about(body.joint, ca.SX(0)) is None for body in chain.bodies)
    entries = float(chain.coordinates.n_dof) ** 2
    if formulation in RECURSIVE:
        a, b, c = BODY[spatial]
        accelerations = sum(a + b * m + c * m**3 for m in (body.link.n_modes for body in chain.bodies))
    else:
        cube = DENSE_CUBE.get(formulation, max(DENSE_CUBE.values()))
        accelerations = DENSE_ENTRY[spatial] * entries + cube * entries**1.5
    return EVALUATIONS * accelerations + MASS_MATRIX_ENTRY[spatial] * entries


def check_derivation(chain: Chain, formulation: str) -> None:
    """Refuse a derivation that would need more memory than there is.

    Raises
    ------
    ModelError
        With memory and time.
    """
    count = operations(chain, formulation)
    seconds = SECONDS_PER_OPERATION * count
    hint = "take fewer links, segments or modes"
    if formulation not in RECURSIVE:
        hint += ", or formulation: articulated"
    check_memory(BYTES_PER_OPERATION * count, _named(chain), hint, seconds)


@contextmanager
def derivation(chain: Chain, formulation: str) -> Iterator[None]:
    """Stage in which equations of a chain are derived; it says how long that will take, if long.

    Raises
    ------
    ModelError
        See :func:`check_derivation`.
    """
    check_derivation(chain, formulation)
    seconds = SECONDS_PER_OPERATION * operations(chain, formulation)
    with stage(_named(chain) + (f" ({rough_duration(seconds)})" if seconds > NOTEWORTHY else "")):
        yield


def _named(chain: Chain) -> str:
    n, m = len(chain.links), len(chain.arm_bodies)
    parts = f"{grouped(n)} link{'s' * (n > 1)}" + (f" of {grouped(m)} segments" if m > n else "")
    return f"deriving the equations of {parts} with {grouped(chain.coordinates.n_dof)} coordinates"
