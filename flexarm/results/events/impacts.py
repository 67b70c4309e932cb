"""Impacts of a run: one record for each point or joint that took part, and a summary in sentences."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from flexarm.description.arm.walls import Contact
from flexarm.errors import ResultError
from flexarm.results.result import Result

CHATTER = 50
"""Impacts of one contact within one sample interval beyond which it chatters."""
LARGE = 0.1
"""Impulse of an impact, of the largest one at the same contact, from which on it counts as a large one."""
LEAST_APPROACH = 1e-7
"""Speed [m/s] of an approach that makes an impact a collision."""
ROUND_OFF = 1e-12
"""Slip [m/s] and energy [J] that are round-off."""
AT_REST = 1e-8
"""Slip [m/s] below which a point is at rest."""
CHATTER_REMEDY = (
    "a light part bounces there between the stop and the vibrations of the links; a restitution below 1, more inertia "
    "there (a hub, a motor) or damping of the links ends that"
)


CASES = ("no impulse", "slides", "sticks", "reverses")
"""What a slip does in an impact, by the numbers recorded."""


class AlongWall(NamedTuple):
    """Slips before and after [m/s], impulse along the wall [N s], in space their sizes, and what the slip does."""

    before: float
    after: float
    impulse: float
    case: str


@dataclass(frozen=True)
class ImpactRecord:
    """One point, or one joint, that took part in an impact.

    Attributes
    ----------
    impact : int
        Number of the impact, counted from 1; all that take part in the same impact share it.
    time : float [s]
    what : str
        Name of the point, or the joint.
    against : str
        The wall, or the limit.
    before, after : float
        Velocity away from the wall [m/s], or rate of the joint.
    impulse : float
        Of the wall on the point [N s], or of the stop on the joint.
    lost : float [J]
        Energy lost here.
    rate_unit, impulse_unit : str
        Units of velocities and of the impulse.
    along : AlongWall or None
        What friction does.
    """

    impact: int
    time: float
    what: str
    against: str
    before: float
    after: float
    impulse: float
    lost: float
    rate_unit: str = "m/s"
    impulse_unit: str = "N s"
    along: AlongWall | None = None

    @property
    def collides(self) -> bool:
        """Whether the point approaches the wall; with friction it may be struck without that."""
        return self.along is None or self.before < -LEAST_APPROACH


def has_impacts(result: Result) -> bool:
    """Return whether a result has lists of impacts, which may be empty."""
    return "impact_time" in result or "limit_impact_time" in result


def impact_records(result: Result) -> list[ImpactRecord]:
    """Return the impacts of a result, with walls and with limits of joints, in the order of time.

    Raises
    ------
    ResultError
        One of them names a point or a joint that the arm does not have.
    """
    found = [*_with_walls(result), *_with_limits(result)]
    return sorted(found, key=lambda record: record.impact)


def _with_walls(result: Result) -> list[ImpactRecord]:
    if "impact_time" not in result:
        return []
    names = dict(enumerate(_points(result), start=1))
    points = _known(result, "impact_point", names, "points")
    walls = [f"wall {wall}" for wall in result["impact_wall"].tolist()]
    records = [ImpactRecord(*row) for row in _rows(result, "impact", points, walls)]
    if "impact_case" not in result:
        return records
    names = ("slip_before", "slip_after", "tangential_impulse", "case")
    columns = [_along(result[f"impact_{name}"]).tolist() for name in names]
    return [
        replace(record, along=AlongWall(_slip(before), _slip(after), impulse, CASES[int(case)]))
        for record, before, after, impulse, case in zip(records, *columns, strict=True)
    ]


def _along(values: np.ndarray) -> np.ndarray:
    """Values along walls, (..,) as they are recorded in the plane; in space the sizes of vectors."""
    return values if values.ndim == 1 else np.linalg.norm(values, axis=-1)


def _slip(value: float) -> float:
    """Slip [m/s], 0 where it is round-off."""
    return value if abs(value) > ROUND_OFF else 0.0


def _with_limits(result: Result) -> list[ImpactRecord]:
    if "limit_impact_time" not in result:
        return []
    joints = {i: f"joint {i}" for i in range(1, len(result.arm.joints) + 1)}
    names = _known(result, "limit_impact_joint", joints, "joints")
    sides = ["upper limit" if side > 0 else "lower limit" for side in result["limit_impact_side"].tolist()]
    kinds = [result.arm.joints[number - 1].kind for number in result["limit_impact_joint"].tolist()]
    return [
        ImpactRecord(*row, rate_unit=kind.rate_unit, impulse_unit=kind.impulse_unit)
        for row, kind in zip(_rows(result, "limit_impact", names, sides), kinds, strict=True)
    ]


def _known(result: Result, dataset: str, names: dict[int, str], what: str) -> list[str]:
    numbers = result[dataset].tolist()
    if strangers := set(numbers) - names.keys():
        raise ResultError(
            f"cannot read {result.path}: {dataset} {min(strangers)} is none of {len(names)} {what}"
        )
    return [names[number] for number in numbers]


def _rows(result: Result, prefix: str, what: list[str], against: list[str]) -> list[tuple]:
    measured = ("velocity_before", "velocity_after", "impulse", "energy_lost")
    columns = [result[f"{prefix}_{name}"].tolist() for name in ("number", "time")]
    columns += [what, against, *(result[f"{prefix}_{name}"].tolist() for name in measured)]
    return list(zip(*columns, strict=True))


def impact_summary(result: Result) -> list[str]:
    """Write how many impacts there were, and what is in contact at the end."""
    records = impact_records(result)
    impacts = len({record.impact for record in records})
    summary = f"{impacts} impact{'s' * (impacts != 1)}"
    if records:
        lost = sum(record.lost for record in records)
        first, last = records[0].time, records[-1].time
        summary += f", the first at {first:.6f} s, the last at {last:.6f} s; energy lost {energy_text(lost)}"
    if "energy_lost_friction" in result:
        summary += f"; sliding took {energy_text(result.rows('energy_lost_friction', slice(-1, None))[0])}"
    return [summary, *_chatter(records, result.arm.run.sample), *_at_rest(result)]


def energy_text(value: float) -> str:
    """Write an energy that is lost [J], 0 where it is round-off."""
    return f"{value if value > ROUND_OFF else 0.0:.3g} J"


def _chatter(records: list[ImpactRecord], interval: float) -> list[str]:
    """Contacts that chatter within an interval [s]: how many of the impacts are large, and what helps."""
    series: defaultdict[tuple[str, str], list[ImpactRecord]] = defaultdict(list)
    for record in records:
        series[record.what, record.against].append(record)
    found = []
    for (what, against), own in series.items():
        times, impulses = np.array([(record.time, abs(record.impulse)) for record in own]).T
        together = np.arange(1, times.size + 1) - np.searchsorted(times, times - interval)
        if together.max() > CHATTER:
            large = np.count_nonzero(impulses >= LARGE * impulses.max())
            place = f"its {against}" if against.endswith("limit") else against
            found.append(
                f"chatter: {what} strikes {place} up to {together.max()} times in {interval:g} s; {large} of the "
                f"{times.size} impacts have more than {LARGE:.0%} of the largest impulse; {CHATTER_REMEDY}"
            )
    return found


def _at_rest(result: Result) -> list[str]:
    """What rests on a wall, and on a limit, at the end."""
    end, found = slice(result.n_samples - 1, None), []
    if "contact_force" in result:
        pressed = result.rows("contact_force", end)[0] > 0
        pressed[:, [wall.number for wall in _contact(result).soft]] = False
        slides = np.zeros_like(pressed)
        if "contact_slip" in result:
            slip = result.rows("contact_slip", end)[0]
            speed = np.abs(slip) if slip.ndim == pressed.ndim else np.linalg.norm(slip, axis=-1)
            slides = pressed & (speed > AT_REST)
        for what, where in (("at rest on", pressed & ~slides), ("sliding on", slides)):
            points = [name for name, one in zip(_points(result), where.any(axis=1), strict=True) if one]
            found += [f"{what} a wall at the end: {', '.join(points)}"] if points else []
    if "limit_torque" in result:
        torques = result.rows("limit_torque", end)[0]
        joints = [
            f"joint {i} ({torque:.4g} {joint.kind.force_unit})"
            for i, (torque, joint) in enumerate(zip(torques, result.arm.joints, strict=True), start=1)
            if torque
        ]
        found += [f"at rest on a limit at the end: {', '.join(joints)}"] if joints else []
    return found


def _points(result: Result) -> list[str]:
    return [place.name for place in _contact(result).places(len(result.arm.links))]


def _contact(result: Result) -> Contact:
    contact = result.arm.contact
    assert contact is not None
    return contact
