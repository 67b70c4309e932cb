"""Which modes an inversion needs: arms whose zeros lie near infinity with some modes, and what others do for them.

Run: python benchmarks/inverse_modes.py [--quick] [--seeds N] [--law LAW] [--family FAMILY] [--first SEED]

The arms move in a vertical plane, one or two links that are soft and fast, two or three modes each. The moment of
inertia of the payload is drawn within 1 % of the value at which a pair of zeros of the unbent arm lies at infinity with
these modes (docs/guide/inverse.md), so that bending takes it through. What is refused is tried with modes of the other
family, as many, and counts as mended if the forward dynamics finds the tip within 1e-6 m of its path.

Found so, of the seeds 30000, 30004, .. 30176; 30001, .. 30229; 30002, .. 30202 with quintic: of 145 arms that are
critical for clamped-free modes 40 are refused, 29 of them because of zeros; craig-bampton modes mend 21 of these and 10
of the others. Of 45 that are critical for craig-bampton modes 8 are refused; clamped-free ones mend 6.
"""

import os
import re
import sys
from collections import Counter
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # small matrices

import numpy as np
from measuring.machine import heading
from measuring.options import option_parser

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from random_inverse_tasks import REGULAR, RandomTask, Ranges, random_task, smallest_singular_value

import flexarm
from flexarm.catalogue import TIME_LAWS
from flexarm.errors import FlexarmError, ModelError
from flexarm.simulation.inverse.methods.inverse_method import make_inverse_method
from flexarm.simulation.inverse.problem import InverseProblem, inverse_problem
from flexarm.simulation.inverse.verification.verification import verified_error

SEEDS, QUICK_SEEDS = 400, 2
NEAR = 0.01
CRITICAL = {"clamped-free": {2: 0.01420, 3: 0.00481}, "craig-bampton": {2: 0.00256, 3: 0.00056}}
"""Moment of inertia about the tip, over mu l^3 of the last link, by family and number of its modes."""
RANGES = Ranges(
    planar=True, links=(1, 2), modes=(2, 3), sag=(0.005, 0.04), periods=(2.0, 6.0), kinds=("line", "circle")
)
VERIFIED = 1e-6  # m
REASONS = {
    "goes through infinity": "a pair of zeros goes through infinity",
    "grow at the start and": "the numbers of growing motions differ",
    "number of growing motions changes": "the number of growing motions changes",
}


def main() -> None:
    parser = option_parser(__doc__)
    parser.add_argument("--seeds", type=int, help=f"number of draws, of which some are no tasks [{SEEDS}]")
    parser.add_argument("--first", type=int, default=30000, help="first seed [30000]")
    parser.add_argument("--law", default="quintic", choices=TIME_LAWS, help="time law of the tasks [quintic]")
    parser.add_argument(
        "--family", default="clamped-free", choices=CRITICAL, help="critical modes [clamped-free]"
    )
    options = parser.parse_args()
    (other,) = set(CRITICAL) - {options.family}
    print(heading("flexarm", "numpy", quick=options.quick))
    seeds = options.seeds or (QUICK_SEEDS if options.quick else SEEDS)
    tried, found = 0, Counter()
    for seed in range(options.first, options.first + seeds):
        task = critical_task(seed, options.law, options.family)
        if task is None:
            continue
        tried += 1
        reason = refusal(problem_of(task))
        if not reason:
            continue
        with_others = outcome(problem_of(task, options.family, other))
        found[reason, with_others] += 1
        print(f"seed {seed} ({task.kind}): {reason}; with {other} {with_others}", flush=True)
    print(f"{tried} arms near what is critical for {options.family}, {sum(found.values())} refused")
    for (reason, with_others), number in sorted(found.items()):
        print(f"{number:4d}  {reason}; with {other} modes {with_others}")


def critical_task(seed: int, law: str, family: str) -> RandomTask | None:
    """A task whose payload is about as large as is critical; None where the rigid arm cannot do it."""
    rng = np.random.default_rng([26, seed])
    task = random_task(rng, law, family, RANGES)
    last = flexarm.parse_arm(task.arm).links[-1]
    J = CRITICAL[family][int(task.kind.split()[2])] * last.mu.values[0] * last.length**3
    J *= 1 + rng.uniform(-NEAR, NEAR)
    arm = re.sub(r"(payload: .*inertia: )\[.*\]", rf"\g<1>[{J:.6g}, {J:.6g}, {J:.6g}]", task.arm)
    task = task._replace(arm=arm)
    try:
        problem = problem_of(task)
    except ModelError:
        return None
    return task if smallest_singular_value(problem) >= REGULAR * problem.kinematics.size else None


def problem_of(task: RandomTask, family: str = "", other: str = "") -> InverseProblem:
    """The problem, with modes of another family if given."""
    arm = task.arm.replace(f"family: {family}", f"family: {other}") if other else task.arm
    return inverse_problem(flexarm.parse_arm(arm), flexarm.parse_trajectory(task.trajectory))


def refusal(problem: InverseProblem) -> str:
    """Why a problem has no solution; empty if one is found."""
    try:
        make_inverse_method("stable").solve(problem)
    except FlexarmError as failure:
        return next((reason for words, reason in REASONS.items() if words in str(failure)), "another reason")
    return ""


def outcome(problem: InverseProblem) -> str:
    """What becomes of a problem."""
    try:
        error = verified_error(make_inverse_method("stable").solve(problem))
    except FlexarmError:
        return "refused too"
    return "mended" if error < VERIFIED else "solved, but off by more than 1e-6 m in forward dynamics"


if __name__ == "__main__":
    main()
