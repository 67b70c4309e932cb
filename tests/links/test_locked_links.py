"""A link with its joint locked: frequencies, static deflection, damping."""

from math import pi

import numpy as np
import published_beams
import pytest
from link_factory import EI, LENGTH, MU, make_link, y
from scipy.optimize import brentq

from flexarm.description.arm.link.link import Link
from flexarm.errors import ModelError
from flexarm.links import flexible_link

UNIT = np.sqrt(EI / (MU * LENGTH**4))
"""sqrt(EI / (mu l^4)) [rad/s]."""


def cantilever_frequencies(count):
    return np.array([float(published_beams.root("clamped-free", k)) ** 2 for k in range(1, count + 1)]) * UNIT


@pytest.mark.parametrize("count", range(1, 11))
def test_clamped_free_modes_give_the_exact_cantilever_frequencies(count):
    frequencies = flexible_link(make_link(y("clamped-free", count))).locked_frequencies()
    np.testing.assert_allclose(frequencies, cantilever_frequencies(count), rtol=1e-12)


def test_polynomial_modes_approach_the_cantilever_frequencies_from_above():
    exact = cantilever_frequencies(3)
    counts = range(3, 9)
    excess = np.array(
        [
            flexible_link(make_link(y("polynomial", count))).locked_frequencies()[:3] / exact - 1
            for count in counts
        ]
    )
    assert (excess > -1e-12).all(), excess
    assert (np.diff(excess, axis=0) < 1e-12).all(), excess
    assert excess[-1, 0] < 1e-11, excess
    assert excess[-1, 2] < 1e-4, excess


def test_a_tip_mass_lowers_the_frequencies_of_clamped_free_modes_to_those_of_the_loaded_beam():
    """Rayleigh-Ritz with 20 modes, from above; the missing tip shear makes it slow."""
    mass = 2.0
    ritz = flexible_link(make_link(y("clamped-free", 20)), tip_mass=mass).locked_frequencies()[:2]
    loaded = make_link(y("clamped-loaded", 2, tip={"mass": mass, "inertia": 0.0}))
    exact = flexible_link(loaded).locked_frequencies()
    assert (ritz > exact).all()
    np.testing.assert_allclose(ritz, exact, rtol=1e-3)


def test_static_tip_deflection_approaches_the_exact_one_from_below_with_the_third_power():
    """Mode j adds F phi_j(1)^2 / K_jj = 4 F l^3 / (EI beta_j^4): m modes lack 4 F l^3 / (3 pi^4 m^3 EI)."""
    force, counts = 7.0, np.array([5, 10, 20])
    exact = force * LENGTH**3 / (3 * EI)
    missing = []
    for count in counts:
        link = flexible_link(make_link(y("clamped-free", int(count))))
        shape = link.displacement(1.0)[:, 1]
        missing.append(1 - shape @ np.linalg.solve(link.integrals.K, force * shape) / exact)
    rates = np.log2(np.array(missing[:-1]) / missing[1:])
    assert (np.array(missing) > 0).all(), missing
    assert (np.abs(rates - 3) < 0.03).all(), f"rates of convergence {rates}"
    np.testing.assert_allclose(missing[-1], 4 / (pi**4 * counts[-1] ** 3), rtol=2e-3)


def test_torsion_and_axial_bars_have_their_exact_frequencies():
    link = make_link(y("fixed-free", 3, direction="torsion"), y("fixed-fixed", 2, direction="axial"))
    torsion = (np.arange(1, 4) - 0.5) * pi / LENGTH * np.sqrt(40.0 / 2e-3)
    axial = np.arange(1, 3) * pi / LENGTH * np.sqrt(5e4 / MU)
    np.testing.assert_allclose(
        flexible_link(link).locked_frequencies(), np.sort([*torsion, *axial]), rtol=1e-13
    )


@pytest.mark.parametrize(
    ("tip", "hertz"),
    [
        ({"mass": 0.1, "inertia": 5e-4}, [2.178, 15.91]),
        ({"mass": 1.2, "inertia": 0.1338}, [0.480, 1.797]),
    ],
    ids=["link 2", "link 1"],
)
@pytest.mark.parametrize("tip_mass", [0.0, 0.05])
def test_clamped_loaded_modes_vibrate_as_in_de_luca_and_siciliano_1991(tip, hertz, tip_mass):
    """Locked frequencies count the load the modes were made for; the integrals of the link do not."""
    modes = y("clamped-loaded", 2, tip=tip)
    described = Link.model_validate({"length": 0.5, "mu": 0.2, "EI": 1.0, "modes": modes, "damping": 0.03})
    link = flexible_link(described, tip_mass=tip_mass)  # a point payload is part of the load, and counts once
    frequencies = link.locked_frequencies()
    np.testing.assert_allclose(frequencies / (2 * pi), hertz, rtol=6e-4)
    assert link.integrals.mass == pytest.approx(0.1 + tip_mass)
    assert np.count_nonzero(link.integrals.K) == np.count_nonzero(link.damping) == 2
    expected = 2 * 0.03 * frequencies * np.diag(link.locked_inertia)
    np.testing.assert_allclose(np.diag(link.damping), expected, rtol=1e-12)


# -- damping ----------------------------------------------------------------------------------------------


def test_orthogonal_modes_are_damped_one_by_one():
    link = flexible_link(make_link(y("clamped-free", 3), damping=[0.01, 0.02, 0.05]))
    expected = 2 * np.array([0.01, 0.02, 0.05]) * cantilever_frequencies(3) * np.diag(link.integrals.C3)
    np.testing.assert_allclose(link.damping, np.diag(expected), rtol=1e-12, atol=0)


def test_coupled_modes_vibrate_freely_with_the_ratios_asked_for():
    """Eigenvalues of C3 x_dd + D x_d + K x = 0 are -zeta w +- i w sqrt(1 - zeta^2) in each direction."""
    ratios = {"y": [0.01, 0.3, 0.05, 0.2], "z": [0.02, 0.4]}
    described = make_link(
        y("polynomial", 3),
        y("hinged", 2, direction="z"),
        y("clamped-free", 1),
        damping=[0.01, 0.3, 0.05, 0.02, 0.4, 0.2],
    )
    link = flexible_link(described, tip_mass=0.7)
    C3, K, D = link.integrals.C3, link.integrals.K, link.damping
    np.testing.assert_array_equal(D, D.T)
    for direction, expected in ratios.items():
        group = [j for j, name in enumerate(link.directions) if name == direction]
        others = [j for j, name in enumerate(link.directions) if name != direction]
        assert not D[np.ix_(group, others)].any()
        block = np.ix_(group, group)
        n = len(group)
        inverse = np.linalg.inv(C3[block])
        first_order = np.block([[np.zeros((n, n)), np.eye(n)], [-inverse @ K[block], -inverse @ D[block]]])
        eigenvalues = np.linalg.eigvals(first_order)
        above = eigenvalues[eigenvalues.imag > 0]
        above = above[np.argsort(np.abs(above))]
        np.testing.assert_allclose(-above.real / np.abs(above), expected, rtol=1e-7)


def massless_torsion(**keys):
    """Torsion without rotary inertia, which the description refuses unless something else carries it."""
    described = make_link(y("fixed-free", 2, direction="torsion"), y("clamped-free", 1), **keys)
    return described.model_copy(update={"rotary_inertia": (0.0, 0.0, 0.0)})


def test_modes_without_inertia_have_infinite_frequencies():
    link = flexible_link(massless_torsion())
    frequencies = link.locked_frequencies()
    np.testing.assert_allclose(frequencies[0], cantilever_frequencies(1)[0])
    assert np.isinf(frequencies[1:]).all()
    assert not link.damping.any()


def test_modes_without_inertia_cannot_be_damped():
    with pytest.raises(ModelError, match="rotary_inertia"):
        flexible_link(massless_torsion(damping=[0.01, 0.01, 0.0]))
    assert np.count_nonzero(flexible_link(massless_torsion(damping=[0, 0, 0.01])).damping) == 1


def test_dependent_modes_are_refused():
    with pytest.raises(ModelError, match="linearly dependent"):
        flexible_link(make_link(y("polynomial", 2), y("craig-bampton", 2)))  # both span xi^2, xi^3


@pytest.mark.parametrize("family", ["polynomial", "craig-bampton"])
def test_twenty_shapes_with_orthonormal_curvatures_are_independent(family):
    link = flexible_link(make_link(y(family, 20)))
    np.testing.assert_allclose(link.integrals.K, EI / LENGTH**3 * np.eye(20), atol=1e-9 * EI / LENGTH**3)
    scale = 1 / np.sqrt(np.diag(link.integrals.C3))
    assert np.linalg.eigvalsh(link.integrals.C3 * np.outer(scale, scale))[0] > 1e-9


def test_craig_bampton_shapes_hold_a_tip_force_and_a_tip_moment_exactly():
    """Static deflection F l^3 / 3 EI and slope F l^2 / 2 EI from one shape; M l^2 / 2 EI and M l / EI from two."""
    for count, force, moment in ((1, 3.0, 0.0), (2, 3.0, -2.0)):
        link = flexible_link(make_link(y("craig-bampton", count)))
        loads = force * link.displacement(1.0)[:, 1] + moment * link.rotation(1.0)[:, 2]
        delta = np.linalg.solve(link.integrals.K, loads)
        tip, slope = delta @ link.displacement(1.0)[:, 1], delta @ link.rotation(1.0)[:, 2]
        assert tip == pytest.approx(force * LENGTH**3 / (3 * EI) + moment * LENGTH**2 / (2 * EI), rel=1e-12)
        assert slope == pytest.approx(force * LENGTH**2 / (2 * EI) + moment * LENGTH / EI, rel=1e-12)


def test_craig_bampton_modes_approach_the_cantilever_frequencies():
    """From above, six shapes within 1e-5, 2e-4 and 1e-3: a free tip is what these shapes hold last."""
    found = flexible_link(make_link(y("craig-bampton", 6))).locked_frequencies()[:3]
    errors = found / cantilever_frequencies(3) - 1
    print(errors)
    assert np.all(errors > -1e-9)
    assert np.all(errors < [1e-5, 2e-4, 1e-3])


def test_a_rigid_link_has_no_frequencies():
    link = flexible_link(make_link())
    assert link.n_modes == 0
    assert link.locked_frequencies().shape == (0,)
    assert link.damping.shape == (0, 0)
    assert link.displacement([0.0, 1.0]).shape == (2, 0, 3)


def rayleigh_cantilever(ratio):
    """Roots w / sqrt(EI/(mu l^4)) of a clamped-free beam with rotary inertia J' = ratio mu l^2.

    Shapes cosh(a xi), sinh(a xi), cos(b xi), sin(b xi) solve phi'''' + w^2 ratio phi'' - w^2 phi = 0; no moment and no
    shear at the tip: phi'' = 0 and phi''' + w^2 ratio phi' = 0.
    """

    def determinant(w):
        half = w**2 * ratio / 2
        root = np.sqrt(half**2 + w**2)
        a, b = np.sqrt(root - half), np.sqrt(root + half)
        rows = []
        for at, orders in ((0.0, (0, 1)), (1.0, (2, 3))):
            for n in orders:
                values = [_derivatives(a, b, at, n)]
                if n == 3:
                    values.append(w**2 * ratio * _derivatives(a, b, at, 1))
                rows.append(sum(values))
        scale = [np.cosh(a), np.cosh(a), 1, 1]
        return np.linalg.det(np.array(rows) / scale)

    grid = np.linspace(1.0, 130.0, 4000)
    signs = np.array([determinant(w) for w in grid])
    return [brentq(determinant, *grid[k : k + 2]) for k in np.flatnonzero(signs[1:] * signs[:-1] < 0)]


def _derivatives(a, b, xi, n):
    hyperbolic = [np.cosh(a * xi), np.sinh(a * xi)][:: 1 if n % 2 == 0 else -1]
    trigonometric = [np.cos(b * xi + n * np.pi / 2), np.sin(b * xi + n * np.pi / 2)]
    return np.array([a**n * value for value in hyperbolic] + [b**n * value for value in trigonometric])


def test_rotary_inertia_of_bending_lowers_frequencies_as_rayleigh_found():
    """Round bar, d / l = 0.1: radius of gyration d / 4; pinned ends in closed form, clamped by its determinant."""
    ratio = (0.1 / 4) ** 2
    inertia = ratio * MU * LENGTH**2
    n = np.arange(1, 5) * np.pi
    pinned = flexible_link(make_link(y("pinned-pinned", 4), rotary_inertia=[0, inertia, inertia]))
    np.testing.assert_allclose(
        pinned.locked_frequencies() / UNIT, n**2 / np.sqrt(1 + ratio * n**2), rtol=1e-12
    )
    clamped = flexible_link(make_link(y("clamped-free", 12), rotary_inertia=[0, inertia, inertia]))
    exact = rayleigh_cantilever(ratio)[:4]
    np.testing.assert_allclose(clamped.locked_frequencies()[:4] / UNIT, exact, rtol=1e-3)
    assert exact[3] < 0.97 * 120.9  # what it is without rotary inertia
