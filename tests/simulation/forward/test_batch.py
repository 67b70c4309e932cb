"""Arms side by side move as each of them does alone."""

import numpy as np
import pytest

from flexarm.description import parse_arm
from flexarm.errors import ModelError
from flexarm.results.dimensions import dimension_sizes
from flexarm.results.schema import DATASETS
from flexarm.simulation.forward.batch import Batch, BatchItem
from flexarm.simulation.forward.free_motion import initial_state_of, initial_states, prepare_free_motion
from flexarm.simulation.forward.parametric_model import ParametricModel
from flexarm.solvers.dop853.layout import LANES

DRIVEN = """
name: driven
links:
  - {{length: 1.0, mu: 2.0, EI: {EI}, modes: {{family: clamped-free, count: 2}}}}
  - length: 0.8
    mu: 1.0
    EI: {{y: 80.0, z: 60.0}}
    modes: [{{family: clamped-free, count: 1, direction: y}}, {{family: clamped-free, count: 1, direction: z}}]
joints: [{{friction: {{viscous: {friction}}}}}, {{twist: 90 deg}}]
payload: {{mass: {mass}}}
drive:
  - torque: {{times: [0, 0.1, 0.3, 1], values: [0, 3, -2, 0]}}
  - torque: sin(5*t)
loads: [{{at: tip, force: [0, "cos(3*t)", 0]}}]
initial: {{joints: [20 deg, {angle} deg]}}
run: {{duration: {duration}, sample: 0.01, rtol: {rtol}, atol: 1e-11}}
"""
USUAL = {"EI": 50.0, "friction": 0.1, "mass": 0.3, "angle": -30, "duration": 0.5, "rtol": 1e-9}
VARIED = [
    USUAL,
    USUAL | {"EI": 70.0, "mass": 0.1, "duration": 0.3},
    USUAL | {"friction": 0.0, "angle": 50, "rtol": 1e-7},
    USUAL | {"mass": 0.5, "duration": 0.015},
]
TOLERANCES = 100.0
"""Of a run: how far two of them end up apart that chose other steps."""
FOLLOWS_ROUND_OFF = 0.03
"""Of the steps: where stability bounds them, which ones are tried again is a matter of round-off."""


def driven(numbers):
    return parse_arm(DRIVEN.format(**numbers))


@pytest.fixture(scope="module")
def model():
    return ParametricModel([driven(numbers) for numbers in VARIED])


def side_by_side(model, arms):
    """Datasets and run of each arm, as many at once as there are lanes."""
    if len(arms) > LANES:
        return side_by_side(model, arms[:LANES]) + side_by_side(model, arms[LANES:])
    instances = [model.instance(arm) for arm in arms]
    batch = Batch(
        model,
        [BatchItem(instance, initial_state_of(model, instance)) for instance in instances],
    )
    blocks = list(batch.blocks())
    joined = [
        {name: np.concatenate([block[k][name] for block in blocks]) for name in blocks[0][k]}
        for k in range(len(arms))
    ]
    return list(zip(joined, batch.runs, strict=True))


def alone(model, arm):
    run = prepare_free_motion(arm, model=model)
    (block,) = run.blocks()
    return block, run


def test_every_dataset_is_that_of_a_run_alone(model):
    arms = [driven(numbers) for numbers in VARIED]
    for arm, (found, run) in zip(arms, side_by_side(model, arms), strict=True):
        expected, other = alone(model, arm)
        assert list(found) == list(expected)
        for name, values in expected.items():
            largest = np.abs(values).max()
            atol = TOLERANCES * arm.run.rtol * largest + 1e-12
            np.testing.assert_allclose(found[name], values, atol=atol, err_msg=name)
        np.testing.assert_array_equal(found["time"], expected["time"])
        assert (run.status, run.message) == ("complete", "")
        steps, expected_steps = run.attributes["steps"], other.attributes["steps"]
        assert abs(steps - expected_steps) <= 2 + FOLLOWS_ROUND_OFF * expected_steps
        assert run.n_samples == other.n_samples == len(found["time"])
        sizes = {"time": run.n_samples, **dimension_sizes(arm)}
        for name, values in found.items():
            assert values.shape == tuple(sizes[dimension] for dimension in DATASETS[name].dims), name


def test_no_bit_depends_on_the_others(model):
    arms = [driven(numbers) for numbers in VARIED]
    together = side_by_side(model, arms)
    for k, arm in enumerate(arms):
        ((found, run),) = side_by_side(model, [arm])
        for name, values in together[k][0].items():
            np.testing.assert_array_equal(found[name], values, err_msg=name)
        for name in ("steps", "evaluations"):
            assert run.attributes[name] == together[k][1].attributes[name]


def test_a_run_that_fails_keeps_what_it_has(model):
    arms = [driven(numbers) for numbers in VARIED]
    limited = arms[0].model_copy(update={"run": arms[0].run.model_copy(update={"max_steps": 30})})
    expected = side_by_side(model, arms[:2])
    (cut, failed), (whole, run) = side_by_side(model, [limited, arms[1]])
    assert failed.status == "incomplete"
    assert "limit of 30 steps" in failed.message
    assert 0 < len(cut["time"]) < len(expected[0][0]["time"])
    for name, values in cut.items():
        np.testing.assert_array_equal(values, expected[0][0][name][: len(values)], err_msg=name)
    assert run.status == "complete"
    np.testing.assert_array_equal(whole["point_position"], expected[1][0]["point_position"])


def test_several_blocks_are_one_run(model, monkeypatch):
    arms = [driven(numbers) for numbers in VARIED]
    expected = side_by_side(model, arms)
    monkeypatch.setattr("flexarm.simulation.forward.batch.BLOCK", 13)
    for (found, _), (whole, _) in zip(side_by_side(model, arms), expected, strict=True):
        for name, values in whole.items():
            np.testing.assert_array_equal(found[name], values, err_msg=name)


def test_an_arm_that_cannot_move_is_refused():
    rigid = parse_arm(
        "name: held\nlinks: [{length: 1.0, mu: 1.0}]\ndrive: [{motion: hold}]\n"
        "run: {duration: 1.0, sample: 0.1}\n"
    )
    model = ParametricModel([rigid])
    with pytest.raises(ModelError, match="nothing can move freely"):
        initial_state_of(model, model.instance(rigid))


def test_one_arm_that_cannot_start_keeps_no_other_from_it(model):
    arms = [driven(numbers) for numbers in VARIED]
    huge = arms[1].model_copy(
        update={
            "initial": arms[1].initial.model_copy(update={"modes": (1e200,) * len(arms[1].initial.modes)})
        }
    )
    instances = [model.instance(arm) for arm in (arms[0], huge, arms[2])]
    with np.errstate(all="ignore"):
        first, fault, last = initial_states(model, instances)
    assert "the mass matrix is not finite at the start" in str(fault)
    for found, arm in ((first, arms[0]), (last, arms[2])):
        for state, expected in zip(found, initial_state_of(model, model.instance(arm)), strict=True):
            np.testing.assert_array_equal(state, expected)
