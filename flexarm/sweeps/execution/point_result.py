"""Result of one point of a sweep: what is recorded of its run, or why it failed."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from flexarm.errors import FlexarmError
from flexarm.sweeps.measures.run_reduction import Recording


@dataclass(frozen=True)
class PointResult:
    """Result of one point.

    Attributes
    ----------
    measures : (n_measures,)
        NaN if the point failed.
    series : dict
        Name -> (n_times, ..).
    reason : str
        Why the point failed; empty if it did not.
    """

    measures: NDArray[np.float64]
    series: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    reason: str = ""


def failed_by(failure: Exception, recording: Recording) -> PointResult:
    """Return the result of a point at which something was raised."""
    known = isinstance(failure, FlexarmError)
    return failed(
        recording, str(failure) if known else f"internal error: {type(failure).__name__}: {failure}"
    )


def failed(recording: Recording, reason: str) -> PointResult:
    """Return the result of a point that failed."""
    return PointResult(*recording.of_failed_run(), reason=" ".join(reason.split()))
