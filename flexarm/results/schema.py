"""Datasets of a result file: dimensions, unit, meaning, and the kinds of results that cannot be without them."""

from __future__ import annotations

from dataclasses import dataclass

# Raised by one whenever a file written by this version could be misread by an older one.
FORMAT_VERSION = 2

SIMULATED, TRACKED, STATIC = ("forward", "flight"), ("inverse", "payload"), ("equilibrium", "modes")
"""Kinds of results: of a motion from initial values, along a trajectory, and of an arm at rest."""
KINDS = (*SIMULATED, *TRACKED, *STATIC)


@dataclass(frozen=True)
class Dataset:
    """Dataset: dimensions, unit and meaning.

    Attributes
    ----------
    dims : tuple of str
        Names of its dimensions, the time first.
    units : str
        SI unit; "1" for plain numbers.
    long_name : str
        Meaning in words, for people and for axis labels.
    needed_by : tuple of str
        Kinds of results that must hold it. A new dataset has none here, or older files would count as damaged.
    along_walls : bool
        Whether it has a further dimension, the tangents of walls, where these rub in space.
    """

    dims: tuple[str, ...]
    units: str
    long_name: str
    needed_by: tuple[str, ...] = ()
    along_walls: bool = False

    def dims_of(self, n: int) -> tuple[str, ...]:
        """Names of the dimensions of an array with n of them."""
        return (*self.dims, "tangent") if self.along_walls and n == len(self.dims) + 1 else self.dims


FORCE_TERMS = {
    "inertia": "inertia",
    "gravity": "gravity",
    "deformation": "deformation and its damping",
    "friction": "joint friction",
    "drive": "drives",
    "load": "loads, walls and stops",
}
"""Terms of the balance of generalised forces and their causes: the first four add up to the other two."""

TORQUE_PARTS = {
    "feedforward": "its own and that of the run that is followed",
    "proportional": "proportional part",
    "derivative": "derivative part",
    "integral": "integral part",
    "gravity_compensation": "compensation of gravity",
    "controller": "that of its controller",
    "voltage": "torque of the voltage at standstill",
    "back_emf": "back-emf",
    "limit": "taken away by the motor's limits",
}
"""Parts of a drive's torque, which add up to it, and what they are."""

FURTHER_DATASETS = {
    "generalised_forces": tuple(f"force_{name}" for name in FORCE_TERMS),
    "acceleration_energy": ("energy_acceleration",),
    "loads": ("joint_force", "joint_moment", "section_force", "section_moment"),
}
"""Datasets of what a run records only if it is asked to."""
STRESS = "stress_max"
"""Dataset that is made of recorded loads, of links whose section is known."""

SENSOR_DATASETS = ("sensor_value", "sensor_reading")
"""What sensors measure, and what they read where that is something else."""

DATASETS: dict[str, Dataset] = {
    "time": Dataset(("time",), "s", "time since the start", KINDS),
    "joint_angle": Dataset(("time", "joint"), "rad", "joint angle", KINDS),
    "joint_velocity": Dataset(("time", "joint"), "rad/s", "joint rate", KINDS),
    "joint_acceleration": Dataset(("time", "joint"), "rad/s^2", "joint acceleration", KINDS),
    "mode_amplitude": Dataset(("time", "mode"), "1", "modal amplitude", KINDS),
    "mode_velocity": Dataset(("time", "mode"), "1/s", "rate of the modal amplitude", KINDS),
    "mode_acceleration": Dataset(("time", "mode"), "1/s^2", "second rate of the modal amplitude", KINDS),
    "base_position": Dataset(("time", "axis"), "m", "position of the base"),
    "base_velocity": Dataset(("time", "axis"), "m/s", "velocity of the base"),
    "base_orientation": Dataset(("time", "quaternion"), "1", "turn of the base as a unit quaternion"),
    "base_angular_velocity": Dataset(("time", "axis"), "rad/s", "angular velocity of the base"),
    "point_position": Dataset(("time", "point", "axis"), "m", "position of the joints and of the tip", KINDS),
    "point_velocity": Dataset(
        ("time", "point", "axis"), "m/s", "velocity of the joints and of the tip", KINDS
    ),
    "link_deflection": Dataset(
        ("time", "link", "station", "axis"), "m", "deflection from the undeformed link, in its axes", KINDS
    ),
    "link_rotation": Dataset(
        ("time", "link", "station", "axis"),
        "rad",
        "rotation of the section from the undeformed link, in its axes",
        KINDS,
    ),
    "torque": Dataset(("time", "joint"), "N m", "joint torque", KINDS),
    **{
        f"torque_{name}": Dataset(("time", "joint"), "N m", f"part of the drives' torque: {meaning}")
        for name, meaning in TORQUE_PARTS.items()
    },
    "energy_kinetic": Dataset(("time",), "J", "kinetic energy", KINDS),
    "energy_gravity": Dataset(("time",), "J", "potential energy of gravity", KINDS),
    "energy_strain": Dataset(("time",), "J", "strain energy of the links", KINDS),
    "energy_total": Dataset(("time",), "J", "all these energies together", KINDS),
    "motor_angle": Dataset(("time", "joint"), "rad", "angle of the motor behind its gear"),
    "motor_velocity": Dataset(("time", "joint"), "rad/s", "rate of the motor behind its gear"),
    "motor_acceleration": Dataset(("time", "joint"), "rad/s^2", "acceleration of the motor behind its gear"),
    "spring_torque": Dataset(("time", "joint"), "N m", "torque of the joint's spring and damper on the link"),
    "energy_spring": Dataset(("time",), "J", "elastic energy of the joints' springs"),
    "tip_desired": Dataset(("time", "axis"), "m", "desired position of the tip", TRACKED),
    "tip_error": Dataset(("time",), "m", "distance of the tip from its desired position", TRACKED),
    "turn_error": Dataset(("time",), "rad", "largest difference of the tip's angles from the desired ones"),
    "singular_value": Dataset(
        ("time",), "1", "smallest singular value of the Jacobian of the joints", ("inverse",)
    ),
    "rigid_joint_angle": Dataset(
        ("time", "joint"), "rad", "joint angle of the rigid arm on the same path", ("inverse",)
    ),
    "rigid_torque": Dataset(
        ("time", "joint"), "N m", "joint torque of the rigid arm on the same path", ("inverse",)
    ),
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
    **{
        f"force_{name}": Dataset(("time", "coordinate"), "N m", f"generalised force of {meaning}")
        for name, meaning in FORCE_TERMS.items()
    },
    "energy_acceleration": Dataset(("time",), "J/s^2", "acceleration energy"),
    "joint_force": Dataset(
        ("time", "joint", "axis"), "N", "force on the link at its joint, from the one before or the base"
    ),
    "joint_moment": Dataset(
        ("time", "joint", "axis"), "N m", "moment on the link at its joint, from the one before or the base"
    ),
    "section_force": Dataset(
        ("time", "link", "load_station", "axis"), "N", "force in the section, along and across the bent link"
    ),
    "section_moment": Dataset(
        ("time", "link", "load_station", "axis"), "N m", "moment in the section: torsion and bending"
    ),
    "stress_max": Dataset(
        ("time", "link", "load_station"),
        "Pa",
        "largest von Mises stress in the section; NaN without known section",
    ),
    "contact_force": Dataset(
        ("time", "contact_point", "wall"), "N", "force of the wall on a point that rests on it"
    ),
    "contact_tangential_force": Dataset(
        ("time", "contact_point", "wall"),
        "N",
        "force of the wall on the point along it, normal turned by -90 deg",
        along_walls=True,
    ),
    "contact_slip": Dataset(
        ("time", "contact_point", "wall"),
        "m/s",
        "velocity along the wall of a point that is on it",
        along_walls=True,
    ),
    "contact_state": Dataset(
        ("time", "contact_point", "wall"), "1", "0 open, 1 sliding, 2 sticking, 3 at the limit of sticking"
    ),
    "contact_penetration": Dataset(
        ("time", "contact_point", "wall"),
        "m",
        "depth of the point in a soft wall; 0 outside, and in rigid ones",
    ),
    "energy_contact": Dataset(("time",), "J", "elastic energy of soft walls"),
    "energy_lost_contact": Dataset(("time",), "J", "energy that the damping of soft walls has taken"),
    "energy_lost_friction": Dataset(
        ("time",), "J", "work that friction of walls and dry friction of joints have taken"
    ),
    "energy_lost_impacts": Dataset(
        ("time",),
        "J",
        "energy that impacts have taken, and contacts that came to rest, where walls or joints rub or walls are soft",
    ),
    "friction_torque": Dataset(
        ("time", "joint"),
        "N m",
        "torque of dry friction on the joint, or the motor behind its spring; 0 if it is smoothed",
    ),
    "limit_torque": Dataset(("time", "joint"), "N m", "torque of the stop at a limit of the joint"),
    "sensor_value": Dataset(("time", "sensor"), "1", "true value of what the sensor measures"),
    "sensor_reading": Dataset(("time", "sensor"), "1", "reading of the sensor"),
    "controller_output": Dataset(("time", "controller_output_row"), "1", "outputs of the controllers"),
    "tip_deflection": Dataset(
        ("time", "axis"), "m", "position of the tip from where it would be with straight links", STATIC
    ),
}

BASE_SHIFT, BASE_TURN = ("base_position", "base_velocity"), ("base_orientation", "base_angular_velocity")
"""Motion of a floating base, and of one that also turns."""

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

# The same rows, where walls have friction.
FRICTION_IMPACTS: dict[str, Dataset] = {
    "impact_tangential_impulse": Dataset(
        ("impact",),
        "N s",
        "impulse of the wall on the point along it, normal turned by -90 deg",
        along_walls=True,
    ),
    "impact_slip_before": Dataset(
        ("impact",), "m/s", "velocity along the wall before the impact", along_walls=True
    ),
    "impact_slip_after": Dataset(
        ("impact",), "m/s", "velocity along the wall after the impact", along_walls=True
    ),
    "impact_case": Dataset(("impact",), "1", "0 open, 1 slide, 2 stick, 3 reverse"),
}

# One row for every joint that took part in an impact with its limit, of all together with the same number.
LIMIT_IMPACTS: dict[str, Dataset] = {
    "limit_impact_time": Dataset(("limit_impact",), "s", "time of the impact"),
    "limit_impact_number": Dataset(
        ("limit_impact",), "1", "number of the impact, counted from 1, with those of walls"
    ),
    "limit_impact_joint": Dataset(("limit_impact",), "1", "number of the joint"),
    "limit_impact_side": Dataset(("limit_impact",), "1", "1 for its upper limit, -1 for its lower one"),
    "limit_impact_impulse": Dataset(("limit_impact",), "N m s", "impulse of the stop on the joint"),
    "limit_impact_velocity_before": Dataset(
        ("limit_impact",), "rad/s", "rate of the joint before the impact"
    ),
    "limit_impact_velocity_after": Dataset(("limit_impact",), "rad/s", "rate of the joint after the impact"),
    "limit_impact_energy_lost": Dataset(("limit_impact",), "J", "energy lost at this joint"),
}

# One row for every time that a point is in a soft wall.
TOUCHES: dict[str, Dataset] = {
    "touch_time": Dataset(("touch",), "s", "time at which the point enters the soft wall"),
    "touch_end": Dataset(("touch",), "s", "time at which it leaves it; NaN if it is still inside"),
    "touch_point": Dataset(("touch",), "1", "number of the point that touches"),
    "touch_wall": Dataset(("touch",), "1", "number of the wall that it touches"),
    "touch_velocity_before": Dataset(("touch",), "m/s", "velocity away from the wall on entry"),
    "touch_velocity_after": Dataset(
        ("touch",), "m/s", "velocity away from the wall on leaving; NaN if the point is still inside"
    ),
}

# One row for every impact of a run that records loads: what all joints transmit in the instant.
JOINT_IMPULSES: dict[str, Dataset] = {
    "joint_impulse_time": Dataset(("joint_impulse_row",), "s", "time of the impact"),
    "joint_impulse_number": Dataset(("joint_impulse_row",), "1", "number of the impact, counted from 1"),
    "joint_impulse": Dataset(
        ("joint_impulse_row", "joint", "axis"),
        "N s",
        "impulse on the link at its joint, from the one before or the base",
    ),
    "joint_impulse_moment": Dataset(
        ("joint_impulse_row", "joint", "axis"),
        "N m s",
        "impulse of the moment on the link at its joint, from the one before or the base",
    ),
}

# One row for every prescribed joint, at each kink of the angle of one of them.
MOTION_IMPULSES: dict[str, Dataset] = {
    "motion_impulse_time": Dataset(
        ("motion_impulse_row",), "s", "time at which a prescribed angle has a kink"
    ),
    "motion_impulse_joint": Dataset(("motion_impulse_row",), "1", "number of the prescribed joint"),
    "motion_impulse_velocity_before": Dataset(
        ("motion_impulse_row",), "rad/s", "rate of the joint before the kink"
    ),
    "motion_impulse_velocity_after": Dataset(
        ("motion_impulse_row",), "rad/s", "rate of the joint after the kink"
    ),
    "motion_impulse": Dataset(("motion_impulse_row",), "N m s", "impulse of the drive on the joint"),
    "motion_impulse_energy": Dataset(
        ("motion_impulse_row",), "J", "energy that the drive gives in this instant"
    ),
}

# Small vibrations about the posture, or the steady rotation, of the only sample; shapes x are such that x^H M x = 1
# kg m^2. A Campbell diagram has further poles at the rates of other steady rotations.
NATURAL_MODES: dict[str, Dataset] = {
    "natural_frequency": Dataset(
        ("natural_mode",), "Hz", "natural frequency, 0 for rigid-body motions", ("modes",)
    ),
    "damping_ratio": Dataset(
        ("natural_mode",), "1", "damping ratio, negative for motions that grow", ("modes",)
    ),
    "pole": Dataset(("natural_mode", "part"), "1/s", "eigenvalue of the motion", ("modes",)),
    "shape_joint_angle": Dataset(
        ("natural_mode", "part", "joint"), "rad", "joint angle of the mode shape", ("modes",)
    ),
    "shape_mode_amplitude": Dataset(
        ("natural_mode", "part", "mode"), "1", "modal amplitude of the mode shape", ("modes",)
    ),
    "shape_base_position": Dataset(
        ("natural_mode", "part", "axis"), "m", "shift of the base of the mode shape"
    ),
    "shape_base_rotation": Dataset(
        ("natural_mode", "part", "axis"), "rad", "turn of the base of the mode shape"
    ),
    "rest_point": Dataset(
        ("link", "shape_station", "axis"), "m", "position of the links' axes at rest", ("modes",)
    ),
    "shape_point": Dataset(
        ("natural_mode", "link", "shape_station", "axis"),
        "m",
        "the same in the mode shape, scaled to be seen",
        ("modes",),
    ),
    "campbell_rate": Dataset(("spin",), "rad/s", "rate of the joint that turns steadily"),
    "campbell_pole": Dataset(
        ("spin", "campbell_line", "part"),
        "1/s",
        "eigenvalue of the motion about the steady rotation, along lines of like shapes",
    ),
    "response_frequency": Dataset(("frequency",), "Hz", "frequency of the inputs"),
    "frequency_response": Dataset(
        ("frequency", "output", "input", "part"), "1", "outputs for unit inputs, in the steady state"
    ),
    "simulated_frequency": Dataset(("line",), "Hz", "frequency of the inputs of the nonlinear arm"),
    "simulated_response": Dataset(
        ("line", "output", "input", "part"),
        "1",
        "outputs for unit inputs of the nonlinear arm, in the last period",
    ),
    "simulated_spread": Dataset(
        ("line", "output", "input"), "1", "change of it from the period before, over its magnitude"
    ),
    "measured_frequency": Dataset(("measured_line",), "Hz", "frequency of a measured response"),
    "measured_response": Dataset(("measured_line", "part"), "1", "measured response of the only channel"),
    "model_pole": Dataset(
        ("model_pole_number", "part"),
        "1/s",
        "poles of a model with controllers or of samples, in terms of continuous time; else there is pole alone",
    ),
    "channel_zero": Dataset(
        ("output", "input", "zero", "part"),
        "1/s",
        "zeros from each input to each output; NaN where there are fewer",
    ),
}

# What does not run along the time.
TIMELESS = {
    **IMPACTS,
    **FRICTION_IMPACTS,
    **LIMIT_IMPACTS,
    **TOUCHES,
    **JOINT_IMPULSES,
    **MOTION_IMPULSES,
    **NATURAL_MODES,
}

# Labels that say which sensor is which.
SENSOR_LABELS: dict[str, Dataset] = {
    "sensor_name": Dataset(("sensor",), "1", "name of the sensor"),
    "sensor_unit": Dataset(("sensor",), "1", "unit of the sensor"),
}

# Labels that say which output of which controller is which.
CONTROLLER_LABELS: dict[str, Dataset] = {
    "controller_output_name": Dataset(("controller_output_row",), "1", "name of the controller's output"),
}

# Labels that say which mode is which.
MODE_LABELS: dict[str, Dataset] = {
    "mode_link": Dataset(("mode",), "1", "number of the link that the mode bends"),
    "mode_direction": Dataset(("mode",), "1", "direction of the mode: y, z, torsion or axial"),
}


def required_datasets(kind: str) -> tuple[str, ...]:
    """Return the datasets that a result of a kind must hold, in the order of the tables; further ones are welcome."""
    return tuple(name for name, entry in {**DATASETS, **TIMELESS}.items() if kind in entry.needed_by)
