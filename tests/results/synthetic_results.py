"""Results of seeded random numbers for real arms: storage does not care where they come from."""

from __future__ import annotations

import numpy as np
from paths import ROBOTS

from flexarm.description.reading.loader import load_arm
from flexarm.results.dimensions import dimension_sizes
from flexarm.results.result import Result
from flexarm.results.schema import DATASETS, required_datasets


def random_arrays(arm, samples: int) -> dict[str, np.ndarray]:
    rng, sizes = np.random.default_rng(7), dimension_sizes(arm)
    arrays = {
        name: rng.normal(size=(samples, *(sizes[dim] for dim in DATASETS[name].dims[1:])))
        for name in required_datasets("forward")
    }
    return {**arrays, "time": np.linspace(0.0, 3.0, samples)}


def synthetic_result(robot: str = "usoro_two_link", samples: int = 301, **attributes) -> Result:
    arm = load_arm(ROBOTS / f"{robot}.yaml")
    known = {
        "kind": "forward",
        "status": "complete",
        "message": "",
        "flexarm_version": "0.1.0",
        "robot": arm.text,
        "method": "dop853",
        "rtol": 1e-9,
        "steps": 417,
    }
    return Result(random_arrays(arm, samples), {**known, **attributes})
