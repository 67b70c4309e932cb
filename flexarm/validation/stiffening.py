"""Geometric stiffening: beams that spin, are spun up and stand upright."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq

import flexarm
from flexarm.validation.arms import largest, shipped_motion
from flexarm.validation.case import Case
from flexarm.validation.oscillations import squares

SPINNING = """
name: spinning
gravity: [0, 0, 0]
geometric_stiffening: true
links: [{{length: 1, mu: 1, EI: {{{y}: 1}}, modes: {{family: clamped-free, count: {modes}, direction: {y}}}}}]
"""
MODES = 12
STANDING = """
name: standing
gravity: [-9.81, 0, 0]
geometric_stiffening: true
links: [{{length: 1, mu: {mu}, EI: 1, modes: {{family: clamped-free, count: 3}}}}]
joints: [{{type: fixed}}]
"""
FLAPPING = {3: (4.797, 23.320), 6: (7.360, 26.809), 12: (13.170, 37.603)}
"""Rate of rotation -> first two frequencies out of the plane, over sqrt(EI / (mu l^4))."""
WRIGHT = "Wright et al., J. Appl. Mech. 49 (1982) 197"
SIMO = "Simo & Vu-Quoc, J. Appl. Mech. 53 (1986) 855"


def _spinning(direction: str, rate: float) -> np.ndarray:
    """First two frequencies of the beam that turns steadily."""
    arm = flexarm.parse_arm(SPINNING.format(y=direction, modes=MODES))
    rates = np.zeros(1 + MODES)
    rates[0] = rate
    return np.sqrt(squares(arm, np.zeros(1 + MODES), rates, range(1, 1 + MODES))[:2])


def _lag() -> np.ndarray:
    """Lag of the tip of robots/spin_up_beam.yaml [m]."""
    return -shipped_motion("spin_up_beam").link_deflection[:, 0, 1, 1]


def _critical_load() -> float:
    """Critical load, at which the lowest frequency of the standing beam vanishes."""

    def lowest(load: float) -> float:
        arm = flexarm.parse_arm(STANDING.format(mu=load / 9.81))
        return squares(arm, np.zeros(3), np.zeros(3), range(3))[0]

    return float(brentq(lowest, 6, 9, xtol=1e-6))  # type: ignore[arg-type]


CASES = (
    Case(
        name="rotating-cantilever-flap",
        quantity="first two frequencies out of the plane of a beam spun with 3, 6 and 12, over sqrt(EI/(mu l^4))",
        source=WRIGHT,
        reference=tuple(number for pair in FLAPPING.values() for number in pair),
        tolerance=1e-3,
        relative=True,
        form=".3f",
        find=lambda: np.concatenate([_spinning("z", rate) for rate in FLAPPING]),
    ),
    Case(
        name="rotating-cantilever-lag",
        quantity="first two frequencies in the plane of a beam spun with 6, over sqrt(EI/(mu l^4))",
        source=f"{WRIGHT}: w^2 is that out of the plane less Omega^2",
        reference=tuple(np.sqrt(number**2 - 6**2) for number in FLAPPING[6]),
        tolerance=1e-3,
        relative=True,
        form=".3f",
        find=lambda: _spinning("y", 6),
    ),
    Case(
        name="spin-up-lag",
        quantity="largest lag of the tip of `spin_up_beam` [m]",
        source=SIMO,
        reference=(0.574,),
        tolerance=0.01,
        relative=True,
        form=".3f",
        find=lambda: (_lag().max(),),
    ),
    Case(
        name="spin-up-steady",
        quantity="largest lag of the tip of `spin_up_beam` after 15 s, turning steadily [m]",
        source=f"{SIMO}: the pull straightens it again",
        reference=(0.0,),
        tolerance=5e-3,
        form=".1e",
        find=lambda: (largest(_lag()[shipped_motion("spin_up_beam").time > 15]),),
    ),
    Case(
        name="self-buckling",
        quantity="mu g l^3 / EI at which an upright beam gives way, 3 modes",
        source="Greenhill, Proc. Camb. Phil. Soc. 4 (1881) 65",
        reference=(7.8373,),
        tolerance=5e-3,
        relative=True,
        form=".3f",
        find=lambda: (_critical_load(),),
    ),
)
