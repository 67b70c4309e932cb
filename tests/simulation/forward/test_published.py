"""The arm of Usoro et al. by every formulation and method; published numbers are cases of flexarm/validation."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from paths import ROBOTS

import flexarm


def robot(name: str, **run):
    arm = flexarm.load_arm(ROBOTS / f"{name}.yaml")
    return arm.model_copy(update={"run": arm.run.model_copy(update=run)})


@cache
def usoro(**run):
    return flexarm.simulate(robot("usoro_two_link", **run))


@pytest.mark.parametrize("formulation", ["articulated", "gibbs-appell"])
def test_usoro_energy_is_constant(formulation):
    """[GA09] Table 3 arm, 3 s at rtol 1e-9: drift below 1e-8 of the largest kinetic energy."""
    result = usoro(formulation=formulation)
    drift = np.abs(result.energy_total - result.energy_total[0]).max() / result.energy_kinetic.max()
    print(f"{formulation}: relative energy drift {drift:.1e}")
    assert drift < 1e-8


# With other methods: the accuracy of one step is not that of the run, so each has its own bound.
@pytest.mark.parametrize(
    ("run", "bound"),
    [
        ({"method": "rk4", "step": 2e-4}, 1e-7),
        ({"method": "radau", "rtol": 1e-9, "atol": 1e-11}, 1e-6),
    ],
    ids=lambda value: value["method"] if isinstance(value, dict) else "",
)
def test_methods_agree_on_the_usoro_arm(run, bound):
    expected, found = usoro(), usoro(**run)
    expected = expected.point_position[: found.n_samples]
    difference = np.abs(found.point_position - expected).max()
    print(f"{run['method']}: largest difference {difference:.1e} m in {found.attributes['steps']} steps")
    assert difference < bound
