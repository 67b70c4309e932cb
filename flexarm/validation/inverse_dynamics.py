"""Inverse dynamics and load carrying: the case of Korayem, Yao and Basu (1994), and loads in closed form."""

from __future__ import annotations

from functools import cache

import numpy as np

import flexarm
from flexarm.validation.arms import shipped, shipped_task
from flexarm.validation.case import Case, residual

L, MU = 1.05, 0.405  # m, kg/m: both links of robots/korayem_1994_*.yaml
AS_PUBLISHED = "pinned_as_published"
RIGID_TIMES = (0.0, 1.5, 3.0)  # s

HELD = """
name: held
geometric_stiffening: false
links: [{length: 0.8, mu: 1.2, EI: 60.0, modes: {family: polynomial, count: 3}}]
joints: [{motor: {gear: 50, stall_torque: 0.6}}]
"""
LEVEL = "space: joint\nduration: 0.2\nsample: 0.01\npath: {q1: 0}\n"
G, LENGTH, WEIGHT, EI, STALL, ALLOWED = 9.81, 0.8, 1.2 * 9.81 * 0.8, 60.0, 30.0, 0.04  # of HELD; m allowed


@cache
def korayem(modes: str, method: str) -> flexarm.Result:
    """Inverse motion of the arm with the named modes along the published trajectory; verified where it is bounded."""
    arm, task = shipped(f"korayem_1994_{modes}"), shipped_task("korayem_1994")
    return flexarm.inverse(arm, task, method=method, verify=method == "stable")


def _at(name: str, time: float, modes: str = "simply_supported") -> np.ndarray:
    result = korayem(modes, "causal")
    return result[name][np.abs(result.time - time).argmin()]


def _published_torques() -> np.ndarray:
    """Torques after 0.5 s, and the peak of joint 1 [N m]."""
    peak = np.abs(korayem(AS_PUBLISHED, "causal").torque[:, 0]).max()
    return np.append(_at("torque", 0.5, AS_PUBLISHED), peak)


def _start_torques() -> tuple[float, float]:
    """Torques of [SY94]'s arm at t = 0: link 1 along x, link 2 upright, undeformed, tip rate (0, 0.01) m/s.

    Pinned modes leave the chords to the rigid kinematics: a_1 = 0, a_2 = 0.2 / L - w^2, with the rate w = 0.01 / L of
    chord 1. Mode 2 follows a_2 and the acceleration L w^2 of its joint; mode 1 is pushed by tau_2 through the
    slope of its end, and gives tau_1 = 3 tau_2.
    """
    w = 0.01 / L
    a_2 = 0.2 / L - w**2
    tau_2 = MU * L**3 * (a_2 * (1 / 3 - 2 / np.pi**2) + w**2 * (1 / 2 - 4 / np.pi**2))
    return 3 * tau_2, tau_2


def _rigid_torques() -> np.ndarray:
    """Torques of the rigid arm at some times, joint 1 and 2 in turn [N m]."""
    result = korayem("clamped", "rigid")
    return np.concatenate([result.torque[np.abs(result.time - t).argmin()] for t in RIGID_TIMES])


def _textbook_torques() -> np.ndarray:
    """Two uniform links in a horizontal plane, by the law of cosines, the Jacobian and the textbook equations."""
    torques = []
    for t in RIGID_TIMES:
        x, y = L - 0.1 * t**2, L + 0.01 * t
        q2 = np.arccos((x**2 + y**2) / (2 * L**2) - 1)
        q1 = np.arctan2(y, x) - q2 / 2
        J = L * np.array(
            [[-np.sin(q1), -np.sin(q1 + q2)], [np.cos(q1), np.cos(q1 + q2)]]
        )  # of absolute rates
        rates = np.linalg.solve(J, [-0.2 * t, 0.01])
        centripetal = -L * np.array([[np.cos(q1), np.cos(q1 + q2)], [np.sin(q1), np.sin(q1 + q2)]]) @ rates**2
        a1, a12 = np.linalg.solve(J, np.array([-0.2, 0.0]) - centripetal)
        (v1, v2), a2 = (rates[0], rates[1] - rates[0]), a12 - a1
        tau_2 = (1 / 3 + np.cos(q2) / 2) * a1 + a2 / 3 + np.sin(q2) / 2 * v1**2
        tau_1 = (5 / 3 + np.cos(q2)) * a1 + (1 / 3 + np.cos(q2) / 2) * a2 - np.sin(q2) * (v1 * v2 + v2**2 / 2)
        torques += [MU * L**3 * tau_1, MU * L**3 * tau_2]
    return np.array(torques)


def _largest_load(deviation: float | None) -> list[float]:
    """Largest load that a link can hold level by its motor, or with its tip within the deviation of its place [kg]."""
    arm = flexarm.parse_arm(HELD)
    return [
        flexarm.payload(arm, flexarm.parse_trajectory(LEVEL), deviation=deviation).attributes["payload_mass"]
    ]


CASES = (
    Case(
        name="sy94-start",
        quantity="torques of `korayem_1994_pinned_as_published` at the start [N m]",
        source="[SY94] section 6, solved by hand for the undeformed arm",
        reference=_start_torques,
        tolerance=1e-8,
        form=".5f",
        find=lambda: _at("torque", 0.0, AS_PUBLISHED),
    ),
    Case(
        name="sy94-torques",
        quantity="torques of `korayem_1994_pinned_as_published` after 0.5 s and largest one of joint 1 [N m]",
        source="[SY94] eq. 25 on an independent Lagrangian, products of deflections left out",
        reference=(-0.0737104, 0.0445385, 1.3286986),
        tolerance=1e-6,
        form=".5f",
        find=_published_torques,
    ),
    Case(
        name="pinned-links-torques",
        quantity="torques of `korayem_1994_simply_supported`, finite rotations, after 0.5 s [N m]",
        source="[SY94] eq. 25 on an independent Lagrangian with finite rotations",
        reference=(-0.07532, 0.04450),
        tolerance=1e-5,
        form=".5f",
        find=lambda: _at("torque", 0.5),
    ),
    Case(
        name="pinned-links-angles",
        quantity="joint angles of `korayem_1994_simply_supported`, finite rotations, after 0.5 s [deg]",
        source="[SY94] eq. 25 on an independent Lagrangian with finite rotations",
        reference=(0.2891, 91.7092),
        tolerance=1e-4,
        form=".4f",
        find=lambda: np.degrees(_at("joint_angle", 0.5)),
    ),
    Case(
        name="sy94-rigid",
        quantity="torques of `korayem_1994_clamped` with rigid links after 0, 1.5 and 3 s, joints 1 and 2 [N m]",
        source="Asada & Slotine, two-link arm",
        reference=_textbook_torques,
        tolerance=1e-9,
        form=".5f",
        find=_rigid_torques,
    ),
    residual(
        name="stable-inversion",
        quantity="tip of `korayem_1994_clamped` off its path, simulated with its torques over 3 s [m]",
        source="the task itself",
        tolerance=1e-4,
        floor=1e-8,
        find=lambda: korayem("clamped", "stable").attributes["verified_error"],
    ),
    Case(
        name="load-by-torque",
        quantity="largest load of a flexible link held level by a motor of 30 N m [kg]",
        source="(tau - mu g l^2/2) / (g l)",
        reference=((STALL - WEIGHT * LENGTH / 2) / (G * LENGTH),),
        tolerance=1e-4,
        relative=True,
        form=".3f",
        find=lambda: _largest_load(None),
    ),
    Case(
        name="load-by-deviation",
        quantity="largest load of a flexible link held level that bends by 40 mm at most [kg]",
        source="(w - mu g l^4/(8 EI)) 3 EI/(g l^3)",
        reference=((ALLOWED - WEIGHT * LENGTH**3 / (8 * EI)) * 3 * EI / (G * LENGTH**3),),
        tolerance=1e-4,
        relative=True,
        form=".3f",
        find=lambda: _largest_load(ALLOWED),
    ),
)
