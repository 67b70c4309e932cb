"""Pictures of dry friction: torques of joints between their limits, beside the forces of walls."""

import numpy as np
import pytest
from matplotlib.colors import to_rgba
from simulated import simulated

import flexarm
from flexarm.plots.drawing.contact_states import STATES
from flexarm.plots.drawing.style import tint
from flexarm.plots.histories.contact_forces import contact_forces, has_forces
from flexarm.plots.registry import standard_figures
from flexarm.results.events.sticking import sticking_phases


def bands(axes):
    """Spans in time [s] of every band, by the word for its state."""
    colours = {to_rgba(tint(colour), 0.5): word for _, word, colour in STATES}
    spans = {}
    for one in axes.collections:
        word = colours.get(tuple(one.get_facecolor()[0])) if len(one.get_facecolor()) else None
        if word and one.get_paths():
            xs = [path.vertices[:, 0] for path in one.get_paths() if len(path.vertices)]
            spans[word] = [(x.min(), x.max()) for x in xs if np.ptp(x) > 0]
    return spans


def test_joints_that_stick_have_rows_with_their_limits():
    result = simulated("sticking_arm", 1.5)
    assert "contact" in standard_figures(result)
    figure = contact_forces(result)
    assert "dry friction of joints" in figure.get_suptitle()
    for i, axes in enumerate(figure.axes):
        limit = result.arm.joints[i].friction.at_rest
        assert sorted(line.get_ydata()[0] for line in axes.lines[:2]) == [-limit, limit]
        np.testing.assert_array_equal(axes.lines[2].get_ydata(), result.friction_torque[:, i])
        phases = [phase for phase in sticking_phases(result) if phase.joint == i + 1]
        drawn = bands(axes)["sticks"]
        assert drawn[0] == pytest.approx((phases[0].begin, phases[0].end), abs=2 * 0.002)


@pytest.mark.slow
def test_contacts_and_joints_in_one_picture():
    """A rod that falls on a wall while its joint has dry friction."""
    text = """
name: both
links: [{length: 1, mu: 1}]
joints: [{friction: {coulomb: 1, smoothing: 0}}]
initial: {joints: [20 deg]}
contact: {restitution: 0, friction: 0.3, walls: [{point: [0, 0], normal: [0, 1]}], points: O2}
run: {duration: 1.0, sample: 0.01}
"""
    figure = contact_forces(flexarm.simulate(flexarm.parse_arm(text)))
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["O2, wall 1", "joint 1"]
    assert all(axes.get_legend() for axes in figure.axes)


def test_smoothed_friction_has_no_picture():
    assert not has_forces(simulated("negrean_2004_two_link", 0.1))


@pytest.mark.parametrize("friction", ["", ", friction: 0.3"])
def test_soft_walls_have_rows_with_their_depth(friction):
    text = f"""
name: soft
links: [{{length: 1, mu: 1}}]
initial: {{joints: [20 deg]}}
contact: {{stiffness: 1e4, damping: 0.3{friction}, walls: [{{point: [0, 0], normal: [0, 1]}}], points: O2}}
run: {{duration: 1.0, sample: 0.005}}
"""
    result = flexarm.simulate(flexarm.parse_arm(text))
    assert {"contact", "energy"} <= set(standard_figures(result))
    axes, beside = contact_forces(result).axes
    assert axes.get_title(loc="left") == "O2, wall 1"
    np.testing.assert_array_equal(axes.lines[0].get_ydata(), result.contact_force[:, 0, 0])
    np.testing.assert_allclose(beside.lines[0].get_ydata(), 1e3 * result.contact_penetration[:, 0, 0])
    assert beside.get_ylabel() == "depth (mm)"
    assert ("slides" in bands(axes)) == bool(friction)
    words = [entry.get_text() for entry in axes.get_legend().get_texts()]
    assert ("limit of sticking" in words) == bool(friction)
    assert "sticks" not in words
    drawn = {line.get_label() for line in result.plot("energy").axes[0].lines}
    assert "contact" in drawn
