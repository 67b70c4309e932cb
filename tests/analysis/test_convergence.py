"""Convergence of runs: the estimate against finer runs and exact beams, what it writes, what it does not know."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from random_arms import random_arm

import flexarm
from flexarm.analysis.convergence.refined_arm import refined_arm
from flexarm.analysis.convergence.resolution import LinkResolution, ModeSet, Resolution
from flexarm.simulation.forward.parametric_model import ParametricModel
from flexarm.simulation.forward.prepare import prepare_run

FACTOR = 3.0
"""Ratio of an estimate to the true error, and its inverse, that is allowed."""

WHIP = """
name: whip
geometric_stiffening: true   # why
links: [{length: 1.0, mu: 10.0, EI: 20.0, modes: 3}]   # one segment
run: {duration: 0.75, sample: 0.005}
"""
TRUE_WHIP = {0.375: (0.55466, -0.83108), 0.75: (-0.94737, -0.31385)}
"""Tip of the soft pendulum by 24 geometrically exact beam elements, t [s] -> x, y [m]."""
PAIR = """
name: pair
gravity: [0, 0, 0]
geometric_stiffening: true
links:
  - {length: 1.0, mu: 1.0, EI: 100.0, damping: [0.01, 0.03], modes: {family: clamped-free, count: 2}}
  - length: 0.5
    mu: 1.0
    EI: {z: 50.0}
    GJ: 20
    rotary_inertia: [1e-3, 0, 0]
    damping: 0.02
    modes: [{family: polynomial, count: 1, direction: z}, {family: fixed-free, count: 1, direction: torsion}]
initial: {joints: [0.1, 0.2], modes: [1e-3, 2e-4, 3e-4, 3e-4]}
"""


@cache
def run_to_the_end(text: str) -> np.ndarray:
    """Position of the tip at the samples, (k, 3) [m]."""
    arm = flexarm.parse_arm(text)
    run = prepare_run(
        arm, model=ParametricModel([arm], ["point_position"])
    )  # compiles sooner than with all datasets
    tip = np.concatenate([block["point_position"][:, -1] for block in run.blocks()])
    assert run.status == "complete"
    return tip


def largest_distance(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.linalg.norm(a - b, axis=-1).max())


@pytest.fixture(scope="module")
def whip():
    return flexarm.converge(flexarm.parse_arm(WHIP), "1 mm")


@pytest.mark.slow
def test_the_error_of_a_soft_pendulum_is_that_against_exact_beams(whip):
    """At two instants the error is at most the estimate, and the finest run is right where exact beams are known."""
    tips = {t: whip.reference.trial.tip[round(t / 0.005), :2] for t in TRUE_WHIP}
    given = {t: whip.trials[0].tip[round(t / 0.005), :2] for t in TRUE_WHIP}
    for t, true in TRUE_WHIP.items():
        assert np.linalg.norm(tips[t] - true) < whip.reference.rest + 3e-5  # digits of the reference
        assert np.linalg.norm(given[t] - true) < whip.estimate
    true = run_to_the_end(WHIP.replace("modes: 3", "segments: 8, modes: 3"))
    error = largest_distance(whip.trials[0].tip, true)
    assert 1 / FACTOR < whip.estimate / error < FACTOR
    assert whip.known


@pytest.mark.slow
def test_the_cheapest_description_is_accurate_and_keeps_its_comments(whip):
    true = run_to_the_end(WHIP.replace("modes: 3", "segments: 8, modes: 3"))
    assert largest_distance(run_to_the_end(whip.description), true) < 1e-3
    assert whip.cheapest.operations == min(
        trial.operations
        for trial in whip.trials
        if trial.distance(whip.reference.trial) + whip.reference.rest < 1e-3
    )
    assert "# why" in whip.description
    assert "# one segment" in whip.description
    again = flexarm.parse_arm(whip.description)
    assert again.model_copy(update={"links": (), "run": None, "initial": None}) == flexarm.parse_arm(
        WHIP
    ).model_copy(update={"links": (), "run": None, "initial": None})


SOFT = """
name: soft
geometric_stiffening: {stiffening}
links: [{{length: 1, mu: 1, EI: 5, modes: {count}}}]
run: {{duration: 0.3, sample: 0.01}}
"""


@pytest.mark.slow
def test_the_plain_model_converges_with_segments_and_not_with_modes():
    """One link without stiffening stays wrong however many modes it has; the estimate says so."""
    texts = [SOFT.format(stiffening=stiffening, count=3) for stiffening in ("false", "true")]
    plain, stiffened = (flexarm.converge(flexarm.parse_arm(text), "0.5 mm") for text in texts)
    rest = plain.reference.rest + stiffened.reference.rest
    assert plain.reference.trial.distance(stiffened.reference.trial) < FACTOR * rest < plain.estimate / 5
    modes = run_to_the_end(SOFT.format(stiffening="false", count=6))
    error = largest_distance(modes, stiffened.reference.trial.tip)
    assert error > 0.9 * plain.trials[0].distance(stiffened.reference.trial)
    assert 1 / FACTOR < plain.estimate / error < FACTOR


@pytest.mark.slow
def test_estimates_of_fifty_arms():
    found = [estimate_over_error(seed) for seed in range(50)]
    ratios = np.array([ratio for ratio, _ in found])
    print("estimate over error, quantiles 0, 5, 25, 50, 75, 95, 100 %:", end=" ")
    print(*np.round(np.quantile(ratios, [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1]), 2))
    print("errors [m]:", *(f"{error:.1e}" for _, error in found))
    assert np.all((ratios > 1 / FACTOR) & (ratios < FACTOR))


def estimate_over_error(seed: int) -> tuple[float, float]:
    """Ratio of the estimate to the error against 16 segments of 3 modes, and that error [m]."""
    given, true = random_arm(seed)
    found = flexarm.converge(flexarm.parse_arm(given))
    error = largest_distance(found.trials[0].tip, run_to_the_end(true))
    print(f"{seed}: estimate {found.estimate:.2e} m, error {error:.2e} m, {len(found.trials)} runs")
    return found.estimate / error, error


def test_families_without_load_are_replaced_and_damping_follows():
    arm = flexarm.parse_arm(PAIR)
    carrying = Resolution.of(arm).load_carrying()
    assert carrying.links == (
        LinkResolution(1, (ModeSet("craig-bampton", "y", 2),)),
        LinkResolution(1, (ModeSet("polynomial", "z", 2), ModeSet("craig-bampton", "torsion", 1))),
    )
    finer = carrying.more_modes()
    assert finer is not None
    first, second = refined_arm(arm, finer).links
    assert first.damping == (0.01, 0.03, 0.03)
    assert second.damping == (0.02,) * 5
    cut = finer.more_segments()
    assert cut is not None
    assert [link.segments for link in refined_arm(arm, cut).links] == [2, 2]


def test_initial_deflections_keep_their_shape():
    arm = flexarm.parse_arm(PAIR)
    fine = Resolution.of(arm)
    for _ in range(2):
        fine = fine.more_segments()
        assert fine is not None
        fine = fine.more_modes()
        assert fine is not None
    refined = refined_arm(arm, fine)
    assert refined.links[0].segments == 4
    shapes = [
        flexarm.motion_equations(one).shape(
            np.concatenate(
                [
                    [one.initial.joints[0]],
                    one.initial.modes[: one.links[0].n_modes],
                    [one.initial.joints[1]],
                    one.initial.modes[one.links[0].n_modes :],
                ]
            ),
            9,
        )
        for one in (arm, refined)
    ]
    np.testing.assert_allclose(shapes[1], shapes[0], atol=3e-7)  # third power of a slope of 0.005


def test_amplitudes_of_modes_that_are_kept_are_written_as_typed():
    text = "name: bent\nlinks: [{length: 1, mu: 1, EI: 100, modes: 2}]\ninitial: {modes: [0.0137, -0.3e-3]}\n"
    finer = Resolution.of(flexarm.parse_arm(text)).more_modes()
    assert finer is not None
    refined = refined_arm(flexarm.parse_arm(text), finer)
    assert f"modes: [0.0137, -0.0003{', 0' * (refined.links[0].n_modes - 2)}]" in refined.text


def test_a_run_block_is_added_where_there_is_none():
    arm = flexarm.parse_arm("name: bar\nlinks: [{length: 1, mu: 1}]  # rigid\n")
    tighter = Resolution.of(arm).tighter()
    assert tighter is not None
    refined = refined_arm(arm, tighter)
    assert (refined.run.rtol, refined.run.atol, refined.run.duration) == (1e-11, 1e-13, 1.0)
    assert "# rigid" in refined.text


def test_segments_that_the_program_chose_are_refined():
    arm = flexarm.parse_arm(WHIP.replace("modes: 3", "segments: auto, modes: 3"))
    own = Resolution.of(arm)
    finer = own.more_segments()
    assert finer is not None
    assert own.links[0].segments > 1
    assert refined_arm(arm, finer).links[0].segments == 2 * own.links[0].segments


def test_rigid_arms_have_an_error_of_tolerances_only():
    arm = flexarm.parse_arm(
        "name: bar\nlinks: [{length: 1, mu: 1}]\nrun: {duration: 1, sample: 0.1, rtol: 1e-4, atol: 1e-5}\n"
    )
    found = flexarm.converge(arm, 1e-6)
    assert found.known
    assert set(found.reference.differences) == {"tolerances"}
    assert found.cheapest is not found.trials[0]
    assert found.cheapest.arm.run.rtol < 1e-4


@pytest.mark.slow
def test_a_fixed_step_shrinks_with_finer_modes():
    text = WHIP.replace("0.75, sample: 0.005", "0.1, sample: 0.01, method: rk4, step: 5e-4").replace(
        "20.0", "100.0"
    )
    found = flexarm.converge(flexarm.parse_arm(text), 1e-4)
    assert found.known
    steps = {trial.resolution.step for trial in found.trials}
    assert max(steps) >= 5e-4 > min(steps)
    finer = [trial for trial in found.trials if trial.label in ("one more mode", "segments x 2")]
    assert finer
    assert all(trial.resolution.step < 5e-4 for trial in finer)


CHAOS = """
name: chaos
links: [{length: 1.0, mu: 1.0}, {length: 1.0, mu: 1.0}, {length: 1.0, mu: 1.0}]
initial: {joints: [150 deg, 20 deg, 50 deg]}
run: {duration: 60.0, sample: 0.05, rtol: 1e-6, atol: 1e-8}
"""


def test_a_chaotic_motion_gets_no_number():
    found = flexarm.converge(flexarm.parse_arm(CHAOS))
    assert not found.known
    assert found.sensitive
    assert found.cheapest is None
    assert 1 < found.agreement < 60


def test_what_would_take_too_long_is_not_tried():
    found = flexarm.converge(flexarm.parse_arm(WHIP), limit=1e-3)
    assert not found.known
    assert len(found.trials) == 1
    assert all("not tried, it would take about" in trial.failure for trial in found.failures)
    assert math.isinf(found.estimate)


@pytest.mark.slow
def test_an_interruption_keeps_what_is_known(whip):
    """Wherever it comes: nothing at first, then an estimate without tolerances, then the whole of it."""
    estimates = {}

    class Interruption:
        def __init__(self, run: int):
            self.left = run

        def __call__(self, fraction: float, t: float | None) -> None:
            self.left -= t == 0.0  # reported as a run begins
            if self.left < 0:
                raise KeyboardInterrupt

    for runs in (1, 2, len(whip.trials) - 1):
        found = flexarm.converge(flexarm.parse_arm(WHIP), "1 mm", progress=Interruption(runs))
        assert found.interrupted
        assert [trial.label for trial in found.trials] == [trial.label for trial in whip.trials[:runs]]
        estimates[runs] = found.estimate
    assert math.isinf(estimates[1])
    assert 1 / FACTOR < estimates[2] / whip.estimate < FACTOR
    assert found.known
    assert found.cheapest is not None


@pytest.mark.parametrize("accuracy", ["0 mm", "1 parsec", "-1e-3", math.nan, "", 0])
def test_accuracies_that_are_no_length(accuracy):
    with pytest.raises(flexarm.ModelError, match="expected a part of the longest link's length"):
        flexarm.converge(flexarm.parse_arm(WHIP), accuracy)


@pytest.mark.parametrize(
    ("accuracy", "metres"), [("0.1 mm", 1e-4), ("2cm", 0.02), (1e-3, 5e-4), ("1e-3", 5e-4)]
)
def test_accuracies(accuracy, metres):
    arm = flexarm.parse_arm("name: bar\nlinks: [{length: 0.5, mu: 1}, {length: 0.1, mu: 1}]\n")
    assert flexarm.converge(arm, accuracy, limit=1e-9).accuracy == pytest.approx(metres)


def test_an_arm_that_was_changed_is_refused():
    arm = flexarm.parse_arm(WHIP).model_copy(update={"gravity": (0.0, 0.0, 0.0)})
    with pytest.raises(flexarm.ModelError, match="changed after it was read"):
        flexarm.converge(arm)
