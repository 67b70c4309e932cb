"""A link assembled of its segments: inertia, small motion and damping with its joint locked."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm
from flexarm.model.chain_builder import build_chain

TEXT = """
name: probe
gravity: [0, 0, 0]
links:
  - length: 1.2
    mu: {{eta: [0, 0.5, 1.2], values: [2.0, 1.5, 1.0]}}
    EI: {{y: 300.0, z: 200.0}}
    GJ: 50.0
    rotary_inertia: [0.02, 0.01, 0.01]
    segments: {segments}
    damping: {damping}
    modes:
      - {{family: polynomial, count: 2}}
      - {{family: polynomial, count: 2, direction: z}}
      - {{family: fixed-free, count: 1, direction: torsion}}
joints: [{{type: fixed}}]
payload: {{mass: 0.7}}
"""


def arm(segments=3, damping="0.0"):
    return flexarm.parse_arm(TEXT.format(segments=segments, damping=damping))


@pytest.mark.parametrize("stiffening", [True, False])
def test_inertia_and_stiffness_are_those_of_the_equations_of_motion(stiffening):
    update = {"geometric_stiffening": stiffening}
    equations = flexarm.motion_equations(arm().model_copy(update=update))
    (link,), n = equations.chain.assembled_links, equations.n_dof
    M = equations.mass_matrix(np.zeros(n))
    np.testing.assert_allclose(link.locked_inertia, M, atol=1e-12 * np.abs(M).max())
    K = np.column_stack([equations.bias(row, np.zeros(n)) for row in 1e-6 * np.eye(n)]) / 1e-6
    np.testing.assert_allclose(link.K, K, rtol=1e-9, atol=1e-9 * np.abs(K).max())


@pytest.mark.parametrize("xi", [0.0, 0.2, 1 / 3, 0.8, 1.0])
def test_small_motion_is_that_of_the_shape(xi):
    equations = flexarm.motion_equations(arm())
    (link,), n, step = equations.chain.assembled_links, equations.n_dof, 1e-6
    k = round(60 * xi)
    there, back = (equations.shape(sign * step * np.eye(n), 61)[:, 0, k] for sign in (1, -1))
    np.testing.assert_allclose(link.displacement(k / 60), (there - back) / (2 * step), atol=1e-8)


@pytest.mark.parametrize(
    ("damping", "ratios"),
    [
        ("0.03", [0.03] * 15),
        ("[0.01, 0.02, 0.03, 0.04, 0.05]", [0.01, 0.02, 0.03, 0.04, 0.05] + [0.0] * 10),
    ],
)
def test_damping_ratios_are_those_of_the_lowest_modes_of_each_direction(damping, ratios):
    """A list as for one segment: y 0.01, 0.02, z 0.03, 0.04, torsion 0.05; what is beyond is not damped."""
    found = flexarm.natural_modes(arm(damping=damping), joints="locked").modes
    np.testing.assert_allclose(sorted(found.damping_ratio), sorted(ratios), atol=1e-9)
    lowest = found.damping_ratio[0]  # bending along z, the softer
    assert lowest == pytest.approx(0.03)


def test_segments_share_what_is_equal():
    uniform = flexarm.parse_arm(
        "name: uniform\nlinks: [{length: 1, mu: 1, EI: 1, segments: 8, modes: {family: polynomial, count: 2}}]\n"
    )
    segments = build_chain(uniform).segments(0)
    assert len(set(map(id, segments))) == 1
