"""Families of modes by what a link carries: errors of the first frequency, of the static tip and of the tip in motion.

A link of 1 m, 2 kg and EI = 2000 N m^2 carries nothing, one and five link masses, a further link like it on a joint
that turns freely, or one at a right angle that a fixed joint holds. Its own joint is locked for the frequencies; it is
level, under a tenth of all weight, for the static deflection; a motor turns it by a right angle within a second,
without gravity, for the motion, whose error is the largest distance of the arm's tip within 1.5 s. All is compared with
6 segments of 3 modes, which differ from 12 by less than what is printed. docs/guide/modes.md has these tables.

Run: python benchmarks/mode_families.py [--quick]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from measuring.machine import heading
from measuring.options import is_quick

import flexarm

FAMILIES = ("craig-bampton", "clamped-free", "clamped-loaded", "hinged", "polynomial")
COUNTS = (1, 2, 3)
MASS = 2.0  # kg, of a link
CARRIED = {
    "nothing": "",
    "1 link mass": f"payload: {{mass: {MASS}}}\n",
    "5 link masses": f"payload: {{mass: {5 * MASS}}}\n",
    "a further link": "{}",
    "a fixed joint": "{type: fixed, angle: 90 deg}",
}
QUICK = (FAMILIES[:1], ("nothing", "a fixed joint"))
"""Families and what is carried with --quick."""
REFERENCE = "segments: 6, modes: {family: craig-bampton, count: 3}"
TURN = "pi/2*min(t, 1) - sin(2*pi*min(t, 1))/4"
WEIGHT = 1.0  # m/s^2: so small that the deflection is linear


def describe(carried: str, shapes: str, first: str, gravity: float, extra: str) -> flexarm.Arm:
    """Arm whose links have these shapes; ``first`` is what joint 1 is, ``extra`` what else the description says."""
    joint = CARRIED[carried] if CARRIED[carried].startswith("{") else None
    link = f"  - {{length: 1.0, mu: {MASS}, EI: 2000.0, {shapes}}}\n"
    links, joints = (link, f"[{first}]") if joint is None else (2 * link, f"[{first}, {joint}]")
    return flexarm.parse_arm(
        f"name: families\ngravity: [0, {-gravity}, 0]\nlinks:\n{links}joints: {joints}\n"
        f"{'' if joint else CARRIED[carried]}{extra}"
    )


def shapes_of(family: str, count: int) -> str:
    tip = ", tip: auto" if family == "clamped-loaded" else ""
    return f"modes: {{family: {family}, count: {count}{tip}}}"


@cache
def frequency(carried: str, shapes: str) -> float:
    """First frequency with the joint locked [Hz]."""
    modes = flexarm.natural_modes(describe(carried, shapes, "{type: fixed}", 0.0, "")).modes
    return float(modes.natural_frequency[modes.n_rigid])


@cache
def sag(carried: str, shapes: str) -> float:
    """Deflection of the end of link 1 under all weight [m]; a further link hangs down."""
    start = "initial: {joints: [0, -90 deg]}\n" if carried == "a further link" else ""
    found = flexarm.static_equilibrium(describe(carried, shapes, "{type: fixed}", WEIGHT, start))
    return float(found.end_deflection[0, 1])


@cache
def tips(carried: str, shapes: str) -> np.ndarray:
    """Tip of the arm while a motor turns joint 1, complex (times,) [m]."""
    others = ", null" if CARRIED[carried].startswith("{") else ""
    extra = f'drive: [{{motion: "{TURN}"}}{others}]\nrun: {{duration: 1.5, sample: 0.025, rtol: 1e-7, atol: 1e-9}}\n'
    result = flexarm.simulate(describe(carried, shapes, "{}", 0.0, extra))
    return result.point_position[:, -1, 0] + 1j * result.point_position[:, -1, 1]


def frequency_error(carried: str, shapes: str) -> float:
    return 100 * abs(frequency(carried, shapes) / frequency(carried, REFERENCE) - 1)


def sag_error(carried: str, shapes: str) -> float:
    return 100 * abs(sag(carried, shapes) / sag(carried, REFERENCE) - 1)


def motion_error(carried: str, shapes: str) -> float:
    return 1e3 * float(np.abs(tips(carried, shapes) - tips(carried, REFERENCE)).max())


TABLES = {
    "first frequency, joint locked: error in %": frequency_error,
    "static deflection under all weight: error in %": sag_error,
    "tip while a motor turns the arm: largest error in mm": motion_error,
}


def written(error: float) -> str:
    """Two digits, and none after the second decimal."""
    return f"{error:.0f}" if error >= 10 else f"{error:.1f}" if error >= 1 else f"{error:.2f}"


def rows(
    error: Callable[[str, str], float],
    families: Sequence[str] = FAMILIES,
    loads: Sequence[str] = tuple(CARRIED),
) -> list[str]:
    """Lines of a table in Markdown: each cell has the errors with 1, 2 and 3 modes."""
    lines = [f"| family | {' | '.join(loads)} |", "|---" * (len(loads) + 1) + "|"]
    for family in families:
        cells = [
            ", ".join(written(error(carried, shapes_of(family, count))) for count in COUNTS)
            for carried in loads
        ]
        lines.append(f"| `{family}` | {' | '.join(cells)} |")
    return lines


def main() -> None:
    quick = is_quick(__doc__)
    print(heading("flexarm", quick=quick))
    for title, error in TABLES.items():
        lines = rows(error, *QUICK) if quick else rows(error)
        print(f"\n{title}, with {', '.join(map(str, COUNTS))} modes\n", *lines, sep="\n")


if __name__ == "__main__":
    main()
