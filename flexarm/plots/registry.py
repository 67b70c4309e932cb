"""The standard pictures of a result, in the order in which they are drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from matplotlib.figure import Figure

from flexarm.analysis.control_design.control_design import ControlDesign
from flexarm.identification.worth.identification import Identification
from flexarm.plots.arm.equilibrium_shape import equilibrium_shape, is_equilibrium
from flexarm.plots.arm.natural_mode_shapes import has_shapes, natural_mode_shapes
from flexarm.plots.arm.stroboscope import stroboscope
from flexarm.plots.bases.attitude import attitude
from flexarm.plots.bases.floating_base import floating_base, has_floating_base
from flexarm.plots.bases.momentum import has_momentum, momentum
from flexarm.plots.bases.satellite import has_satellite
from flexarm.plots.diagrams.campbell_diagram import campbell_diagram, has_rates
from flexarm.plots.diagrams.fits import fit_figures
from flexarm.plots.diagrams.frequency_response import frequency_response, has_response
from flexarm.plots.diagrams.loop import design_figures
from flexarm.plots.diagrams.sensitivity import sensitivity_figures
from flexarm.plots.histories.against_rigid import against_rigid, has_rigid_twin
from flexarm.plots.histories.contact_forces import contact_forces, has_forces
from flexarm.plots.histories.deflection import deflection, is_flexible
from flexarm.plots.histories.energy import energy
from flexarm.plots.histories.joint_tracking import follows_references
from flexarm.plots.histories.joint_tracking import tracking as joint_references
from flexarm.plots.histories.joints import has_moving_joints, joints
from flexarm.plots.histories.mode_amplitudes import has_flying_modes, mode_amplitudes
from flexarm.plots.histories.tip import tip
from flexarm.plots.histories.tracking import is_tracked, tracking
from flexarm.plots.loads.load_diagrams import has_loads, load_diagrams
from flexarm.plots.loads.stress_stroboscope import stress_stroboscope
from flexarm.plots.sweep_pictures.figures import sweep_figures
from flexarm.plots.torques.generalised_forces import generalised_forces, has_generalised_forces
from flexarm.plots.torques.torque_bounds import has_bounds, torque_bounds
from flexarm.plots.torques.torques import has_torques, torques
from flexarm.results.result import Result
from flexarm.results.schema import STATIC
from flexarm.sweeps.sensitivity.gradient import Gradient
from flexarm.sweeps.sweep_result import SweepResult


def _always(result: Result) -> bool:
    return True


@dataclass(frozen=True)
class Picture:
    """One kind of picture.

    Attributes
    ----------
    title : str
        What it shows, in a few words.
    draw : callable
        From a Result to a Figure.
    applies : callable
        From a Result to whether there is anything to show.
    over_time : bool or None
        Whether it shows a motion, not an arm at rest; None: either.
    """

    title: str
    draw: Callable[[Result], Figure]
    applies: Callable[[Result], bool] = _always
    over_time: bool | None = True


PICTURES: dict[str, Picture] = {
    "stroboscope": Picture("the arm's shape over time", stroboscope),
    "joints": Picture("joint angles and their rates", joints, has_moving_joints),
    "tip": Picture("position and path of the tip", tip),
    "deflection": Picture("deflection and rotation along the links", deflection, is_flexible),
    "energy": Picture("energies and how well their sum is kept", energy),
    "base": Picture("position and velocity of a floating base", floating_base, has_floating_base),
    "attitude": Picture("turn of a satellite and its rate", attitude, has_satellite),
    "contact": Picture(
        "forces of walls that rub or are soft, torques of joints that stick", contact_forces, has_forces
    ),
    "modes": Picture("modal amplitudes and rates", mode_amplitudes, has_flying_modes),
    "momentum": Picture("momentum and angular momentum", momentum, has_momentum),
    "torques": Picture("joint torques", torques, has_torques),
    "generalised-forces": Picture(
        "what the generalised forces are made of", generalised_forces, has_generalised_forces
    ),
    "loads": Picture("what the links carry along the arm", load_diagrams, has_loads, over_time=None),
    "stress": Picture("stress on the arm over time", stress_stroboscope, has_loads),
    "tracking": Picture(
        "references of joints, how they are followed, and the effort", joint_references, follows_references
    ),
    "path": Picture("desired and actual path of the tip", tracking, is_tracked),
    "against-rigid": Picture(
        "joint angles and torques against those of the rigid arm", against_rigid, has_rigid_twin
    ),
    "bounds": Picture("joint torques between the motors' bounds", torque_bounds, has_bounds),
    "equilibrium": Picture("the arm at rest", equilibrium_shape, is_equilibrium, over_time=False),
    "natural-modes": Picture(
        "mode shapes of the whole arm", natural_mode_shapes, has_shapes, over_time=False
    ),
    "frequency-response": Picture(
        "magnitude and phase over the frequency, poles and zeros",
        frequency_response,
        has_response,
        over_time=False,
    ),
    "campbell": Picture(
        "frequencies over the rate of a steady rotation", campbell_diagram, has_rates, over_time=False
    ),
}


def standard_figures(
    result: Result | SweepResult | Gradient | ControlDesign | Identification,
) -> dict[str, Callable[[], Figure]]:
    """Return what draws each picture that has something to show for this result, by name and in order."""
    if isinstance(result, Gradient):
        return sensitivity_figures(result)
    if isinstance(result, SweepResult):
        return sweep_figures(result)
    if isinstance(result, ControlDesign):
        return design_figures(result)
    if isinstance(result, Identification):
        return fit_figures(result)
    moves = result.kind not in STATIC
    return {
        name: partial(picture.draw, result)
        for name, picture in PICTURES.items()
        if picture.over_time in (moves, None) and picture.applies(result)
    }
