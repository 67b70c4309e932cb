"""Reference trajectories: splines, lines, circles and tables give what they promise, smoothly."""

import numpy as np
import pytest

import flexarm
from flexarm import parse_trajectory
from flexarm.catalogue import TIME_LAWS
from flexarm.errors import ModelError
from flexarm.simulation.inverse.task.reference_trajectory import reference_trajectory

TRAJECTORIES = {
    "expression": 'duration: 2\npath: {x: "sin(3*t)*exp(-t)", y: "1 - 0.1*t**2"}\n',
    "waypoints": "waypoints: {times: [0, 0.7, 1.5, 2], x: [0, 1, -0.5, 0.2], y: [0, 0.1, 0.3, 1]}\n",
    "rates": "waypoints: {times: [0, 0.7, 2], x: [0, 1, -0.5], ends: {x: [0.3, -1.2]}}\n",
    "line": "duration: 2\nline: {from: [0, 1], to: [1, 3]}\n",
    "trapezoidal line": "duration: 2\nline: {from: [0, 1], to: [1, 3], law: trapezoidal}\n",
    "circle": "duration: 2\ncircle: {center: [1, 2, 3], radius: 0.5, normal: [1, 1, 0], start: 30 deg}\n",
    "table": "table: |\n  0 1 2\n  0.5 2 3\n  1.5 0 1\n  2 0 0\n",
}


def reference_of(name):
    return reference_trajectory(parse_trajectory(TRAJECTORIES[name]))


@pytest.mark.parametrize("name", TRAJECTORIES)
def test_rates_are_derivatives(name):
    reference, h = reference_of(name), 1e-5
    times = np.linspace(0.01, 1.99, 397)
    times = times[np.all(np.abs(times[:, None] - reference.breaks) > 2 * h, axis=1)]
    before, here, after = reference(times - h), reference(times), reference(times + h)
    np.testing.assert_allclose((after.p - before.p) / (2 * h), here.p_d, atol=1e-7)
    np.testing.assert_allclose((after.p_d - before.p_d) / (2 * h), here.p_dd, atol=1e-6)


def test_waypoints_are_passed_with_accelerations_linear_between_them():
    """[NA04], the formulas after eq. 11, term by term."""
    reference = reference_of("waypoints")
    knots = np.array([0.0, 0.7, 1.5, 2.0])
    at_knots = reference(knots)
    np.testing.assert_allclose(at_knots.p[:, 0], [0, 1, -0.5, 0.2], atol=1e-14)
    np.testing.assert_allclose(at_knots.p[:, 1], [0, 0.1, 0.3, 1], atol=1e-14)
    for p in range(1, 4):
        t_p, start, end = knots[p] - knots[p - 1], knots[p - 1], knots[p]
        tau = np.linspace(start, end, 23)[1:-1][:, None]
        a_0, a_1, x_0, x_1 = at_knots.p_dd[p - 1], at_knots.p_dd[p], at_knots.p[p - 1], at_knots.p[p]
        desired = reference(tau[:, 0])
        np.testing.assert_allclose(
            desired.p_dd, (end - tau) / t_p * a_0 + (tau - start) / t_p * a_1, atol=1e-12
        )
        expected = (
            (end - tau) ** 3 / (6 * t_p) * a_0
            + (tau - start) ** 3 / (6 * t_p) * a_1
            + (x_1 / t_p - t_p / 6 * a_1) * (tau - start)
            + (x_0 / t_p - t_p / 6 * a_0) * (end - tau)
        )
        np.testing.assert_allclose(desired.p, expected, atol=1e-13)


def test_ends_of_waypoints_rest_unless_rates_are_given():
    np.testing.assert_allclose(reference_of("waypoints")([0.0, 2.0]).p_d, 0, atol=1e-13)
    np.testing.assert_allclose(reference_of("rates")([0.0, 2.0]).p_d[:, 0], [0.3, -1.2], atol=1e-13)


def test_a_table_without_end_rates_has_no_kink_at_its_second_point():
    """A cubic polynomial comes back as it is."""
    times = np.linspace(0, 2, 7)
    rows = "".join(f"  {t!r} {t**3 - t!r}\n" for t in times.tolist())
    reference = reference_trajectory(parse_trajectory(f"table: |\n{rows}"))
    t = np.linspace(0, 2, 50)
    np.testing.assert_allclose(reference(t).p[:, 0], t**3 - t, atol=1e-13)


def test_lines_go_from_rest_to_rest():
    for name in ("line", "trapezoidal line"):
        ends = reference_of(name)([0.0, 2.0])
        np.testing.assert_allclose(ends.p, [[0, 1], [1, 3]], atol=1e-14)
        np.testing.assert_allclose(ends.p_d, 0, atol=1e-14)
        middle = reference_of(name)([1.0])
        np.testing.assert_allclose(middle.p, [[0.5, 2.0]], atol=1e-14)


def test_the_trapezoidal_law_gains_speed_for_a_quarter_of_the_time():
    reference = reference_of("trapezoidal line")
    np.testing.assert_allclose(reference.breaks, [0.5, 1.5])
    np.testing.assert_allclose(reference([0.6, 1.0, 1.4]).p_d[:, 0], 1 / (0.75 * 2), atol=1e-14)
    np.testing.assert_allclose(reference([0.6, 1.0, 1.4]).p_dd, 0, atol=1e-14)


def test_the_quintic_law_starts_and_ends_without_acceleration():
    np.testing.assert_allclose(reference_of("line")([0.0, 2.0]).p_dd, 0, atol=1e-13)


def test_circles_keep_their_distance_and_plane():
    reference = reference_of("circle")
    p = reference(np.linspace(0, 2, 99)).p - [1, 2, 3]
    np.testing.assert_allclose(np.linalg.norm(p, axis=1), 0.5, atol=1e-14)
    np.testing.assert_allclose(p @ [1, 1, 0], 0, atol=1e-14)
    np.testing.assert_allclose(p[0], p[-1], atol=1e-14)
    # angle 0 lies along y x normal = (0, 0, -1), and the way goes round the normal
    first, second = np.array([0, 0, -1.0]), np.array([-1, 1, 0]) / np.sqrt(2)
    np.testing.assert_allclose(
        p[0], 0.5 * (np.cos(np.pi / 6) * first + np.sin(np.pi / 6) * second), atol=1e-14
    )
    assert np.cross(p[0], p[3]) @ [1, 1, 0] > 0


def test_a_circle_in_the_plane_starts_on_the_x_axis_and_turns_left():
    reference = reference_trajectory(
        parse_trajectory("duration: 1\ncircle: {center: [0, 0], radius: 1, turn: 90 deg}\n")
    )
    np.testing.assert_allclose(reference([0.0, 1.0]).p, [[1, 0], [0, 1]], atol=1e-14)


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("step(t - 0.73)", "the path jumps by 1 at t = 0.73 s in x"),
        ("2*abs(t - 0.73)", "the rate of the path jumps by 4 at t = 0.73 s in x"),
        ("min(t, 0.5)", "the rate of the path jumps by 1 at t = 0.5 s in x"),
    ],
)
def test_a_path_that_jumps_is_refused(formula, words):
    with pytest.raises(ModelError) as caught:
        reference_trajectory(
            parse_trajectory(f'duration: 1.5\npath: {{x: "{formula}"}}\n', source="task.yaml")
        )
    assert f"task.yaml: {words}" in str(caught.value)


def test_quick_but_smooth_paths_are_accepted():
    reference_trajectory(parse_trajectory("duration: 1\npath: {x: sin(300*t)}\n"))
    reference_trajectory(parse_trajectory("duration: 1\npath: {x: (t - 0.5)*abs(t - 0.5)}\n"))


@pytest.mark.parametrize("law", [name for name in TIME_LAWS if name != "trapezoidal"])
def test_rates_of_a_law_vanish_at_both_ends_as_the_catalogue_says(law):
    """Near an end the remaining distance falls as the power of the first rate that does not vanish."""
    text = f"duration: 2.0\nline: {{from: [1.0], to: [2.0], law: {law}}}\nnear: [1.0]\n"
    reference = reference_trajectory(flexarm.parse_trajectory(text))
    near = np.array([0.02, 0.04])
    expected = TIME_LAWS[law].vanishing + 1
    for left in (reference(near).p[:, 0] - 1.0, 2.0 - reference(2.0 - near).p[:, 0]):
        if law == "smooth":
            np.testing.assert_allclose(left, 0.0, atol=1e-8)
        else:
            assert abs(np.log2(left[1] / left[0]) - expected) < 0.15
    times = np.linspace(0.01, 1.99, 301)
    h = 1e-6
    for low, high in ((0, 1), (1, 2)):
        rate = (reference(times + h)[low] - reference(times - h)[low]) / (2 * h)
        np.testing.assert_allclose(rate, reference(times)[high], atol=1e-6)
