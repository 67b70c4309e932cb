"""Time of a step with a continuous controller of 10 states, whose matrices are full, and of a second sampled at 1 kHz.

The ruler of robots/lqr_arm.yaml, with its joint free, is the open loop. The controller reads two sensors; its poles lie
about those of the arm.

Run: python benchmarks/controllers.py [--quick]
"""

import time
from pathlib import Path

import numpy as np
from measuring.machine import heading
from measuring.options import is_quick
from measuring.table import print_table

from flexarm import parse_arm
from flexarm.simulation.forward.prepare import prepare_run

RULER = (Path(__file__).parents[1] / "robots" / "lqr_arm.yaml").read_text().partition("controllers:")[0]
STATES, PERIOD = 10, 1e-3
REPEATS = 20
"""Runs of which the one that takes least counts: another process disturbs the others."""


def controller():
    """Matrices of a stable controller with five pairs of poles, in states that mix them all."""
    rng = np.random.default_rng(1)
    sizes = np.geomspace(5, 200, STATES // 2)
    A = np.zeros((STATES, STATES))
    for k, size in enumerate(sizes):
        A[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = [[-0.5 * size, size], [-size, -0.5 * size]]
    mixed, _ = np.linalg.qr(rng.normal(size=A.shape))
    B, C = rng.normal(size=(STATES, 2)), 1e-3 * rng.normal(size=(1, STATES))
    return mixed @ A @ mixed.T, B, C


def described(control=""):
    """The ruler with a controller, for a second."""
    run = "initial: {joints: [0.1], joint_rates: [1.0]}\nrun: {duration: 1.0, sample: 1.0}\n"
    return parse_arm(f"{RULER}{control}{run}")


def matrices(period=""):
    """Text of the controller."""
    A, B, C = (each.tolist() for each in controller())
    inputs = f"inputs: [hub, gauge], state_space: {{A: {A}, B: {B}, C: {C}}}{period}"
    return f"controllers: {{c: {{{inputs}}}}}\ndrive: [{{controller: c}}]\n"


def seconds_and_steps(arm, repeats):
    """Least processor time of a run [s], and its steps."""
    taken, steps = [], 0
    for _ in range(repeats):
        run = prepare_run(arm)
        begin = time.process_time()
        for _ in run.integration.pieces([1.0]):
            pass
        taken.append(time.process_time() - begin)
        steps = run.integration.steps
    return min(taken), steps


def main():
    quick = is_quick(__doc__)
    repeats = 1 if quick else REPEATS
    print(heading("flexarm", "casadi", "llvmlite", quick=quick))
    cases = {
        "open loop": described(),
        f"{STATES} states, continuous": described(matrices()),
        "gain, sampled at 1 kHz": described(
            f"controllers: {{c: {{gain: [[-0.5, 2]], inputs: [hub, gauge], period: {PERIOD}}}}}\n"
            "drive: [{controller: c}]\n"
        ),
    }
    rows, first = [], None
    for name, arm in cases.items():
        seconds, steps = seconds_and_steps(arm, repeats)
        each = 1e6 * seconds / steps
        first = first or each
        rows.append((name, str(steps), f"{1e3 * seconds:.2f}", f"{each:.2f}", f"{each / first:.2f}"))
    print(f"processor time of 1 s of the ruler, least of {repeats}")
    print_table(("controller", "steps", "ms", "us per step", "of the open loop"), rows)


if __name__ == "__main__":
    main()
