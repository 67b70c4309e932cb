"""Design of a feedback controller for an arm about a posture: LQR, LQG and pole placement, continuous or sampled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.signal import place_poles

from flexarm.analysis.control_design.control_design import ControlDesign
from flexarm.analysis.control_design.estimator import estimating_controller
from flexarm.analysis.control_design.optimal_gain import optimal_gain
from flexarm.analysis.control_design.reachability import reachable_states, unreached_motions
from flexarm.analysis.control_design.robustness import StateSpace
from flexarm.analysis.control_design.sampling import sampled
from flexarm.analysis.linear_models.linear_model import LinearModel
from flexarm.analysis.linear_models.linearization import linearize
from flexarm.analysis.operating_points.posture import Posture
from flexarm.arguments import check_mapping, check_name, check_number, check_object
from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.hints import did_you_mean
from flexarm.progress import Progress

METHODS = ("lqr", "lqg", "place")


def design(
    arm: Arm,
    method: str = "lqr",
    *,
    weights: Mapping[str, float] | None = None,
    effort: float | Mapping[str, float] = 1.0,
    poles: Sequence[complex] = (),
    measure: Sequence[str] = (),
    noise: Mapping[str, float] | None = None,
    torque_noise: float = 1.0,
    period: float | None = None,
    at: Posture = "initial",
    joints: str = "free",
    hold: Sequence[int] = (),
    progress: Progress | None = None,
) -> ControlDesign:
    """Design a feedback controller for the torques of an arm, from its linear model about a posture.

    Parameters
    ----------
    arm : Arm
    method : {"lqr", "lqg", "place"}
        Feedback of all states of least cost; the same of estimated states; or feedback with given poles.
    weights : mapping of str to float
        Output, sensor or state (``tip_y``, ``hub``, ``q_1_d``) -> weight W of its square in the cost
        ``int sum W y^2 + R u^2 dt``.
    effort : float or mapping of str to float
        Weight R of the square of every input, or of each.
    poles : sequence of complex [1/s], optional
        Of the closed loop, for ``place``: as many as states that the inputs reach.
    measure : sequence of str
        Sensors or outputs that an LQG reads.
    noise : mapping of str to float
        Their noise, as amplitude spectral density in their unit over root Hz.
    torque_noise : float [N m/sqrt(Hz)]
        Disturbance of every input, likewise.
    period : float, optional [s]
        For a sampled controller, whose torque is held in between; its cost is that of the continuous time.
    at, joints, hold, progress
        As of :func:`~flexarm.analysis.linear_models.linearization.linearize`.

    Raises
    ------
    ModelError
        Unknown names, weights that are none, motions that cannot be stabilised or that no sensor sees.

    Notes
    -----
    The states that no input reaches because momentum is kept are set aside. A sampled LQG
    uses the sample of the same instant: u = -K (x + M (y - C x)).

    Examples
    --------
    >>> import flexarm
    >>> arm = flexarm.load_arm("robots/lqr_arm.yaml")
    >>> lqr = flexarm.design(arm, weights={"tip_y": 400, "q_1": 20, "q_1_d": 0.2}, effort=4, at=[0])
    >>> lqr.K.round(4)
    array([[ 5.0249,  3.5424,  3.6707,  0.6861,  1.8583, -1.3318]])
    """
    check_object("arm", arm, Arm)
    check_name("method", method, METHODS)
    check_mapping("weights", weights or {})
    if period is not None:
        check_number("period", period, above=0)
    model, weighed, measured = _models(arm, weights or {}, tuple(measure), at, joints, hold, progress)
    basis, set_aside = reachable_states(model)
    T = np.linalg.pinv(basis)
    full = StateSpace(T @ model.A @ basis, T @ model.B, measured[0] @ basis, measured[1])
    _check_reached(full, model, basis)
    plant = full if period is None else sampled(full, period)
    if method == "place":
        K, off = _placed(plant, poles, period), 0.0
    else:
        K, off = optimal_gain(full, model, weighed, weights or {}, effort, basis, period)
    L, controller = None, None
    if method == "lqg":
        if not measure:
            raise ModelError(
                f"{arm.name}: an LQG needs sensors or outputs to read",
                hint="name those that it reads, and their noise",
            )
        L, controller, of_estimator = estimating_controller(
            full, plant, K, model, tuple(measure), noise or {}, torque_noise, basis, period
        )
        off = max(off, of_estimator)
    of_model = K @ T, None if L is None else basis @ L
    return ControlDesign(
        method, model, *of_model, controller, tuple(measure), period, set_aside, off, plant, basis
    )


def _models(
    arm: Arm,
    weights: Mapping[str, float],
    measure: tuple[str, ...],
    at: Posture,
    joints: str,
    hold: Sequence[int],
    progress: Progress | None,
) -> tuple[LinearModel, dict[str, np.ndarray], tuple[np.ndarray, np.ndarray]]:
    """Linear model, the rows (C, D) side by side of what is weighed, and C, D of what is measured."""
    bare = linearize(
        arm, at=at, joints=joints, hold=hold, outputs=("joints", "tip"), opened="all", progress=progress
    )
    asked = [name for name in weights if name not in (*bare.states, *bare.outputs)]
    further = (*dict.fromkeys((*asked, *(name for name in measure if name not in bare.outputs))),)
    model = (
        bare
        if not further
        else linearize(
            arm, at=at, joints=joints, hold=hold, outputs=("joints", "tip", *further), opened="all"
        )
    )
    rows = {name: np.append(C, D) for name, C, D in zip(model.outputs, model.C, model.D, strict=True)}
    zeros = np.zeros(len(model.inputs))
    rows |= {
        name: np.append(row, zeros) for name, row in zip(model.states, np.eye(len(model.A)), strict=True)
    }
    for name, weight in weights.items():
        if name not in rows:
            known = [*dict.fromkeys((*model.outputs, *model.states))]
            raise ModelError(
                f"{arm.name}: weights: no output or state {name!r}",
                hint=did_you_mean(name, known, f"there are {', '.join(known)}"),
            )
        check_number(f"weights[{name!r}]", weight, above=0)
    seen = [rows[name] for name in measure if name in rows]
    if len(seen) < len(measure):
        several = [name for name in measure if name not in rows]
        raise ModelError(
            f"{arm.name}: measure: {several[0]} stands for several outputs",
            hint=f"name one of {', '.join(model.outputs)}",
        )
    n = len(model.A)
    stacked = np.array(seen).reshape(len(seen), n + len(zeros))
    return model, rows, (stacked[:, :n], stacked[:, n:])


def _check_reached(plant: StateSpace, model: LinearModel, basis: np.ndarray) -> None:
    """Refuse motions that do not decay by themselves and that no input reaches.

    Popov, Belevitch and Hautus: a left eigenvector with w^H B = 0.
    """
    for pole, vector in unreached_motions(plant.A, plant.B):
        where = model.states[int(np.abs(basis @ vector).argmax())]
        raise ModelError(
            f"{model.point.arm.name}: no input moves the motion of {where} with the pole {pole:.4g} 1/s, which does "
            "not decay by itself",
            hint="hold that joint, or let a torque drive it",
        )


def _placed(plant: StateSpace, poles: Sequence[complex], period: float | None) -> np.ndarray:
    n = len(plant.A)
    wanted = np.array(poles, dtype=complex)
    if wanted.size != n:
        raise ModelError(f"poles: got {wanted.size}, expected {n}, one for each state that the inputs reach")
    if (
        not np.isfinite(wanted).all()
        or np.abs(np.sort_complex(wanted) - np.sort_complex(wanted.conj())).max() > 0
    ):
        raise ModelError("poles: expected finite ones, complex ones in pairs")
    wanted = wanted if period is None else np.exp(wanted * period)
    try:
        return place_poles(plant.A, plant.B, wanted).gain_matrix  # pyright: ignore[reportAttributeAccessIssue]
    except ValueError as fault:
        raise ModelError(f"poles cannot be placed: {fault}") from None
