"""Time of a period of 1 ms by a stepper, beside the same torque held within one integration, and simulating anew.

What a step takes beyond the integration is Python: checks of the inputs, one call of the kernel, one of the outputs.

Run: python benchmarks/stepper.py [--quick]
"""

import statistics
import time
from pathlib import Path

from measuring.machine import heading
from measuring.options import is_quick
from measuring.table import print_table

from flexarm import load_arm, parse_arm, simulate
from flexarm.simulation.forward.prepare import prepare_run

ROBOTS = Path(__file__).parents[1] / "robots"
PERIOD, PERIODS, ANEW = 1e-3, 1000, 3
"""Seconds, periods of a run, and of those that are simulated anew."""
SMALL = 0.01
"""Torque [N m] that is held: with another sign in every other period."""


def described(arm):
    """The arm with the same torques in its description, as a controller that computes at 1 kHz."""
    alternating = f"A: [[-1]], B: [[1]], C: [[{2 * SMALL}]], D: {-SMALL}"
    control = (
        "controllers:\n"
        f"  now: {{state_space: {{{alternating}}}, inputs: one, period: {PERIOD}}}\n"
        "  one: {reference: 1}\n"
        f"drive: [{{controller: now}}{', null' * (len(arm.links) - 1)}]\n"
    )
    run = f"run: {{duration: {PERIODS * PERIOD}, sample: {PERIODS * PERIOD}}}\n"
    return parse_arm(undriven(arm) + control + run)


def undriven(arm):
    """Text of the arm without its drives, controllers and run."""
    lines, kept = [], True
    for line in arm.text.splitlines():
        if line[:1].strip() and line[:1] not in "#-":
            kept = line.partition(":")[0] not in ("drive", "controllers", "run")
        if kept:
            lines.append(line)
    return "\n".join(lines) + "\n"


def seconds_of_steps(stepper):
    """Time of a period by a stepper [s]."""
    stepper.reset()
    u = [[SMALL * (-1) ** k, *[0.0] * (len(stepper.inputs) - 1)] for k in range(PERIODS)]
    begin = time.process_time()
    for each in u:
        stepper.step(each)
    return (time.process_time() - begin) / PERIODS


def seconds_of_integration(arm):
    """Time of a period within one integration [s]."""
    run = prepare_run(arm)
    begin = time.process_time()
    for _ in run.integration.pieces([PERIODS * PERIOD]):
        pass
    return (time.process_time() - begin) / PERIODS


def seconds_anew(arm):
    """Time of a period that is simulated anew, from another state than the last [s]."""
    taken = []
    for k in range(ANEW):
        run = f"initial: {{joints: [{0.1 + 0.01 * k}{', 0.2' * (len(arm.links) - 1)}]}}\n"
        text = undriven(arm).partition("initial:")[0] + run
        begin = time.process_time()
        simulate(parse_arm(f"{text}run: {{duration: {PERIOD}, sample: {PERIOD}}}\n"))
        taken.append(time.process_time() - begin)
    return statistics.median(taken)


def main():
    quick = is_quick(__doc__)
    rounds = 1 if quick else 15
    print(heading("flexarm", "casadi", "llvmlite", quick=quick))
    rows = []
    for name in ("lqr_arm", "usoro_two_link"):
        arm = load_arm(ROBOTS / f"{name}.yaml")
        inside, stepper = described(arm), parse_arm(undriven(arm)).stepper(PERIOD, outputs=["tip"])
        step, integration = (
            min(each)
            for each in zip(
                *((seconds_of_steps(stepper), seconds_of_integration(inside)) for _ in range(rounds)),
                strict=True,
            )
        )
        anew = seconds_anew(arm)
        texts = (f"{1e6 * each:.1f}" for each in (step, integration, step - integration))
        rows.append((name, *texts, f"{1e3 * anew:.0f}"))
    print(f"processor time of a period of 1 ms, least of {rounds}")
    print_table(("arm", "step us", "integration us", "beyond it us", "simulate anew ms"), rows)


if __name__ == "__main__":
    main()
