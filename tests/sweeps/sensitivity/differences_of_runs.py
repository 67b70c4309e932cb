"""Gradients of arms with contacts or friction, compared with differences of runs at tight tolerances."""

from __future__ import annotations

import numpy as np

import flexarm
from flexarm.simulation.forward.motion_with_contact import prepare_motion_with_contact
from flexarm.simulation.forward.parametric_model import ParametricModel
from flexarm.sweeps.measures.recorded_quantities import quantity

TIGHT = {"run.rtol": 1e-13, "run.atol": 1e-15}
STENCIL = {-3: -1 / 60, -2: 3 / 20, -1: -3 / 4, 1: 3 / 4, 2: -3 / 20, 3: 1 / 60}
AWAY = 2e-3
"""Time [s] that samples keep from impacts, in which quantities bend or jump."""


def impact_times(arm):
    """Times [s] of all impacts of an arm, with walls and limits, and of touches of soft walls."""
    run = flexarm.simulate(arm)
    names = [name for name in ("impact_time", "limit_impact_time", "touch_time") if name in run]
    return np.unique(np.concatenate([np.empty(0), *(run[name] for name in names)]))


def away_from(impacts, times):
    """Whether each time [s] is away from all impacts."""
    return np.abs(times[:, None] - impacts).min(axis=1, initial=np.inf) > AWAY


def tips(arms):
    """Positions of the tip (m, 3) [m] of arms that differ in numbers, from equations that are derived once."""
    tip = quantity("tip", arms[0])
    model = ParametricModel(arms, [tip.dataset])
    for arm in arms:
        run = prepare_motion_with_contact(arm, model=model)
        yield np.concatenate([tip.pick(block[tip.dataset]) for block in run.blocks()])


def check_against_runs(arm, keys, step=2e-5, meets=True):
    """Compare derivatives of the tip with differences of runs; `meets` if impacts must be among what happens."""
    arm = arm.replace({"run.rtol": 1e-10, "run.atol": 1e-13})
    found = flexarm.gradient(arm, ["tip"], keys)
    impacts = impact_times(arm)
    assert impacts.size or not meets, "nothing is met"
    free = away_from(impacts, found.times)
    for key, at in zip(found.by, found.at, strict=True):
        h = step * abs(at)
        moved = tips([arm.replace({**TIGHT, key: at + k * h}) for k in STENCIL])
        runs = np.einsum("k,k...->...", list(STENCIL.values()), np.array(list(moved)))
        size = np.abs(found["tip", key]).max()
        # runs at 1e-13, and events to 1e-13 m, leave 1e-12 over the step
        np.testing.assert_allclose(
            np.asarray(found["tip", key])[free],
            runs[free] / h,
            rtol=0,
            atol=1e-6 * size + 1e-12 / h,
            err_msg=key,
        )
