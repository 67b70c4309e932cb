"""Pictures of arms at rest: mode shapes and equilibria."""

import numpy as np
import pytest
from paths import ROBOTS

import flexarm
from flexarm.plots.registry import standard_figures


@pytest.mark.parametrize(("name", "panels"), [("usoro_two_link", 4), ("space_arm", 8)])
def test_one_panel_per_mode(name, panels):
    result = flexarm.natural_modes(flexarm.load_arm(ROBOTS / f"{name}.yaml")).result()
    figures = standard_figures(result)
    assert list(figures) == ["natural-modes"]
    axes = figures["natural-modes"]().axes
    assert len(axes) == panels
    first = result.attributes["rigid_modes"]
    for k, one in enumerate(axes, start=first):
        title = one.get_title(loc="left")
        assert title.startswith(f"{k + 1}: ")
        if result.pole[k, 1]:
            assert f"{result.natural_frequency[k]:.4g} Hz" in title
        assert any(line.get_gid() == "rest" for line in one.lines)


def test_the_first_shape_is_drawn_where_the_result_has_it():
    result = flexarm.natural_modes(flexarm.load_arm(ROBOTS / "usoro_two_link.yaml")).result()
    axes = standard_figures(result)["natural-modes"]().axes[0]
    drawn = next(line for line in axes.lines if line.get_gid() != "rest")
    np.testing.assert_array_equal(drawn.get_xydata(), result.shape_point[0, 0, :, :2])


@pytest.mark.parametrize("name", ["flexible_pendulum", "spatial_three_link"])
def test_the_arm_in_equilibrium(name):
    result = flexarm.static_equilibrium(flexarm.load_arm(ROBOTS / f"{name}.yaml"), hold="initial").result()
    figures = standard_figures(result)
    assert list(figures) == ["loads", "equilibrium"]
    figure = figures["equilibrium"]()
    assert result.attributes["stability"] in figure.get_suptitle()


def test_campbell_diagram_draws_lines_excitation_and_what_grows():
    arm = flexarm.parse_arm(
        "name: blade\ngravity: [0, 0, 0]\ngeometric_stiffening: false\n"
        "links: [{length: 1, mu: 1, EI: 1, modes: {family: clamped-free, count: 2}}]\n"
    )
    result = flexarm.campbell(arm, "0:6:13 rad/s").result()
    figures = standard_figures(result)
    assert list(figures) == ["natural-modes", "campbell"]
    (axes,) = figures["campbell"]().axes
    lines = {line.get_gid(): line.get_xydata() for line in axes.lines}
    np.testing.assert_allclose(lines["line 1"][:, 0], result.campbell_rate)
    np.testing.assert_allclose(lines["line 1"][:, 1], result.campbell_pole[:, 0, 1] / (2 * np.pi))
    np.testing.assert_allclose(lines["2x"][-1], [6, 2 * 6 / (2 * np.pi)])
    assert lines["unstable"][:, 0].min() == 4.0
    assert "at 0 rad/s" in figures["natural-modes"]().get_suptitle()


def test_frequency_response_draws_every_channel_and_marks_poles():
    arm = flexarm.parse_arm(
        "name: servo\ngravity: [0, 0, 0]\nlinks: [{length: 1, mu: 1, EI: 10, modes: 2, damping: 0.01}]\n"
    )
    found = flexarm.frequency_response(arm, outputs=["joints", "tip"], first=0.1, last=10.0)
    result = found.result()
    figure = standard_figures(result)["frequency-response"]()
    magnitude, phase, plane = (axes for axes in figure.axes)
    lines = {line.get_gid(): line for axes in (magnitude, phase, plane) for line in axes.lines}
    np.testing.assert_array_equal(lines["tau_1 to q_1"].get_ydata(), np.abs(found["q_1", "tau_1"]))
    assert np.nanmax(np.abs(lines["phase of tau_1 to q_1"].get_ydata())) <= 180
    assert {"poles", "zeros of tau_1 to tip_y"} <= set(lines)
    drawn = lines["poles"].get_ydata()
    assert found.model.modes.natural_frequency[1] == pytest.approx(drawn.max(), rel=1e-3)
