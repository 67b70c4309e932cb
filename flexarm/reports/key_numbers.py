"""Key numbers of a result: extent and speed of the motion, deflections, torques, energy, accuracy, cost."""

from __future__ import annotations

import numpy as np

from flexarm.analysis.joint_tracking import joint_tracking
from flexarm.analysis.small_motions.eigenmodes import growing
from flexarm.description.arm.joint.words import worded
from flexarm.plots.drawing.decimation import envelope
from flexarm.plots.drawing.planarity import is_spatial
from flexarm.plots.drawing.style import length_unit
from flexarm.results.dimensions import AXES
from flexarm.results.result import Result
from flexarm.results.schema import SIMULATED
from flexarm.simulation.forces.energy_balance import is_conservative

Row = tuple[str, str]

ROUND_OFF = 1e-9
"""Torque of a joint, as a part of the largest of all, and damping ratio that are no more than round-off."""


def key_numbers(result: Result) -> list[Row]:
    """Return the meaning of each key number, and the number with its unit."""
    return [
        *_payload(result),
        *_steady_rotation(result),
        *_natural_modes(result),
        *_time(result),
        *_tip(result),
        *_deflections(result),
        *_torques(result),
        *_joint_tracking(result),
        *_energy(result),
        *_tracking(result),
        *_cost(result),
    ]


def _steady_rotation(result: Result) -> list[Row]:
    """Which joint turns steadily, how fast, and at which rates motions grow."""
    joint = result.attributes.get("turning_joint")
    if not joint:
        return []
    rows = [(f"joint {joint} turns steadily", f"{result.joint_velocity[0, joint - 1]:.4g} rad/s")]
    if "campbell_rate" in result:
        rates, poles = result["campbell_rate"], result["campbell_pole"]
        count = growing(poles[..., 0] + 1j * poles[..., 1]).any(axis=1).sum()
        unstable = f"; motions grow at {count} of them" if count else "; no motion grows"
        rows.append(
            ("Campbell diagram", f"{len(rates)} rates, {rates[0]:g} to {rates[-1]:g} rad/s{unstable}")
        )
    return rows


def _natural_modes(result: Result) -> list[Row]:
    """Frequencies and damping of small vibrations, of a result about those."""
    if "natural_frequency" not in result:
        return []
    pairs = zip(result["natural_frequency"], result["damping_ratio"], strict=True)
    return [
        (
            f"natural mode {k}",
            f"{frequency:.4g} Hz" + (f", damping ratio {ratio:.3g}" if abs(ratio) > ROUND_OFF else ""),
        )
        for k, (frequency, ratio) in enumerate(pairs, 1)
    ]


def _time(result: Result) -> list[Row]:
    first, last = (
        result.rows("time", slice(0, 1))[0],
        result.rows("time", slice(result.n_samples - 1, None))[0],
    )
    if result.n_samples == 1:
        return [("time", f"{first:g} s, 1 sample")]
    return [("time", f"{first:g} to {last:g} s, {result.n_samples} samples")]


def _tip(result: Result) -> list[Row]:
    """Range of the tip."""
    _, points = envelope(result, "point_position")
    tip = points[:, -1]
    shown = range(3 if is_spatial(result) else 2)
    rows = [(f"tip, {AXES[k]}", f"{tip[:, k].min():.4f} to {tip[:, k].max():.4f} m") for k in shown]
    _, velocities = envelope(result, "point_velocity")
    x, y, z = result.rows("point_position", slice(result.n_samples - 1, None))[0, -1]
    speed = np.linalg.norm(velocities[:, -1], axis=1).max()
    return [
        *rows,
        ("tip at the end", f"({x:.4f}, {y:.4f}, {z:.4f}) m"),
        ("tip, largest speed", f"{speed:.4g} m/s"),
    ]


def _deflections(result: Result) -> list[Row]:
    """The largest component of the deflection of every flexible link."""
    time, deflections = envelope(result, "link_deflection")
    rows = []
    for i, link in enumerate(result.arm.links):
        if link.n_modes:
            size = np.abs(deflections[:, i])
            largest = np.unravel_index(size.argmax(), size.shape)
            factor, unit = length_unit(size[largest])
            part = f"{100 * size[largest] / link.length:.2g} % of its length"
            where = f"along {AXES[largest[2]]}, t = {time[:, i][largest]:.4g} s"
            rows.append(
                (f"link {i + 1}, largest deflection", f"{factor * size[largest]:.4g} {unit} ({part}) {where}")
            )
    return rows


def _torques(result: Result) -> list[Row]:
    """The largest torque of every joint; of an inverse motion over the trajectory, beside the rigid arm's."""
    time, torques = envelope(result, "torque")
    rigid = result.get("rigid_torque")
    if rigid is not None:
        inside = _on_trajectory(result)
        time = np.broadcast_to(result["time"][inside, None], rigid[inside].shape)
        torques, rigid = result["torque"][inside], rigid[inside]
    rows, joints = [], result.arm.joints
    for i in range(len(joints)):
        size = np.abs(torques[:, i])
        alike = [k for k, joint in enumerate(joints) if joint.kind.unit == joints[i].kind.unit]
        if size.max() > ROUND_OFF * np.abs(torques[:, alike]).max():
            kind = joints[i].kind
            text = f"{size.max():.4g} {kind.force_unit}, t = {time[size.argmax(), i]:.4g} s"
            if rigid is not None:
                text += f"; with rigid links {np.abs(rigid[:, i]).max():.4g} {kind.force_unit}"
            rows.append((f"joint {i + 1}, largest {kind.force}", text))
    return rows


def _joint_tracking(result: Result) -> list[Row]:
    """How joints with a reference follow it, of simulations."""
    rows = []
    for one in joint_tracking(result) if result.kind in SIMULATED else ():
        kind = result.arm.joints[one.joint - 1].kind
        text = f"rms {one.rms_error:.3g} {kind.unit}, largest {one.largest_error:.3g} {kind.unit}"
        if not np.isnan(one.settling_time):
            text += f"; within 5 % of its way from {one.settling_time:.4g} s on"
        if not np.isnan(one.overshoot):
            text += f"; overshoot {one.overshoot:.1%}"
        rows.append((f"joint {one.joint}, error to its reference", text))
        work = f"{one.rms_torque:.4g} {kind.force_unit} rms; {one.energy:.4g} J"
        rows.append((f"joint {one.joint}, {kind.force} and work of its drive", work))
    return rows


def _on_trajectory(result: Result) -> np.ndarray:
    """Find which samples are on the trajectory, not in the pre- and post-actuation, (samples,) bool."""
    time = result["time"]
    return (time >= 0) & (time <= result.attributes.get("duration", time[-1]) * (1 + 1e-12))


def _energy(result: Result) -> list[Row]:
    _, total = envelope(result, "energy_total")
    _, kinetic = envelope(result, "energy_kinetic")
    rows = [("largest kinetic energy", f"{kinetic.max():.4g} J")]
    if result.kind in SIMULATED and is_conservative(result.arm):
        drift = np.abs(total - total[0]).max()
        part = f" ({drift / kinetic.max():.1e} of the largest kinetic energy)" if kinetic.max() > 0 else ""
        return [*rows, ("drift of the total energy", f"{drift:.1e} J{part}")]
    return [*rows, ("total energy, start to end", f"{total[0]:.4g} to {total[-1]:.4g} J")]


def _tracking(result: Result) -> list[Row]:
    """Tracking error of the tip, over the trajectory itself."""
    if "tip_error" not in result:
        return []
    attributes, inside = result.attributes, _on_trajectory(result)
    rows = [("tip off its path, largest", f"{result['tip_error'][inside].max(initial=0.0):.3g} m")]
    if "pre" in attributes:
        rows.append(
            (
                "pre- and post-actuation",
                f"{attributes['pre']:.3g} s before, {attributes['post']:.3g} s after the trajectory",
            )
        )
    if "verified_error" in attributes:
        simulated = worded("the same, simulated under these torques", result.arm.joints)
        rows.append((simulated, f"{attributes['verified_error']:.3g} m"))
    if attributes.get("unstable_zeros"):
        rows.append(("unstable zeros", f"{attributes['unstable_zeros']} 1/s"))
    return rows


def _payload(result: Result) -> list[Row]:
    """Load of the arm, and its tightest bound."""
    attributes = result.attributes
    if "payload_mass" not in attributes:
        return []
    bound = f"{bound_text(result)}, t = {attributes['active_time']:.4g} s"
    bound += f", {attributes['active_margin']:.1%} of it left"
    rows = [("load", f"{attributes['payload_mass']:.5g} kg"), ("tightest bound", bound)]
    if "deviation" in attributes:
        rows.append(("allowed deviation of the tip", f"{attributes['deviation']:.3g} m"))
    if "max_stress" in attributes:
        rows.append(("allowed stress", f"{attributes['max_stress'] / 1e6:.4g} MPa"))
    return rows


def bound_text(result: Result) -> str:
    """What bounds a load: "torque of joint 1", "stress of link 2", or "deviation"."""
    bound, number = result.attributes["active_bound"], result.attributes.get("active_joint")
    if link := result.attributes.get("active_link"):
        return f"{bound} of link {link}"
    if not number:
        return bound
    return f"{worded(bound, result.arm.joints[number - 1 : number])} of joint {number}"


def _cost(result: Result) -> list[Row]:
    """Cost of the computation."""
    attributes = result.attributes
    rows = []
    if "steps" in attributes:
        rows.append(("steps", f"{attributes['steps']}"))
    if "change_over" in attributes:
        rows.append(("methods", f"{attributes['methods']}"))
    if "evaluations" in attributes:
        rows.append(("evaluations of the equations", f"{attributes['evaluations']}"))
    if "solve_seconds" in attributes:
        rows.append(("time of the computation", f"{attributes['solve_seconds']:.3g} s"))
    return rows
