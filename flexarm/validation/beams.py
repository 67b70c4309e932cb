"""Beams that vibrate or bend while their joints are locked or free: frequencies and static deflection."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq

import flexarm
from flexarm.validation.arms import shipped
from flexarm.validation.case import Case

BETA = np.array([1.8751040687119611, 4.6940911329741746, 7.8547574382376126, 10.9955407348754670])
"""Roots of cos b cosh b = -1: wave numbers of a clamped-free beam of unit length."""
EI, MU, LENGTH, FORCE, RATIO = 100.0, 1.0, 1.0, -3.0, 0.05  # of robots/single_link_cantilever.yaml
OMEGA = BETA**2 * np.sqrt(EI / (MU * LENGTH**4))  # rad/s
RESPONSE_TIMES = (0.05, 0.1, 0.5)  # s

WEDGE = """
name: wedge
links:
  - length: 1.0
    mu: {{eta: [0, 1], values: [1.0, 0.5]}}
    EI: {{eta: {eta}, values: {values}}}
    modes: {{family: finite-element, count: 3, elements: 80}}
joints: [{{type: fixed}}]
"""
HUB = """
name: beam-with-hub
gravity: [0, 0, 0]
links: [{length: 1.0, mu: 1.0, EI: 1.0, modes: {family: clamped-free, count: 5}}]
joints: [{inertia: 0.1}]
"""
HUB_INERTIA = 0.1  # kg m^2


def _cantilever_frequencies() -> np.ndarray:
    return flexarm.check_arm(shipped("single_link_cantilever")).link_frequencies[0]


def _static_deflection() -> list[float]:
    """Tip of the cantilever in equilibrium with its load [mm]."""
    arm = shipped("single_link_cantilever", duration=0.01, sample=0.01)
    initial = arm.initial.model_copy(update={"equilibrium": True})
    result = flexarm.simulate(arm.model_copy(update={"initial": initial}))
    return [1e3 * result.link_deflection[0, 0, 1, 1]]


def _response() -> list[float]:
    """Tip of the cantilever after the force was laid on it [mm]."""
    result = flexarm.simulate(shipped("single_link_cantilever", duration=0.5, sample=0.05))
    rows = np.searchsorted(result.time, np.array(RESPONSE_TIMES) - 1e-6)
    return list(1e3 * result.link_deflection[rows, 0, 1, 1])


def _exact_response() -> np.ndarray:
    """Each mode is an oscillator with the static share 4 F l^3 / (EI beta^4), since phi(l)^2 = 4 int phi^2 / l."""
    t = np.array(RESPONSE_TIMES)[:, None]
    shares = 4 * FORCE * LENGTH**3 / (EI * BETA**4)
    root = np.sqrt(1 - RATIO**2)
    swing = np.cos(root * OMEGA * t) + RATIO / root * np.sin(root * OMEGA * t)
    return 1e3 * (1 - np.exp(-RATIO * OMEGA * t) * swing) @ shares


def _wedge_frequencies() -> np.ndarray:
    """w l^2 sqrt(mu_0 / EI_0) of a cantilever of constant width whose depth falls to a half."""
    eta = np.linspace(0, 1, 401)
    text = WEDGE.format(eta=eta.tolist(), values=((1 - eta / 2) ** 3).tolist())
    return 2 * np.pi * flexarm.check_arm(flexarm.parse_arm(text)).link_frequencies[0]


def _de_luca_siciliano() -> np.ndarray:
    return np.concatenate(flexarm.check_arm(shipped("de_luca_siciliano_two_link")).link_frequencies)


def _hub_frequencies() -> np.ndarray:
    """Natural frequencies of a beam on a free joint with a hub, b^2 of the first three [rad/s]."""
    return 2 * np.pi * flexarm.check_arm(flexarm.parse_arm(HUB)).arm_frequencies[:3]


def _exact_hub_frequencies() -> list[float]:
    """From y = eta (B + C) (cos b x - cosh b x) + B sin b x + C sinh b x, free at x = 1.

    It vanishes at x = 0; the beam's moment there turns the hub, y'' = -b^4 J y', which makes eta = b^3 J / 2.
    """

    def determinant(b: float) -> float:
        eta, c, s, ch, sh = HUB_INERTIA * b**3 / 2, np.cos(b), np.sin(b), np.cosh(b), np.sinh(b)
        moment = (-eta * (c + ch) - s, -eta * (c + ch) + sh)
        shear = (eta * (s - sh) - c, eta * (s - sh) + ch)
        return (moment[0] * shear[1] - moment[1] * shear[0]) / ch**2

    grid = np.linspace(0.5, 12, 400)
    values = [determinant(b) for b in grid]
    roots = [
        float(brentq(determinant, a, b))  # type: ignore[arg-type]
        for a, b, f, g in zip(grid, grid[1:], values, values[1:], strict=False)
        if f * g < 0
    ]
    return [root**2 for root in roots[:3]]


CASES = (
    Case(
        name="cantilever-frequencies",
        quantity="frequencies of `single_link_cantilever`, 4 modes [Hz]",
        source="roots of cos b cosh b = -1",
        reference=lambda: OMEGA / (2 * np.pi),
        tolerance=1e-10,
        relative=True,
        form=".4f",
        find=_cantilever_frequencies,
    ),
    Case(
        name="cantilever-static",
        quantity="deflection of the tip of `single_link_cantilever` at rest under 3 N, 4 modes [mm]",
        source="F l^3 / (3 EI); m modes lack 4/(pi^4 m^3) of it",
        reference=(-10.0,),
        tolerance=1e-3,
        relative=True,
        form=".3f",
        find=_static_deflection,
    ),
    Case(
        name="cantilever-response",
        quantity="deflection of the tip of `single_link_cantilever` 0.05, 0.1 and 0.5 s after its load [mm]",
        source="damped oscillators 4 F l^3/(EI b^4), added",
        reference=_exact_response,
        tolerance=1e-5,
        form=".4f",
        find=_response,
    ),
    Case(
        name="tapered-cantilever",
        quantity="frequencies of a cantilever with half the depth at its tip, over sqrt(EI/(mu l^4)) at the root",
        source="Downs, J. Appl. Mech. 44 (1977) 737",
        reference=(3.8238, 18.3173, 47.2648),
        tolerance=2e-5,
        relative=True,
        form=".3f",
        find=_wedge_frequencies,
    ),
    Case(
        name="de-luca-siciliano",
        quantity="frequencies of links 1 and 2 of `de_luca_siciliano_two_link` [Hz]",
        source="[DS91]",
        reference=(0.480, 1.797, 2.178, 15.91),
        tolerance=1e-3,
        relative=True,
        form="#.4g",
        find=_de_luca_siciliano,
    ),
    Case(
        name="beam-with-hub",
        quantity="frequencies of a beam on a free joint, hub 0.1 mu l^3, 5 modes, over sqrt(EI/(mu l^4))",
        source="characteristic equation of the pinned-free beam with hub",
        reference=_exact_hub_frequencies,
        tolerance=1e-4,
        relative=True,
        form=".3f",
        find=_hub_frequencies,
    ),
)
