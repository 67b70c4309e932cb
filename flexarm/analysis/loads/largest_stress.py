"""Largest stress of each link over a run, and the safety that is left."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.results.result import Result


@dataclass(frozen=True)
class LargestStress:
    """Largest von Mises stress of a link.

    Attributes
    ----------
    link : int
        From 1.
    stress : float [Pa]
    at : float [1]
        Station, as a fraction of the link's length.
    time : float [s]
    strength : float or None [Pa]
        Of its material.
    """

    link: int
    stress: float
    at: float
    time: float
    strength: float | None

    @property
    def safety(self) -> float | None:
        """Strength over stress [1]; None if the strength is not known or nothing is stressed."""
        return self.strength / self.stress if self.strength and self.stress else None

    @property
    def warning(self) -> str:
        """Say that the strength is passed; empty if it is not."""
        if self.safety is None or self.safety >= 1:
            return ""
        return (
            f"link {self.link}: its stress reaches {self.stress / 1e6:.4g} MPa at {self.at:g} of its length, more than "
            f"the strength of {self.strength / 1e6:.4g} MPa"  # pyright: ignore[reportOptionalOperand]
        )


def largest_stresses(result: Result) -> list[LargestStress]:
    """Largest stresses of the links whose section is known; none where loads were not recorded."""
    if "stress_max" not in result or not result.n_samples:
        return []
    arm, times, found = result.arm, result["time"], []
    for i, link in enumerate(arm.links):
        if link.section is None or link.material is None:
            continue
        stress = result["stress_max"][:, i]
        if not np.isfinite(stress).all():
            continue  # of a motion that diverged
        sample, k = np.unravel_index(np.argmax(stress), stress.shape)
        found.append(
            LargestStress(
                i + 1,
                float(stress[sample, k]),
                arm.run.load_stations[k],
                float(times[sample]),
                link.material.strength,
            )
        )
    return found
