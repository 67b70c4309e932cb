"""What derivatives of a run cost, beside plain runs, and how far they are from differences of runs.

Integration of the arm alone and with its derivatives by one number, by three and by seven, in turn; derivation,
compilation and recording are left out. Least processor time. The error is that of the tip's derivative, of its largest,
against differences of sixth order of runs at rtol 1e-13. An arm with impacts, or joints that stick, is simulated first
and its derivatives are integrated then, from event to event; how large their errors are the tests say.

Last the derivatives of one record of a chain of five links: by the variational equations, without what they record, and
by the adjoint, with all that it does.

Run: python benchmarks/sensitivity.py [--quick]
"""

import sys
from pathlib import Path

import numpy as np
from measuring.machine import heading
from measuring.options import is_quick
from measuring.table import print_table
from measuring.timing import in_turn

import flexarm
from flexarm.simulation.forward.motion_with_contact import prepare_motion_with_contact
from flexarm.simulation.forward.prepare import prepare_run
from flexarm.simulation.forward.run import sample_count, sample_times
from flexarm.solvers.base import start
from flexarm.sweeps.measures.scalar_measures import scalar_measures
from flexarm.sweeps.sensitivity.adjoint import adjoint_gradient
from flexarm.sweeps.sensitivity.contact.event_log import LoggedIntegration
from flexarm.sweeps.sensitivity.contact.motion_in_pieces import MotionInPieces
from flexarm.sweeps.sensitivity.directions.directions import directions
from flexarm.sweeps.sensitivity.variational_equations import VariationalEquations

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from many_numbers import planar

ROBOTS = Path(__file__).parents[1] / "robots"
KEYS = {
    "usoro_two_link": ("links[0].EI", "links[1].EI", "links[0].mu", "links[1].mu", "links[0].length", "links[1].length",
                       "initial.joints[0]"),
    "servo_arm": ("drive[0].pd.kp", "drive[0].pd.kd", "payload.mass", "links[0].length", "links[1].length",
                  "drive[1].pd.kp", "drive[1].pd.kd"),
}  # fmt: skip
WITH_EVENTS = {
    "limited_two_link": ("links[0].EI", "payload.mass", "joints[0].limits.restitution", "drive[1].pd.kp",
                         "links[1].EI", "links[0].length", "links[1].length"),
    "sticking_arm": ("payload.mass", "links[1].EI", "joints[0].friction.coulomb", "joints[1].friction.static",
                     "links[0].length", "links[1].length", "links[0].mu"),
}  # fmt: skip
COUNTS = (1, 3, 7)
MANY = (10, 20, 50)
STENCIL = {-3: -1 / 60, -2: 3 / 20, -1: -3 / 4, 1: 3 / 4, 2: -3 / 20, 3: 1 / 60}
BUDGET, QUICK_BUDGET = 4.0, 0.1  # s for each comparison


def error(arm, key, found):
    """Error of the derivative of the tip, of its largest."""
    exact, at = found["tip", key], found.at[found.by.index(key)]
    tight, step = arm.replace({"run.rtol": 1e-13, "run.atol": 1e-15}), 1e-4 * abs(at)
    runs = sum(w * flexarm.simulate(tight.replace(key, at + k * step)).tip for k, w in STENCIL.items()) / step
    return np.abs(exact - runs).max() / np.abs(exact).max()


def tolerant(name):
    """A shipped arm at the tolerances of the comparison."""
    return flexarm.load_arm(ROBOTS / f"{name}.yaml").replace({"run.rtol": 1e-9, "run.atol": 1e-12})


def integrating(problem, times):
    """Action that integrates a problem."""

    def once():
        for _ in start("dop853", problem).pieces(times):
            pass

    return once


def smooth(name, keys):
    """Actions that integrate an arm alone, and with derivatives."""
    arm = tolerant(name)
    times = sample_times(arm, 0, sample_count(arm))
    problems = {0: prepare_run(arm).integration.problem}
    for k in COUNTS:
        found = directions(arm, keys[:k], ["point_position"])
        problems[k] = VariationalEquations(found.model.state_equation, k).problem(found)

    return {k: integrating(one, times) for k, one in problems.items()}


def with_events(name, keys):
    """Actions that integrate an arm, and the derivatives of its motion; and its stretches of smooth motion."""
    arm, actions = tolerant(name), {}
    times = sample_times(arm, 0, sample_count(arm))

    def alone(model):
        run = prepare_motion_with_contact(arm, model=model)
        for _ in run.integration.pieces(times):
            pass

    stretches = []
    for k in COUNTS:
        found = directions(arm, keys[:k], ["point_position"])
        motion = MotionInPieces(found)
        integration = motion.run.integration
        assert isinstance(integration, LoggedIntegration)
        for _ in integration.pieces(times):
            pass
        within, stretches = integration.problem.within(times), integration.stretches
        actions[k] = lambda motion=motion, within=within: motion.derivatives(within)
        actions.setdefault(0, lambda model=found.model: alone(model))
    return actions, len(stretches)


def of_one_record(quick):
    """Rows of many numbers: how many, plain runs by the variational equations and by the adjoint."""
    arm, keys = planar()
    times = sample_times(arm, 0, sample_count(arm))
    (record,) = scalar_measures(["final_tip_y"], arm)
    for k in MANY[:1] if quick else MANY:
        found = directions(arm, keys[:k], ["point_position"])  # of which the record is
        problem = VariationalEquations(found.model.state_equation, k).problem(found)
        taken = in_turn(
            {
                "alone": integrating(prepare_run(arm).integration.problem, times),
                "variational": integrating(problem, times),
                "adjoint": lambda found=found: adjoint_gradient(found, record),
            },
            QUICK_BUDGET if quick else BUDGET,
        )
        alone, *others = (one.fastest for one in taken.values())
        yield (f"{k}", f"{1e3 * alone:.2f}", *(f"{one / alone:.2f}" for one in others))


def measured(actions, budget, after=False):
    """Seconds of the arm alone, and plain runs that it takes with derivatives, which are all of it or come after."""
    taken = in_turn({f"{k}": actions[k] for k in (0, *COUNTS)}, budget)
    alone, *together = (one.fastest for one in taken.values())
    return [f"{1e3 * alone:.2f}", *(f"{after + one / alone:.2f}" for one in together)]


def main():
    quick, rows = is_quick(__doc__), []
    budget = QUICK_BUDGET if quick else BUDGET
    print(f"{heading('flexarm', 'casadi', 'numpy', quick=quick)}; least processor time")
    for name, keys in KEYS.items():
        row = measured(smooth(name, keys), budget)
        arm = tolerant(name)
        found = flexarm.gradient(arm, ["tip"], keys[:1] if quick else keys)
        rows.append((name, *row, f"{max(error(arm, key, found) for key in found.by):.0e}"))
    for name, keys in WITH_EVENTS.items():
        actions, count = with_events(name, keys)
        rows.append((f"{name}, {count} stretches", *measured(actions, 2 * budget, after=True), ""))
    print_table(("arm", "plain, ms", *(f"{k} numbers, runs" for k in COUNTS), "worst error"), rows)
    header = ("numbers", "plain, ms", "variational, runs", "adjoint, runs")
    print_table(header, list(of_one_record(quick)))


if __name__ == "__main__":
    main()
