"""Five unknowns of a rig from noisy measurements: how honest the intervals are, and what a fit costs.

A flexible link on a DC motor: stiffness, damping ratio, payload, viscous friction and motor constant, from an encoder
and a strain gauge over 5 s at 500 Hz with noise of 1 % of their standard deviations. Each search begins with every
number off by a factor of 3, up or down at random. Processor time is that of a whole fit: derivation, compilation, all
simulations, and the verdict. Of errors in standard errors 99.7 % are below 3, of five at a time 98.7 %, as these are
correlated somewhat more.

Run: python benchmarks/identification.py [--quick]
"""

import sys
from pathlib import Path
from time import process_time

import numpy as np
from measuring.machine import heading
from measuring.options import is_quick
from measuring.table import print_table

import flexarm

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from measured_rig import COLUMNS, NUMBERS, RIG, exact, measured

SEEDS, QUICK_SEEDS = 200, 2
FACTOR = 3.0


def main():
    quick = is_quick(__doc__)
    print(f"{heading('flexarm', 'casadi', 'numpy', 'scipy', quick=quick)}; processor time")
    arm, wanted = flexarm.parse_arm(RIG), np.array(list(NUMBERS.values()))
    exact()
    errors, seconds, simulations = [], [], []
    for seed in range(QUICK_SEEDS if quick else SEEDS):
        factors = FACTOR ** np.random.default_rng(1000 + seed).choice([-1, 1], wanted.size)
        fits = [f"{key}={value:.6g}" for key, value in zip(NUMBERS, wanted * factors, strict=True)]
        data, begin = measured(seed), process_time()
        found = flexarm.identify(arm, data, fits, columns=COLUMNS)
        seconds.append(process_time() - begin)
        simulations.append(found.evaluations)
        errors.append((found.values - wanted) / found.standard_errors)
    size = np.abs(errors)
    rows = [
        (
            key,
            f"{100 * np.mean(size[:, k] < 3):.1f} %",
            f"{np.sqrt(np.mean(size[:, k] ** 2)):.2f}",
            f"{size[:, k].max():.1f}",
        )
        for k, key in enumerate(NUMBERS)
    ]
    rows.append(("all five", f"{100 * np.mean(size.max(axis=1) < 3):.1f} %", "", ""))
    print_table(("unknown", "within 3 errors", "rms in errors", "largest"), rows)
    print(
        f"{len(seconds)} seeds: {np.median(seconds):.2f} s a fit, {max(seconds):.2f} s at most; "
        f"{np.median(simulations):.0f} simulations with derivatives, {max(simulations)} at most"
    )


if __name__ == "__main__":
    main()
