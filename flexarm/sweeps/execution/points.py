"""Simulation of the points of a sweep, side by side where they can; a failure stays with its own point."""

from __future__ import annotations

from collections.abc import Sequence

from flexarm.catalogue import METHODS
from flexarm.description.arm.arm import Arm
from flexarm.simulation.forward.batch import Batch, BatchItem
from flexarm.simulation.forward.free_motion import initial_states
from flexarm.simulation.forward.parametric_model import ModelInstance, ParametricModel, StructureMismatch
from flexarm.simulation.forward.prepare import prepare_run
from flexarm.simulation.forward.run import ForwardRun
from flexarm.solvers.dop853.layout import LANES
from flexarm.sweeps.execution.point_result import PointResult, failed, failed_by
from flexarm.sweeps.measures.recorded_quantities import Block
from flexarm.sweeps.measures.run_reduction import Recording, RunReduction


def run_points(arms: Sequence[Arm], recording: Recording, model: ParametricModel | None) -> list[PointResult]:
    """Simulate arms and record what is asked for; a failure stays with its own point.

    Arms that are instances of the model move side by side if they can; for those that are not, equations are derived
    one by one.
    """
    results: dict[int, PointResult] = {}
    instances: dict[int, ModelInstance] = {}
    for k, arm in enumerate(arms):
        try:
            if instance := _instance(arm, model):
                instances[k] = instance
            else:
                results[k] = _simulate_alone(arm, recording, model)
        except Exception as failure:  # whatever happens at one point, the others go on
            results[k] = failed_by(failure, recording)
    if model is not None and instances:
        results |= zip(
            instances, _simulate_instances(model, list(instances.values()), recording), strict=True
        )
    return [results[k] for k in range(len(arms))]


def _instance(arm: Arm, model: ParametricModel | None) -> ModelInstance | None:
    """An arm as an instance of the model, if it can move beside others."""
    if model is None or arm.is_event_driven or arm.clocks or not METHODS[arm.run.method].has_lanes:
        return None
    try:
        return model.instance(arm)
    except StructureMismatch:
        return None


def _simulate_instances(
    model: ParametricModel, instances: Sequence[ModelInstance], recording: Recording
) -> list[PointResult]:
    """Simulate instances of a model, as many at a time as there are lanes."""
    try:
        states = initial_states(model, instances)
    except Exception as failure:  # there are no equations for any of them
        return [failed_by(failure, recording)] * len(instances)
    results: dict[int, PointResult] = {}
    items: dict[int, BatchItem] = {}
    for k, (instance, state) in enumerate(zip(instances, states, strict=True)):
        if isinstance(state, Exception):
            results[k] = failed_by(state, recording)
        else:
            items[k] = BatchItem(instance, state)
    # arms that are alike take about as many steps, so that no lane waits long
    places = sorted(items, key=lambda k: items[k].instance.parameters.tolist())
    for first in range(0, len(places), LANES):
        batch = places[first : first + LANES]
        found = _simulate_batch(model, [items[k] for k in batch], recording)
        results |= zip(batch, found, strict=True)
    return [results[k] for k in range(len(instances))]


def _simulate_batch(
    model: ParametricModel, items: Sequence[BatchItem], recording: Recording
) -> list[PointResult]:
    reductions: list[RunReduction | PointResult] = [
        RunReduction(recording, item.instance.arm) for item in items
    ]
    try:
        batch = Batch(model, items)
        for blocks in batch.blocks():
            pairs = zip(reductions, blocks, strict=True)
            reductions = [_add_block(reduction, block, recording) for reduction, block in pairs]
    except Exception as failure:
        return [failed_by(failure, recording)] * len(items)
    return [
        each if isinstance(each, PointResult) else _finish(each, run, recording)
        for each, run in zip(reductions, batch.runs, strict=True)
    ]


def _add_block(
    reduction: RunReduction | PointResult, block: Block, recording: Recording
) -> RunReduction | PointResult:
    """Add a block to the reduction of a run, unless that has failed or fails now."""
    try:
        if isinstance(reduction, RunReduction):
            reduction.add(block)
    except Exception as failure:
        return failed_by(failure, recording)
    return reduction


def _simulate_alone(arm: Arm, recording: Recording, model: ParametricModel | None) -> PointResult:
    try:
        run = prepare_run(arm, model=model)
    except StructureMismatch:
        run = prepare_run(arm)
    reduction = RunReduction(recording, arm)
    for block in run.blocks():
        reduction.add(block)
    return _finish(reduction, run, recording)


def _finish(reduction: RunReduction, run: ForwardRun, recording: Recording) -> PointResult:
    if run.status == "incomplete":
        return failed(recording, run.message)
    try:
        return PointResult(*reduction.finish(run))
    except Exception as failure:
        return failed_by(failure, recording)
