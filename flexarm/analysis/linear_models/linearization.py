"""Linear state-space models of an arm about a posture or a steady rotation, by exact derivatives."""

from __future__ import annotations

from collections.abc import Sequence

from flexarm.analysis.linear_models.arm_model import arm_model
from flexarm.analysis.linear_models.closed_loop import ALL, closed_loop, controllers_in_model, opened_signals
from flexarm.analysis.linear_models.inputs import inputs_of, needs_drives
from flexarm.analysis.linear_models.linear_model import LinearModel
from flexarm.analysis.operating_points.joint_roles import joint_roles
from flexarm.analysis.operating_points.operating_point import Progress, operating_points, report_progress
from flexarm.analysis.operating_points.posture import Posture
from flexarm.analysis.rotation.spin_rates import Spin
from flexarm.analysis.rotation.steady_rotation import single_rotation
from flexarm.analysis.small_motions.linear_motion import LinearEquations
from flexarm.arguments import check_list, check_number, check_object
from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError

DEFAULT_OUTPUTS = ("joints", "tip")


def linearize(
    arm: Arm,
    *,
    at: Posture = "initial",
    joints: str = "free",
    hold: Sequence[int] = (),
    outputs: Sequence[str] | None = None,
    inputs: str | Sequence[str] | None = None,
    opened: str | Sequence[str] = (),
    period: float | None = None,
    spin: Spin | None = None,
    joint: int | None = None,
    progress: Progress | None = None,
) -> LinearModel:
    """Linear state-space model of an arm about a posture in which torques hold it, or about a steady rotation.

    The loops of its controllers are closed, but for those that are opened.

    Parameters
    ----------
    arm : Arm
    at : str or sequence
        Posture: ``"initial"``, ``"equilibrium"`` or joint angles, see
        :func:`~flexarm.analysis.operating_points.operating_point.operating_point`.
    joints : {"free", "pd"}
        ``pd``: the arm's PD drives are part of the model.
    hold : sequence of int, optional
        Joints that stay where they are, counted from 1: they are neither states nor inputs.
    outputs : sequence of str, optional
        Names of the arm's sensors and controllers, and any of ``joints``, ``tip``, ``deflection@LINK:AT``,
        ``curvature@LINK:AT``, ``strain@LINK:AT``, see :func:`~flexarm.simulation.sensors.named_outputs.outputs`;
        ``joints`` and ``tip`` unless given, or what the opened controllers read.
    inputs : str or sequence of str, optional
        Any of ``torque``, unless given or something is opened; ``reference``: the references of the arm's PD drives;
        ``voltage``: the voltages of its DC motors, either with all drives as part of the model;
        ``force@LINK:AT:AXIS``: a force [N] along a fixed axis on the point at a fraction of a link's length; the names
        of disturbances; ``base:AXIS``: an acceleration [m/s^2] of the base along a fixed axis, from which outputs are
        then seen.
    opened : str or sequence of str
        Controllers whose outputs become inputs in the place of what they compute; ``all``: none is part of the model.
    period : float, optional [s]
        Of a model of samples whose inputs are held in between. Sampled controllers need their own.
    spin : float or str, optional
        Rate [rad/s, or "60 deg/s"] at which one joint turns steadily, whatever the description lets drive it; the
        posture is that of the others, as seen from the frame that turns.
    joint : int, optional
        Which joint turns, counted from 1; the first one that moves unless given.
    progress : callable, optional
        Called with the fraction done, and None for a time.

    Raises
    ------
    ModelError
        There is no such posture or output, no joint with such an input, or no steady rotation; sampled controllers
        without their period, or with several.

    Notes
    -----
    In a steady rotation the torque of the joint that turns is an input, its angle a state: the deviation from
    the rotation that a constant torque keeps up. All states and outputs are those seen from the frame that turns
    steadily.

    A = [0, I; -M^-1 K, -M^-1 D], B = [0; M^-1 S] with the exact derivatives of
    :func:`~flexarm.analysis.small_motions.linear_motion.linear_motion`; S picks the joints. An output is a combination
    P of the coordinates, of their rates or of their accelerations; of these C and D are P times the rows of A and B,
    else D = 0.
    Sensors are without their bias, range and resolution. A drive with an integral part has the integral z of its error
    as a further state, z_d = r - q, and ki z among the torques. Drives stay within the limits of their motors.

    A drive turns its reference r into the torque kp r + kd r_d beside what its feedback does. With the rates less
    B kd r as states, the rate of r drops out: x_d = A x + (B kp + A B kd) r; outputs of positions are the same, as
    C B = 0, those of rates have D = C B kd, and those of accelerations are refused.
    Controllers are linear about the operating point: a limit, or a limit of a rate, passes what it reads on. With
    joints ``pd`` PD drives of what is measured act on the joints, and are none of them.

    A voltage u gives the torque gear torque_constant u / resistance, and the back-emf is part of D.

    Examples
    --------
    >>> import flexarm
    >>> arm = flexarm.load_arm("robots/lqr_arm.yaml")
    >>> flexarm.linearize(arm, outputs=["tip"]).inputs
    ('tau_1',)
    >>> model = flexarm.linearize(arm, opened="lqr")
    >>> model.inputs, model.outputs
    (('lqr',), ('hub', 'bent', 'root', 'hub_rate', 'tip_speed', 'middle_speed'))
    """
    check_object("arm", arm, Arm)
    check_list("outputs", outputs or ())
    check_list("hold", hold, whole=True)
    opened = [opened] if isinstance(opened, str) else list(opened)
    check_list("opened", opened)
    if period is not None:
        check_number("period", period, above=0)
    given, read = opened_signals(arm, [] if opened == [ALL] else opened)
    kinds = (
        [inputs]
        if isinstance(inputs, str)
        else list(inputs if inputs is not None else () if given else ["torque"])
    )
    check_list("inputs", kinds)
    asked = tuple(outputs if outputs is not None else read or DEFAULT_OUTPUTS)
    joints = "pd" if needs_drives(kinds) else joints
    rotation = single_rotation(arm, spin, joint, joints, hold)
    point = next(operating_points(arm, at, [rotation]))
    report_progress(progress, 0.4)
    of_arm = joints, hold, rotation
    names = inputs_of(point, kinds, joint_roles(arm, joints, hold, rotation)).names
    if not names and not given:
        LinearEquations.of(point, joints, hold, deviating=True)  # says so where nothing can move at all
        hint = "dry friction holds joints in small motions: give it a smoothing" if arm.dry_joints else ""
        raise ModelError(
            f"{arm.name}: no joint that a torque could move, so the model has no input", hint=hint
        )
    if opened == [ALL] or not (controllers := controllers_in_model(arm, joints)):
        model = arm_model(point, kinds, asked, *of_arm, progress)
        return model if period is None else model.sampled(period)
    return closed_loop(point, controllers, kinds, asked, opened, period, of_arm, progress)
