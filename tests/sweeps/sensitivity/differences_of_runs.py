"""Gradients of arms with contacts or friction, compared with differences of runs at tight tolerances."""

from __future__ import annotations

import numpy as np

import flexarm
from flexarm.results.recorded_datasets import recorded_datasets
from flexarm.simulation.forward.motion_with_contact import prepare_motion_with_contact
from flexarm.simulation.forward.parametric_model import ParametricModel
from flexarm.sweeps.measures.recorded_quantities import quantity
from flexarm.sweeps.sensitivity.contact.event_log import EVENT, LoggedIntegration

TIGHT = {"run.rtol": 1e-13, "run.atol": 1e-15}
STENCIL = {-3: -1 / 60, -2: 3 / 20, -1: -3 / 4, 1: 3 / 4, 2: -3 / 20, 3: 1 / 60}
AWAY = 2e-3
"""Time [s] that samples keep from events, in which quantities bend or jump."""

FORCES = (
    "contact_force",
    "contact_tangential_force",
    "contact_slip",
    "contact_penetration",
    "limit_torque",
    "friction_torque",
    "energy_lost_impacts",
)


def difference(arm, key, at, step, pick):
    """Derivative of what is picked of a run by a key, by a sixth-order difference of runs with this step."""
    runs = {k: pick(flexarm.simulate(arm.replace(key, at + k * step))) for k in STENCIL}
    return sum(weight * runs[k] for k, weight in STENCIL.items()) / step


def check_tip(arm, keys, step, rtol):
    """Compare derivatives of the tip with differences of runs at tight tolerances, at all samples."""
    found = flexarm.gradient(arm, ["tip"], keys)
    for key, at in zip(found.by, found.at, strict=True):
        h = step * abs(at)
        runs = difference(arm.replace(TIGHT), key, at, h, lambda run: run.tip)
        # runs at 1e-13 over the step
        atol = rtol * np.abs(runs).max() + 1e-12 / h
        np.testing.assert_allclose(found["tip", key], runs, rtol=0, atol=atol, err_msg=key)


def event_times(arm):
    """Times [s] of all events of an arm's contacts and friction, and whether there are impacts or touches."""
    run = prepare_motion_with_contact(arm, integration=LoggedIntegration)
    for _ in run.blocks():
        pass
    assert isinstance(run.integration, LoggedIntegration)
    stretches = run.integration.stretches
    met = bool(run.integration.impacts or run.integration.touches)
    return np.unique([one.t for one in stretches if one.cause == EVENT]), met


def away_from(events, times):
    """Whether each time [s] is away from all events."""
    return np.abs(times[:, None] - events).min(axis=1, initial=np.inf) > AWAY


def series_of(arms, names):
    """Quantities (m, ..) over time of arms that differ in numbers, from equations that are derived once."""
    quantities = [quantity(name, arms[0]) for name in names]
    model = ParametricModel(arms, [one.dataset for one in quantities])
    for arm in arms:
        blocks = list(prepare_motion_with_contact(arm, model=model).blocks())
        yield [np.concatenate([one.pick(block[one.dataset]) for block in blocks]) for one in quantities]


def check_against_runs(arm, keys, step=2e-5, meets=True):
    """Compare derivatives of the tip and of the forces of contacts with differences of runs, away from events.

    `meets` if impacts must be among these.
    """
    arm = arm.replace({"run.rtol": 1e-10, "run.atol": 1e-13})
    of = ["tip", *(name for name in recorded_datasets(arm) if name in FORCES)]
    found = flexarm.gradient(arm, of, keys)
    events, met = event_times(arm)
    assert met or not meets, "nothing is met"
    free = away_from(events, found.times)
    for key, at in zip(found.by, found.at, strict=True):
        h = step * abs(at)
        moved = list(series_of([arm.replace({**TIGHT, key: at + k * h}) for k in STENCIL], of))
        for i, name in enumerate(of):
            runs = np.einsum("k,k...->...", list(STENCIL.values()), np.array([one[i] for one in moved]))
            derivative, values = np.asarray(found[name, key]), np.abs(found.series[name]).max()
            # runs at 1e-13, and events to 1e-13 m, leave 1e-12 of the tip over the step; forces have the error of
            # deflections times a stiffness
            noise = 1e-12 if name == "tip" else 1e-9
            np.testing.assert_allclose(
                derivative[free],
                runs[free] / h,
                rtol=0,
                atol=1e-6 * np.abs(derivative[free]).max() + noise * max(values, 1.0) / h,
                err_msg=f"{name} by {key}",
            )
