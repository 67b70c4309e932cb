"""Fastest of the small motions of an arm about a state, and which part of the arm it is."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexarm.catalogue import BEAM_DIRECTIONS
from flexarm.codegen.native_function import BoundFunction
from flexarm.model.chain import Chain
from flexarm.simulation.state.layout import StateLayout
from flexarm.solvers.stability import fastest_ringing, least_stiffness, linearised

STIFF_RTOL = 1e-8
"""Relative tolerance at which it is judged whether an implicit method pays."""


@dataclass(frozen=True)
class ArmPart:
    """Part of an arm that moves.

    Attributes
    ----------
    kind : {"link", "joint", "motor", "base"}
    number : int
        Of the link or joint, from 1.
    direction : str
        In which a link deforms: ``"y"``, ``"z"``, ``"torsion"`` or ``"axial"``.
    """

    kind: str
    number: int = 0
    direction: str = ""

    def __str__(self) -> str:
        if self.kind == "link":
            deforms = "bending" if self.direction in BEAM_DIRECTIONS else "deformation"
            return f"{self.direction} {deforms} of link {self.number}"
        names = {
            "joint": f"joint {self.number}",
            "motor": f"the motor of joint {self.number}",
            "base": "the base",
        }
        return names[self.kind]


@dataclass(frozen=True)
class FastestMotion:
    """Fastest of the small motions about a state.

    Attributes
    ----------
    pole : complex [rad/s]
        The eigenvalue of largest magnitude of d f / d y.
    part : ArmPart
        Part of the arm that takes most part in it.
    fastest_ringing : float [rad/s]
        Magnitude of the fastest eigenvalue whose vibration rings on; 0 for none.
    """

    pole: complex
    part: ArmPart
    fastest_ringing: float

    @property
    def is_stiff(self) -> bool:
        """True if it is so much faster than all that rings on that an implicit method pays."""
        return abs(self.pole) > least_stiffness(STIFF_RTOL) * self.fastest_ringing

    @property
    def vibrates(self) -> bool:
        """True if it oscillates more quickly than it decays."""
        return abs(self.pole.imag) > abs(self.pole.real)

    def __str__(self) -> str:
        rate = abs(self.pole)
        if self.vibrates:
            frequency = rate / (2 * math.pi)
            value, unit = (frequency / 1e3, "kHz") if frequency > 1e3 else (frequency, "Hz")
            return f"{self.part}, a vibration of {value:.3g} {unit}"
        return f"{self.part}, which settles within {1e3 / rate:.2g} ms"


def fastest_motion(
    rhs: BoundFunction, t: float, y: np.ndarray, chain: Chain, layout: StateLayout
) -> FastestMotion | None:
    """Find the fastest small motion about a state y (n,) at t [s]; None where the equations are not finite or at rest.

    Notes
    -----
    A coordinate takes part in an eigenmode by the product of the entries of its rate in the left and in the right
    eigenvector, which does not depend on units: the participation factors of [PerezArriagaVergheseSchweppe1982].
    """
    from scipy.linalg import eig  # slow to import

    J = linearised(rhs.f, t, y, rhs.h)
    if not np.isfinite(J).all():
        return None
    found: Any = eig(J, left=True, right=True)  # whose type depends on what is asked for
    poles, left, right = found
    k = int(np.argmax(np.abs(poles)))
    if poles[k] == 0.0:
        return None
    taking_part = np.abs(left[:, k].conj() * right[:, k])[layout.first_rate :]
    parts, shares = _parts(chain), defaultdict(float)
    for row, share in zip(layout.rows, taking_part, strict=True):
        shares[parts[row]] += share
    return FastestMotion(complex(poles[k]), max(shares, key=shares.__getitem__), fastest_ringing(poles))


def _parts(chain: Chain) -> dict[int, ArmPart]:
    """Parts of the arm by the rows of theta_d."""
    layout = chain.coordinates
    parts = dict.fromkeys(layout.base, ArmPart("base"))
    for kind, rows in (("joint", layout.joints), ("motor", layout.motors)):
        parts |= {row: ArmPart(kind, i) for i, row in enumerate(rows, 1) if row is not None}
    for i, (rows, link) in enumerate(zip(layout.modes, chain.assembled_links, strict=True), 1):
        parts |= {row: ArmPart("link", i, way) for row, way in zip(rows, link.directions, strict=True)}
    return parts
