"""Time of a period of 1 ms of an exported step, compiled by gcc: six links of 0.3 m, EI 50 N m^2, with two modes each.

RK4 at 1 ms is unstable there, so it takes substeps; the linearly implicit method takes one. Beside them the stepper,
whose integrator keeps its tolerances.

Run: python benchmarks/c_step.py [--quick]
"""

import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from measuring.machine import heading
from measuring.options import is_quick
from measuring.table import print_table

from flexarm import parse_arm
from flexarm.export.step.c_step import c_step

PERIOD = 1e-3
LINKS = 6
LINK = "  - {length: 0.3, mu: 0.5, EI: 50, modes: {family: clamped-free, count: 2}}\n"
MAIN = """\
#include "step.c"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(int argc, char **argv) {
  chain_parameters p = chain_DEFAULTS;
  chain_state state;
  double u[chain_N_INPUTS] = {0}, y[chain_N_OUTPUTS];
  const int n = argc > 1 ? atoi(argv[1]) : 1000;
  clock_t begin;
  int k, failed = 0;
  chain_init(&p, &state);
  begin = clock();
  for (k = 0; k < n; ++k) failed |= chain_step(&p, &state, u, y);
  printf("%.3f %.12f %d\\n", 1e6 * (double)(clock() - begin) / CLOCKS_PER_SEC / n, y[0], failed);
  return 0;
}
"""


def described(links):
    """The arm with so many links."""
    angles = ", ".join(["0.3"] * links)
    return parse_arm(
        f"name: chain\nlinks:\n{LINK * links}initial: {{joints: [{angles}]}}\nrun: {{duration: 1, sample: 0.01}}\n"
    )


def measured(gcc, step, periods, rounds):
    """Least time of a period [us], and the first output at the end."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "step.c").write_text(step.text)
        (Path(folder) / "main.c").write_text(MAIN)
        subprocess.run([gcc, "-std=c99", "-O2", "main.c", "-o", "main", "-lm"], cwd=folder, check=True)
        runs = [
            subprocess.run(["./main", str(periods)], cwd=folder, check=True, capture_output=True, text=True)
            for _ in range(rounds)
        ]
    texts = [run.stdout.split() for run in runs]
    assert not any(int(failed) for _, _, failed in texts)
    return min(float(us) for us, _, _ in texts), float(texts[0][1])


def main():
    quick = is_quick(__doc__)
    print(heading("flexarm", "casadi", "llvmlite", quick=quick))
    if (gcc := shutil.which("gcc")) is None:
        print("no gcc here")
        return
    arm = described(2 if quick else LINKS)
    periods, rounds = 20 if quick else 1000, 1 if quick else 5
    rows = []
    for method in ("rk4", "rosenbrock"):
        step = c_step(arm, period=PERIOD, outputs=["tip"], method=method)
        us, tip = measured(gcc, step, periods, rounds)
        rows.append((method, str(step.substeps.count), f"{us:.1f}", f"{tip:.9f}"))
    stepper = arm.stepper(PERIOD, outputs=["tip"])
    begin = time.process_time()
    for _ in range(periods):
        y, _ = stepper.step([0.0] * len(arm.links))
    us = 1e6 * (time.process_time() - begin) / periods
    rows.append(("stepper, dop853", "", f"{us:.1f}", f"{y[0]:.9f}"))
    print(
        f"processor time of a period of {1e3 * PERIOD:g} ms, least of {rounds}; x of the tip after {periods} periods"
    )
    print_table(("method", "substeps", "us", "tip m"), rows)


if __name__ == "__main__":
    main()
