"""Pictures of control: loops with their margins, poles of open and closed loop, references and what follows them."""

from __future__ import annotations

import numpy as np
import pytest
from paths import ROBOTS

import flexarm
from flexarm.errors import ModelError, ResultError


@pytest.fixture(scope="module")
def design():
    arm = flexarm.load_arm(ROBOTS / "lqr_arm.yaml")
    return flexarm.design(
        arm, "lqg", weights={"tip_y": 400, "q_1": 20}, effort=4, measure=["hub", "gauge"],
        noise={"hub": 1e-5, "gauge": 1e-6}, torque_noise=1e-2,
    )  # fmt: skip


def lines(axes):
    return {line.get_gid() or line.get_label(): line for line in axes.lines}


def test_a_loop_and_its_margins(design):
    """The curve is the loop; marks lie where it has gain 1 or the phase -180, the margin among them."""
    figure = flexarm.plot(design, "loop")
    magnitude, plane, phase = (
        next(axes for axes in figure.axes if text in (axes.get_ylabel(), axes.get_title(loc="left")))
        for text in ("magnitude", "poles", "phase (deg)")
    )
    f, size = lines(magnitude)["loop at tau_1"].get_data()
    expected = np.abs(design.loop("tau_1").at(2 * np.pi * np.asarray(f))[:, 0, 0])
    np.testing.assert_allclose(size, expected, rtol=1e-9)
    margins, marks = design.margins["tau_1"], phase.lines
    at_one = next(line for line in marks if line.get_gid() == "gain 1")
    lags = np.degrees(margins.phase) - np.abs((np.asarray(at_one.get_ydata()) + 180 + 180) % 360 - 180)
    assert np.abs(lags).min() < 0.5
    turned = next(line for line in magnitude.lines if line.get_gid() == "phase -180")
    np.testing.assert_allclose(1 / np.asarray(turned.get_ydata()).max(), margins.gain[1], rtol=0.01)
    closed, opened = (lines(plane)[name].get_data() for name in ("closed", "open"))
    upper = design.poles[np.imag(design.poles) >= 0]
    np.testing.assert_allclose(closed[0], upper.real)
    assert len(opened[0]) == np.sum(np.imag(design.open_poles) >= 0)


def test_a_design_has_no_other_picture(design):
    with pytest.raises(ResultError, match="no picture 'tip' of this result"):
        flexarm.plot(design, "tip")
    with pytest.raises(ModelError, match=r"got 3, expected a result .*, a gradient, a design or a fit"):
        flexarm.plot(3)  # pyright: ignore[reportArgumentType]


def test_references_and_effort():
    result = flexarm.simulate(flexarm.load_arm(ROBOTS / "servo_arm.yaml"))
    figure = flexarm.plot(result, "tracking")
    response, error, effort = figure.axes[3:6]
    np.testing.assert_allclose(
        lines(response)["response"].get_ydata()[-1], np.degrees(result.joint_angle[-1, 1])
    )
    gap = lines(response)["reference"].get_ydata() - lines(response)["response"].get_ydata()
    np.testing.assert_allclose(error.lines[0].get_ydata(), gap, atol=1e-9)
    np.testing.assert_allclose(effort.lines[0].get_ydata()[-1], result.torque[-1, 1])
    assert "limit" in lines(effort)
