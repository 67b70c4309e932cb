"""Impacts of a run among walls: one record for each point that took part, and a summary in sentences."""

from __future__ import annotations

from dataclasses import dataclass

from flexarm.errors import ResultError
from flexarm.results.result import Result


@dataclass(frozen=True)
class ImpactRecord:
    """One point that took part in an impact.

    Attributes
    ----------
    impact : int
        Number of the impact, counted from 1; points that take part in the same impact share it.
    time : float [s]
    point : str
        Name of the point.
    wall : int
        Number of the wall, counted from 1.
    before, after : float [m/s]
        Velocity away from the wall.
    impulse : float [N s]
    lost : float [J]
        Energy lost at this point.
    """

    impact: int
    time: float
    point: str
    wall: int
    before: float
    after: float
    impulse: float
    lost: float


def impact_records(result: Result) -> list[ImpactRecord]:
    """Return the impacts of a result of an arm among walls, in the order of time.

    Raises
    ------
    ResultError
        One of them names a point that the arm does not have.
    """
    names = dict(enumerate(_points(result), start=1))
    if strangers := set(result["impact_point"].tolist()) - names.keys():
        raise ResultError(
            f"cannot read {result.path}: impact_point {min(strangers)} is none of {len(names)} points"
        )
    columns = (
        result["impact_number"].tolist(),
        result["impact_time"].tolist(),
        [names[point] for point in result["impact_point"].tolist()],
        result["impact_wall"].tolist(),
        result["impact_velocity_before"].tolist(),
        result["impact_velocity_after"].tolist(),
        result["impact_impulse"].tolist(),
        result["impact_energy_lost"].tolist(),
    )
    return [ImpactRecord(*row) for row in zip(*columns, strict=True)]


def impact_summary(result: Result) -> list[str]:
    """Write how many impacts there were, and which points are in contact at the end."""
    number, times = result["impact_number"], result["impact_time"]
    impacts = int(number.max(initial=0))
    summary = f"{impacts} impact{'s' * (impacts != 1)}"
    if times.size:
        lost = result["impact_energy_lost"].sum()
        summary += f", the first at {times[0]:.6f} s, the last at {times[-1]:.6f} s; energy lost {lost:.3g} J"
    forces = result.rows("contact_force", slice(result.n_samples - 1, None))[0]
    in_contact = [name for name, force in zip(_points(result), forces.max(axis=1), strict=True) if force > 0]
    return [summary, *([f"at rest on a wall at the end: {', '.join(in_contact)}"] if in_contact else [])]


def _points(result: Result) -> list[str]:
    contact = result.arm.contact
    assert contact is not None
    return [place.name for place in contact.places(len(result.arm.links))]
