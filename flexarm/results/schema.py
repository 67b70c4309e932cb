"""Every dataset of a result file: its dimensions, unit and meaning."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

# Raised by one whenever a file written by this version could be misread by an older one.
FORMAT_VERSION = 1


@dataclass(frozen=True)
class Dataset:
    """What one dataset holds.

    Attributes
    ----------
    dims : tuple of str
        Names of its dimensions, the time first.
    units : str
        SI unit; "1" for plain numbers.
    long_name : str
        Meaning in words, for people and for axis labels.
    """

    dims: tuple[str, ...]
    units: str
    long_name: str


DATASETS: dict[str, Dataset] = {
    "time": Dataset(("time",), "s", "time since the start"),
    "joint_angle": Dataset(("time", "joint"), "rad", "joint angle"),
    "joint_velocity": Dataset(("time", "joint"), "rad/s", "joint rate"),
    "joint_acceleration": Dataset(("time", "joint"), "rad/s^2", "joint acceleration"),
    "mode_amplitude": Dataset(("time", "mode"), "1", "modal amplitude"),
    "mode_velocity": Dataset(("time", "mode"), "1/s", "rate of the modal amplitude"),
    "mode_acceleration": Dataset(("time", "mode"), "1/s^2", "second rate of the modal amplitude"),
    "base_position": Dataset(("time", "axis"), "m", "position of the base"),
    "base_velocity": Dataset(("time", "axis"), "m/s", "velocity of the base"),
    "base_orientation": Dataset(("time", "quaternion"), "1", "turn of the base as a unit quaternion"),
    "base_angular_velocity": Dataset(("time", "axis"), "rad/s", "angular velocity of the base"),
    "point_position": Dataset(("time", "point", "axis"), "m", "position of the joints and of the tip"),
    "point_velocity": Dataset(("time", "point", "axis"), "m/s", "velocity of the joints and of the tip"),
    "link_deflection": Dataset(
        ("time", "link", "station", "axis"), "m", "deflection from the undeformed link, in its axes"
    ),
    "link_rotation": Dataset(
        ("time", "link", "station", "axis"),
        "rad",
        "rotation of the section from the undeformed link, in its axes",
    ),
    "torque": Dataset(("time", "joint"), "N m", "joint torque"),
    "energy_kinetic": Dataset(("time",), "J", "kinetic energy"),
    "energy_gravity": Dataset(("time",), "J", "potential energy of gravity"),
    "energy_strain": Dataset(("time",), "J", "strain energy of the links"),
    "energy_total": Dataset(("time",), "J", "kinetic, gravity and strain energy together"),
    "tip_desired": Dataset(("time", "axis"), "m", "desired position of the tip"),
    "tip_error": Dataset(("time",), "m", "distance of the tip from its desired position"),
    "turn_error": Dataset(("time",), "rad", "largest difference of the tip's angles from the desired ones"),
    "singular_value": Dataset(("time",), "1", "smallest singular value of the Jacobian of the joints"),
    "rigid_joint_angle": Dataset(("time", "joint"), "rad", "joint angle of the rigid arm on the same path"),
    "rigid_torque": Dataset(("time", "joint"), "N m", "joint torque of the rigid arm on the same path"),
    "torque_upper": Dataset(("time", "joint"), "N m", "largest torque of the motor at its speed"),
    "torque_lower": Dataset(("time", "joint"), "N m", "least torque of the motor at its speed"),
    "jacobian_joints": Dataset(("time", "task", "joint"), "1", "derivative of the task by the joint angles"),
    "jacobian_modes": Dataset(
        ("time", "task", "mode"), "1", "derivative of the task by the modal amplitudes"
    ),
    "jacobian_joints_rate": Dataset(
        ("time", "task", "joint"), "1/s", "rate of the derivative by the joint angles"
    ),
    "jacobian_modes_rate": Dataset(
        ("time", "task", "mode"), "1/s", "rate of the derivative by the amplitudes"
    ),
    "cartesian_inertia": Dataset(
        ("time", "task", "task_column"), "kg", "inertia felt at the task's coordinates"
    ),
    "momentum": Dataset(("time", "axis"), "kg m/s", "momentum of the whole arm"),
    "angular_momentum": Dataset(("time", "axis"), "kg m^2/s", "angular momentum about the mass centre"),
    "mass_centre": Dataset(("time", "axis"), "m", "position of the mass centre"),
    "energy_acceleration": Dataset(("time",), "J/s^2", "acceleration energy"),
    "contact_force": Dataset(
        ("time", "contact_point", "wall"), "N", "force of the wall on a point that rests on it"
    ),
    "tip_deflection": Dataset(
        ("time", "axis"), "m", "position of the tip from where it would be with straight links"
    ),
}

# One row for every point that took part in an impact; rows of the same number belong to the same impact.
IMPACTS: dict[str, Dataset] = {
    "impact_time": Dataset(("impact",), "s", "time of the impact"),
    "impact_number": Dataset(("impact",), "1", "number of the impact, counted from 1"),
    "impact_point": Dataset(("impact",), "1", "number of the point that touches"),
    "impact_wall": Dataset(("impact",), "1", "number of the wall that it touches"),
    "impact_impulse": Dataset(("impact",), "N s", "impulse of the wall on the point"),
    "impact_velocity_before": Dataset(("impact",), "m/s", "velocity away from the wall before the impact"),
    "impact_velocity_after": Dataset(("impact",), "m/s", "velocity away from the wall after the impact"),
    "impact_energy_lost": Dataset(("impact",), "J", "energy lost at this point"),
}

# Small vibrations about the posture of the only sample; shapes x are such that x^H M x = 1 kg m^2.
NATURAL_MODES: dict[str, Dataset] = {
    "natural_frequency": Dataset(("natural_mode",), "Hz", "natural frequency, 0 for rigid-body motions"),
    "damping_ratio": Dataset(("natural_mode",), "1", "damping ratio, negative for motions that grow"),
    "pole": Dataset(("natural_mode", "part"), "1/s", "eigenvalue of the motion"),
    "shape_joint_angle": Dataset(("natural_mode", "part", "joint"), "rad", "joint angle of the mode shape"),
    "shape_mode_amplitude": Dataset(
        ("natural_mode", "part", "mode"), "1", "modal amplitude of the mode shape"
    ),
    "shape_base_position": Dataset(
        ("natural_mode", "part", "axis"), "m", "shift of the base of the mode shape"
    ),
    "shape_base_rotation": Dataset(
        ("natural_mode", "part", "axis"), "rad", "turn of the base of the mode shape"
    ),
    "rest_point": Dataset(("link", "shape_station", "axis"), "m", "position of the links' axes at rest"),
    "shape_point": Dataset(
        ("natural_mode", "link", "shape_station", "axis"),
        "m",
        "the same in the mode shape, scaled to be seen",
    ),
}

# What does not run along the time.
TIMELESS = {**IMPACTS, **NATURAL_MODES}

# One value per index of a dimension; `time` is a dataset of its own.
COORDINATES: dict[str, Dataset] = {
    "joint": Dataset(("joint",), "1", "number of the joint, counted from the base"),
    "mode": Dataset(("mode",), "1", "number of the mode, in the order of the coordinates theta"),
    "point": Dataset(("point",), "1", "origin O_i of frame i; the last one is the tip"),
    "axis": Dataset(("axis",), "1", "Cartesian axis"),
    "link": Dataset(("link",), "1", "number of the link, counted from the base"),
    "station": Dataset(("station",), "1", "place along the link as a fraction of its length"),
    "quaternion": Dataset(("quaternion",), "1", "component of a quaternion, the scalar first"),
    "contact_point": Dataset(("contact_point",), "1", "point of the arm that may touch walls"),
    "wall": Dataset(("wall",), "1", "number of the wall"),
    "impact": Dataset(("impact",), "1", "row of the list of impacts"),
    "task": Dataset(("task",), "1", "prescribed coordinate, in the order of the attribute task"),
    "task_column": Dataset(("task_column",), "1", "prescribed coordinate, as a column"),
    "natural_mode": Dataset(("natural_mode",), "1", "number of the natural mode, rigid-body motions first"),
    "part": Dataset(("part",), "1", "real or imaginary part"),
    "shape_station": Dataset(("shape_station",), "1", "place along the link as a fraction of its length"),
}

# Labels that say which mode is which.
MODE_LABELS: dict[str, Dataset] = {
    "mode_link": Dataset(("mode",), "1", "number of the link that the mode bends"),
    "mode_direction": Dataset(("mode",), "1", "direction of the mode: y, z, torsion or axial"),
}

AXES = ("x", "y", "z")
QUATERNION = ("e_0", "e_1", "e_2", "e_3")
STATIONS = (0.5, 1.0)
PARTS = ("real", "imaginary")

# What a result of each kind must hold; further datasets of the table are welcome.
_NAMES = [name for name in DATASETS if not name.startswith("base_")]
_FORWARD = tuple(_NAMES[: _NAMES.index("tip_desired")])
_TRACKED = ("tip_desired", "tip_error")
KINDS: dict[str, tuple[str, ...]] = {
    "forward": _FORWARD,
    "flight": _FORWARD,
    "inverse": (*_FORWARD, *_TRACKED, "singular_value", "rigid_joint_angle", "rigid_torque"),
    "payload": (*_FORWARD, *_TRACKED),
    "equilibrium": (*_FORWARD, "tip_deflection"),
    "modes": (*_FORWARD, "tip_deflection", *(name for name in NATURAL_MODES if "base" not in name)),
}


def modal_units(name: str, directions: Collection[str]) -> tuple[str, str]:
    """Return unit and meaning of a ``mode_*`` dataset for modes in these directions.

    Mode shapes have no unit, so the amplitude of bending and axial modes is a length in m, that of torsion
    modes an angle in rad. One attribute cannot say both: with torsion modes it stays "1" and the long name
    tells.
    """
    entry = DATASETS[name]
    if "torsion" in directions:
        return entry.units, f"{entry.long_name} (m for bending and axial modes, rad for torsion)"
    return entry.units.replace("1", "m", 1), entry.long_name
