"""Tips of all cases by exact beams with ever more functions per link, kept in reference.csv.

It takes about half an hour, so that it is done once and kept. Run: cd benchmarks; python -m chains.reference
"""

from __future__ import annotations

import csv
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from .case import CASES, Case
from .exact_beams import ExactBeams

TABLE = Path(__file__).with_name("reference.csv")
BENDING = (3, 4, 5)
"""Functions that bend a link, from coarse to fine."""


class Reference(NamedTuple):
    """Tips at the times of a case, complex (instants + 1,), and what each refinement changed [m]."""

    tips: np.ndarray
    changes: tuple[float, ...]


def read_reference(case: Case) -> Reference:
    """Read what `main` has written."""
    with TABLE.open() as file:
        rows = [row for row in csv.reader(file) if row[0] == case.name]
    numbers = np.array([row[1:] for row in rows], dtype=float)
    if not np.allclose(numbers[:, 0], case.times):
        raise ValueError(f"{TABLE}: {case.name} has other times than chains/case.py: make it anew")
    tips = (numbers[:, 1::2] + 1j * numbers[:, 2::2]).T
    changes = tuple(float(np.abs(fine - coarse).max()) for coarse, fine in pairwise(tips))
    return Reference(tips[-1], changes)


def main() -> None:
    rows: list[list[object]] = []
    for case in CASES:
        tips = []
        for bending in BENDING:
            begin = time.perf_counter()
            tips.append(ExactBeams(case, bending).tips())
            change = np.abs(tips[-1] - tips[-2]).max() if len(tips) > 1 else np.nan
            print(f"{case.name}, {bending} functions: change {change:.1e} m, {time.perf_counter() - begin:.0f} s",
                  file=sys.stderr)  # fmt: skip
        for k, t in enumerate(case.times):
            values = (part for tip in tips for part in (tip[k].real, tip[k].imag))
            rows.append([case.name, f"{t:g}", *(f"{value:.9f}" for value in values)])
    with TABLE.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["case", "t", *(f"{axis}_{bending}" for bending in BENDING for axis in "xy")])
        writer.writerows(rows)


if __name__ == "__main__":
    main()
