"""Random drops with friction: whether each ends, its balance of energy, how deep it goes, how long it takes.

Run: python benchmarks/friction_drops.py [--quick] [--seeds N] [--first SEED]
"""

import os
import sys
import time
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # small matrices

import numpy as np
from measuring.machine import heading
from measuring.options import option_parser

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "simulation" / "contact" / "friction"))

from rough_drops import energy_error, penetration, rough_drop

import flexarm

SEEDS, QUICK_SEEDS = 300, 2
LARGE_ERROR, DEEP, SLOW = 1e-8, 1e-7, 30.0  # -, m, s: such drops have a line of their own


def main() -> None:
    parser = option_parser(__doc__)
    parser.add_argument("--seeds", type=int, help=f"number of drops [{SEEDS}]")
    parser.add_argument("--first", type=int, default=0, help="first seed [0]")
    options = parser.parse_args()
    seeds = options.seeds or (QUICK_SEEDS if options.quick else SEEDS)
    print(f"{heading('flexarm', 'casadi', 'numpy', quick=options.quick)}; processor time")
    ended, errors, depths, impacts, durations = 0, [], [], [], []
    for seed in range(options.first, options.first + seeds):
        begin = time.process_time()
        result = flexarm.simulate(flexarm.parse_arm(rough_drop(seed)))
        durations.append(time.process_time() - begin)
        errors.append(energy_error(result))
        depths.append(penetration(result))
        impacts.append(len(np.unique(result["impact_number"])))
        ended += result.status == "complete"
        if (
            result.status != "complete"
            or errors[-1] > LARGE_ERROR
            or depths[-1] > DEEP
            or durations[-1] > SLOW
        ):
            print(f"seed {seed}: {result.status}, balance {errors[-1]:.1e}, {depths[-1]:.1e} m deep, "
                  f"{impacts[-1]} impacts, {durations[-1]:.1f} s {result.message}", flush=True)  # fmt: skip
    print(f"{ended} of {seeds} drops ended; balance of energy {max(errors):.1e} of the largest kinetic one at most, "
          f"depth {max(depths):.1e} m, impacts {np.median(impacts):g} in the median, {max(impacts)} at most; "
          f"{np.median(durations):.2f} s, {max(durations):.1f} s")  # fmt: skip


if __name__ == "__main__":
    main()
