"""Dimensions of the datasets: what their indices mean, and how many there are for an arm."""

from __future__ import annotations

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.control.controller import outputs_of
from flexarm.model.coordinates import BASES
from flexarm.results.schema import SENSOR_DATASETS, Dataset

AXES = ("x", "y", "z")
QUATERNION = ("e_0", "e_1", "e_2", "e_3")
STATIONS = (0.5, 1.0)
"""Fractions of a link's length at which its deflection and rotation are recorded: [GA09] figures 8 to 15."""
PARTS = ("real", "imaginary")

# One value per index of a dimension; `time` is a dataset of its own.
COORDINATES: dict[str, Dataset] = {
    "joint": Dataset(("joint",), "1", "number of the joint, counted from the base"),
    "mode": Dataset(("mode",), "1", "number of the mode, in the order of the coordinates theta"),
    "coordinate": Dataset(("coordinate",), "1", "number of the coordinate, in the order of theta_d"),
    "point": Dataset(("point",), "1", "origin O_i of frame i; the last one is the tip"),
    "axis": Dataset(("axis",), "1", "Cartesian axis"),
    "link": Dataset(("link",), "1", "number of the link, counted from the base"),
    "station": Dataset(("station",), "1", "place along the link as a fraction of its length"),
    "load_station": Dataset(("load_station",), "1", "place along the link as a fraction of its length"),
    "quaternion": Dataset(("quaternion",), "1", "component of a quaternion, the scalar first"),
    "contact_point": Dataset(("contact_point",), "1", "point of the arm that may touch walls"),
    "wall": Dataset(("wall",), "1", "number of the wall"),
    "tangent": Dataset(("tangent",), "1", "direction along the wall: 1 is normal x axis, 2 the axis"),
    "impact": Dataset(("impact",), "1", "row of the list of impacts"),
    "limit_impact": Dataset(("limit_impact",), "1", "row of the list of impacts with limits of joints"),
    "touch": Dataset(("touch",), "1", "row of the list of touches of soft walls"),
    "joint_impulse_row": Dataset(("joint_impulse_row",), "1", "row of the list of impulses of joints"),
    "motion_impulse_row": Dataset(("motion_impulse_row",), "1", "row of the list of impulses of motions"),
    "sensor": Dataset(("sensor",), "1", "number of the sensor, in the order of the description"),
    "controller_output_row": Dataset(
        ("controller_output_row",), "1", "number of the output, in the order of the description"
    ),
    "task": Dataset(("task",), "1", "prescribed coordinate, in the order of the attribute task"),
    "task_column": Dataset(("task_column",), "1", "prescribed coordinate, as a column"),
    "natural_mode": Dataset(("natural_mode",), "1", "number of the natural mode, rigid-body motions first"),
    "spin": Dataset(("spin",), "1", "number of the steady rotation"),
    "campbell_line": Dataset(("campbell_line",), "1", "number of the line of the Campbell diagram"),
    "frequency": Dataset(("frequency",), "1", "number of the frequency"),
    "line": Dataset(("line",), "1", "number of the line of the excitation"),
    "measured_line": Dataset(("measured_line",), "1", "number of the measured frequency"),
    "output": Dataset(("output",), "1", "output, in the order of the attribute outputs"),
    "input": Dataset(("input",), "1", "input, in the order of the attribute inputs"),
    "zero": Dataset(("zero",), "1", "number of the zero"),
    "model_pole_number": Dataset(
        ("model_pole_number",), "1", "number of the pole of a model with controllers"
    ),
    "part": Dataset(("part",), "1", "real or imaginary part"),
    "shape_station": Dataset(("shape_station",), "1", "place along the link as a fraction of its length"),
}

_VALUES = {"axis": AXES, "station": STATIONS, "quaternion": QUATERNION, "part": PARTS}
"""Values along dimensions of fixed length."""
EVEN = ("shape_station", "load_station")
FIXED_SIZES = {name: len(values) for name, values in _VALUES.items()}


def coordinate_values(dimension: str, size: int, arm: Arm | None = None) -> np.ndarray:
    """Return the values along a dimension, (size,): names, places along a link, or numbers from 1.

    Places along a link may be those that an arm asks for; without the arm they are evenly spaced, and sensors and
    outputs of controllers have numbers in the place of names.
    """
    if dimension == "load_station" and arm is not None:
        return np.array(arm.run.load_stations)
    if dimension == "sensor" and arm is not None:
        return np.array([name for name, _ in arm.sensors], object)
    if dimension == "controller_output_row" and arm is not None:
        return np.array(list(outputs_of(dict(arm.controllers))), object)
    if dimension in _VALUES:
        values = _VALUES[dimension]
        return np.array(values, object if isinstance(values[0], str) else float)
    return np.linspace(0.0, 1.0, size) if dimension in EVEN else np.arange(1, size + 1)


def dimension_sizes(arm: Arm) -> dict[str, int]:
    """Length of every dimension of the datasets that a simulation of an arm records, but the time."""
    n, modes = len(arm.links), sum(link.n_modes for link in arm.links)
    sizes = {
        "joint": n,
        "mode": modes,
        "coordinate": sum((joint.type != "fixed") + joint.is_elastic for joint in arm.joints)
        + modes
        + len(BASES[arm.base_kind][0]),
        "point": n + 1,
        "link": n,
        "load_station": len(arm.run.load_stations),
        **FIXED_SIZES,
    }
    if arm.sensors:
        sizes["sensor"] = len(arm.sensors)
    if arm.controllers:
        sizes["controller_output_row"] = len(outputs_of(dict(arm.controllers)))
    if arm.contact is not None:
        sizes |= {"contact_point": len(arm.contact.places(n)), "wall": len(arm.contact.walls)}
        sizes |= {"tangent": 2} if arm.n_directions == 2 else {}
    return sizes


def sensor_datasets(arm: Arm) -> tuple[str, ...]:
    """Datasets of the sensors of an arm: none without, and readings where any sensor does not read the true value."""
    exact = all(sensor.is_exact for _, sensor in arm.sensors)
    return SENSOR_DATASETS[: (2 - exact) * bool(arm.sensors)]
