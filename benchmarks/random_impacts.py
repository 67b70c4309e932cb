"""Poisson's law at random impacts of 1 to 8 contacts: are all solved, does energy grow, how long does it take.

Contacts are coupled, redundant, light and heavy, in the plane and in space; friction is up to 1.5, restitution up to 1,
each contact's own.

Run: python benchmarks/random_impacts.py [--quick] [--impacts N] [--first SEED]

Found so: seeds 0 to 99 999 in the plane and 0 to 29 999 in space are all solved, none gains energy; in relative numbers
no contact enters its wall faster than 4e-11, no friction is beyond its cone by more than 6e-13. The median is 1.3 ms in
the plane and 3.5 ms in space, the longest 0.3 s, in space where polygons of 8 sides are no start for Newton's method.
"""

import os
import sys
import time
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # small matrices

import numpy as np
from measuring.machine import heading
from measuring.options import option_parser

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from random_impact_problems import arguments, random_impact, violations

from flexarm.errors import FlexarmError
from flexarm.simulation.contact.impact_laws.poisson import poisson

IMPACTS, QUICK_IMPACTS = 100_000, 100
GAIN, ROUND_OFF = 1e-10, 1e-8
"""Energy, and speed or impulse, beyond which an impact has a line of its own."""
PLACES = {2: "plane", 3: "space"}


def main() -> None:
    parser = option_parser(__doc__)
    parser.add_argument("--impacts", type=int, help=f"in the plane, and as many in space [{IMPACTS}]")
    parser.add_argument("--first", type=int, default=0, help="first seed [0]")
    options = parser.parse_args()
    impacts = options.impacts or (QUICK_IMPACTS if options.quick else IMPACTS)
    print(f"{heading('flexarm', 'numpy', quick=options.quick)}; processor time")
    for d, place in PLACES.items():
        measure(d, place, range(options.first, options.first + impacts))


def measure(d: int, place: str, seeds: range) -> None:
    unsolved, worst, seconds = 0, np.full(4, -np.inf), []
    for seed in seeds:
        problem = random_impact(np.random.default_rng(seed), d)
        begin = time.process_time()
        try:
            impulses = poisson(*arguments(problem)).impulses
        except FlexarmError as failure:
            unsolved += 1
            print(f"{place}, seed {seed}, {len(problem.speeds)} contacts: {failure}", flush=True)
            continue
        finally:
            seconds.append(time.process_time() - begin)
        found = violations(problem, impulses)
        worst = np.maximum(worst, found)
        if found[0] > GAIN or max(found[1:]) > ROUND_OFF:
            print(f"{place}, seed {seed}, {len(problem.speeds)} contacts: energy {found[0]:.1e}, "
                  f"speed {found[1]:.1e}, pull {found[2]:.1e}, friction {found[3]:.1e}", flush=True)  # fmt: skip
    print(f"{place}: {len(seeds)} impacts, {unsolved} unsolved; at most: energy gained {worst[0]:.1e}, "
          f"speed into a wall {worst[1]:.1e}, pull {worst[2]:.1e}, friction beyond its cone {worst[3]:.1e}, relative; "
          f"{1e3 * np.median(seconds):.1f} ms in the median, {1e3 * np.max(seconds):.0f} at most")  # fmt: skip


if __name__ == "__main__":
    main()
