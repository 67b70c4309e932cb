"""Modal integrals against their definitions, integrated adaptively with shapes written out here."""

from dataclasses import fields
from math import cos, cosh, pi, sin, sinh

import numpy as np
import pytest
from breadth import thinned
from link_factory import EI, LENGTH, MU, make_link, y
from scipy.integrate import quad

from flexarm.links import dimensionless_link, flexible_link
from flexarm.links.flexible_link import normalised_profiles
from flexarm.links.integrals import modal_integrals, skew
from flexarm.links.section_motion import Sections
from flexarm.links.shapes.mode_shapes import mode_shapes
from flexarm.links.shapes.quadrature import gauss_panels

TOLERANCE = 1e-12
"""Relative to the largest entry of each integral; the 21-point rule is far better than its own estimate."""

ROTARY_INERTIA = np.array([2e-3, 1e-3, 1.5e-3])
KINK = 0.3 * LENGTH
HUB, TIP = 0.4, 0.9
X = np.array([1.0, 0.0, 0.0])


def linear(values):
    """Value at eta of a profile with a kink."""
    return lambda eta: float(np.interp(eta, [0, KINK, LENGTH], values))


MU_TABLE, EI_Y, EI_Z, GJ, EA = (
    [a, b, c] for a, b, c in ((5, 3, 2), (90, 80, 30), (60, 60, 20), (40, 9, 8), (5e4, 4e4, 1e4))
)

SPATIAL = (
    y("clamped-free", 2),
    y("polynomial", 2, direction="z"),
    y("fixed-free", 1, direction="torsion"),
    y("fixed-fixed", 2, direction="axial"),
    y("pinned-pinned", 1),
)


def spatial_link():
    def table(values):
        return {"eta": [0, KINK, LENGTH], "values": values}

    return make_link(
        *SPATIAL,
        mu=table(MU_TABLE),
        EI={"y": table(EI_Y), "z": table(EI_Z)},
        GJ=table(GJ),
        EA=table(EA),
        rotary_inertia=ROTARY_INERTIA.tolist(),
    )


def cantilever(beta, derivative):
    s = (cosh(beta) + cos(beta)) / (sinh(beta) + sin(beta))

    def phi(xi):
        b = beta * xi
        return (
            cosh(b) - cos(b) - s * (sinh(b) - sin(b)),
            sinh(b) + sin(b) - s * (cosh(b) - cos(b)),
            cosh(b) + cos(b) - s * (sinh(b) + sin(b)),
        )[derivative] * (beta / LENGTH) ** derivative

    return phi


def sine(beta, derivative):
    return lambda xi: (
        (sin(beta * xi), cos(beta * xi), -sin(beta * xi))[derivative] * (beta / LENGTH) ** derivative
    )


def power(n, derivative):
    factor = (1, n, n * (n - 1))[derivative]
    return lambda xi: factor * xi ** (n - derivative) / LENGTH**derivative


# Per mode: direction and maker of the shape's derivative in eta.
MODES = [
    ("y", lambda n: cantilever(1.8751040687119611, n)),
    ("y", lambda n: cantilever(4.694091132974174, n)),
    ("z", lambda n: lambda xi: power(2, n)(xi) / 2),
    ("z", lambda n: lambda xi: np.sqrt(3) * (power(3, n)(xi) / 3 - power(2, n)(xi) / 2)),
    ("torsion", lambda n: sine(pi / 2, n)),
    ("axial", lambda n: sine(pi, n)),
    ("axial", lambda n: sine(2 * pi, n)),
    ("y", lambda n: sine(pi, n)),
]


def r(j, eta):
    direction, shape = MODES[j]
    value = shape(0)(eta / LENGTH)
    return np.array([value * (direction == d) for d in ("axial", "y", "z")])


def theta(j, eta, more=0):
    direction, shape = MODES[j]
    if direction == "torsion":
        return np.array([shape(more)(eta / LENGTH), 0, 0])
    slope = 0.0 if direction == "axial" else shape(1 + more)(eta / LENGTH)
    return np.array([0, -slope * (direction == "z"), slope * (direction == "y")])


def along(function):
    """Integral over the link of a number or array, entry by entry."""
    shape = np.shape(function(0.1))

    def entry(k):
        parts = (
            quad(lambda eta: np.ravel(function(eta))[k], a, b, epsabs=1e-12, epsrel=1e-10)[0]
            for a, b in ((0, KINK), (KINK, LENGTH))
        )
        return sum(parts)

    return np.array([entry(k) for k in range(int(np.prod(shape)))]).reshape(shape)


def over_mass(function):
    mu = linear(MU_TABLE)
    lumps = HUB * np.asarray(function(0.0)) + TIP * np.asarray(function(LENGTH))
    return along(lambda eta: mu(eta) * np.asarray(function(eta))) + lumps


def cross(v):
    return np.array([np.cross(v, e) for e in np.eye(3)]).T


def stiffness(j, k):
    ei_y, ei_z, gj, ea = map(linear, (EI_Y, EI_Z, GJ, EA))

    def density(eta):
        tj, tk = theta(j, eta, 1), theta(k, eta, 1)
        bending_and_torsion = gj(eta) * tj[0] * tk[0] + ei_z(eta) * tj[1] * tk[1] + ei_y(eta) * tj[2] * tk[2]
        if MODES[j][0] == MODES[k][0] == "axial":
            return ea(eta) * MODES[j][1](1)(eta / LENGTH) * MODES[k][1](1)(eta / LENGTH)
        return bending_and_torsion

    return along(density)


def spin(j, k):
    return along(lambda eta: theta(j, eta) @ (ROTARY_INERTIA * theta(k, eta)))


m = range(len(MODES))
DEFINITIONS = {
    "mass": lambda: over_mass(lambda eta: 1.0),
    "s0": lambda: over_mass(lambda eta: eta * X),
    "C1": lambda: [over_mass(lambda eta, j=j: r(j, eta)) for j in m],
    "C3": lambda: [
        [over_mass(lambda eta, j=j, k=k: r(j, eta) @ r(k, eta)) + spin(j, k) for k in m] for j in m
    ],
    "C4": lambda: [[over_mass(lambda eta, j=j, k=k: np.cross(r(j, eta), r(k, eta))) for k in m] for j in m],
    "C5": lambda: over_mass(lambda eta: cross(eta * X).T @ cross(eta * X)),
    "C6": lambda: [over_mass(lambda eta, j=j: cross(eta * X).T @ cross(r(j, eta))) for j in m],
    "C7": lambda: [over_mass(lambda eta, j=j: np.cross(eta * X, r(j, eta))) for j in m],
    "C8": lambda: [
        [over_mass(lambda eta, j=j, k=k: cross(r(j, eta)).T @ cross(r(k, eta))) for k in m] for j in (0, 3, 6)
    ],
    "B10": lambda: LENGTH * np.diag(ROTARY_INERTIA),
    "K": lambda: [[stiffness(j, k) for k in m] for j in m],
    "P": lambda: [along(lambda eta, j=j: ROTARY_INERTIA * theta(j, eta)) for j in m],
    "spin": lambda: [[spin(j, k) for k in m] for j in m],
}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(field.name, marks=pytest.mark.slow if field.name == "C8" else ())
        for field in fields(flexible_link(make_link()).integrals)
    ],
)
def test_integrals_of_a_tapered_spatial_link_are_what_their_definitions_say(name):
    integrals = flexible_link(spatial_link(), hub_mass=HUB, tip_mass=TIP).integrals
    computed = np.asarray(getattr(integrals, name))
    if name == "C8":
        computed = computed[[0, 3, 6]]
    expected = np.asarray(DEFINITIONS[name]())
    assert computed.shape == expected.shape
    np.testing.assert_allclose(computed, expected, rtol=0, atol=TOLERANCE * np.abs(expected).max())


def test_displacement_and_rotation_are_vectors_of_the_link_frame():
    link = flexible_link(spatial_link())
    assert link.directions == ("y", "y", "z", "z", "torsion", "axial", "axial", "y")
    xi = np.array([0.0, 0.31, 1.0])
    for k, station in enumerate(xi * LENGTH):
        for j in m:
            np.testing.assert_allclose(link.displacement(xi)[k, j], r(j, station), atol=1e-14)
            np.testing.assert_allclose(link.rotation(xi)[k, j], theta(j, station), atol=1e-13)
    assert link.displacement(0.31).shape == (8, 3)
    np.testing.assert_array_equal(link.rotation(0.31), link.rotation(xi)[1])


def test_a_rigid_link_has_its_mass_properties_and_empty_modal_integrals():
    integrals = flexible_link(make_link()).integrals
    assert integrals.mass == pytest.approx(MU * LENGTH, rel=1e-14)
    np.testing.assert_allclose(integrals.s0, MU * LENGTH**2 / 2 * X, rtol=1e-14)
    np.testing.assert_allclose(integrals.C5, MU * LENGTH**3 / 3 * np.diag([0, 1, 1]), rtol=1e-14)
    assert integrals.C8.shape == (0, 0, 3, 3)
    assert integrals.K.shape == (0, 0)


def test_torsion_spins_the_sections():
    """One fixed-free sine: int sin = 2 l / pi, int sin^2 = l / 2; no point of the axis moves."""
    integrals = flexible_link(make_link(y("fixed-free", 1, direction="torsion"))).integrals
    J = ROTARY_INERTIA[0]
    np.testing.assert_allclose(integrals.P, [[J * 2 * LENGTH / pi, 0, 0]], rtol=1e-14)
    np.testing.assert_allclose(integrals.C3, [[J * LENGTH / 2]], rtol=1e-14)
    for name in ("C1", "C4", "C6", "C7", "C8"):
        assert not getattr(integrals, name).any()


def test_what_vanishes_by_structure_is_an_exact_zero():
    """The equations of motion drop exact zeros; round-off would stay in them."""
    link = flexible_link(
        make_link(
            y("free-free", 6), y("pinned-pinned", 6, direction="z"), y("fixed-fixed", 4, direction="axial")
        )
    )
    integrals = link.integrals
    for matrix in (integrals.C3, integrals.K):
        assert np.count_nonzero(matrix) == 16
    assert not integrals.C1[:6].any()  # orthogonal to translation
    assert not integrals.C7[:6].any()  # and to rotation
    even_pinned = integrals.C1[6:12:1, 2]
    assert list(even_pinned != 0) == [True, False] * 3
    assert not link.displacement(1.0)[6:].any()
    assert not link.displacement(0.0)[6:].any()
    assert np.count_nonzero(flexible_link(make_link(y("clamped-clamped", 20))).rotation(1.0)) == 0


@pytest.mark.parametrize(
    "family", thinned(["clamped-free", "hinged", "clamped-clamped", "polynomial", "craig-bampton"])
)
def test_twenty_modes_are_integrated_to_round_off(family, monkeypatch):
    """Twice the points on every panel change nothing."""
    described = make_link(y(family, 20), y(family, 20, direction="z"))
    shapes = tuple((modes.direction, mode_shapes(modes, described)) for modes in described.modes)
    sections, profiles = Sections(1.0, shapes), normalised_profiles(described)
    usual = modal_integrals(dimensionless_link.link_field(sections, profiles), ROTARY_INERTIA)
    monkeypatch.setattr(dimensionless_link, "gauss_panels", lambda breakpoints: gauss_panels(breakpoints, 20))
    doubled = modal_integrals(dimensionless_link.link_field(sections, profiles), ROTARY_INERTIA)
    for matrix, finer in ((usual.C3, doubled.C3), (usual.K, doubled.K)):
        bound = np.sqrt(np.outer(np.diag(finer), np.diag(finer)))
        assert (np.abs(matrix - finer) / bound).max() < 1e-13
    np.testing.assert_allclose(usual.C1, doubled.C1, atol=1e-13)


def test_skew_is_the_matrix_of_the_cross_product():
    a, b = np.array([[0.3, -1.2, 2.0], [1.0, 0.5, -0.25]]), np.array([0.7, 0.1, -0.4])
    np.testing.assert_allclose(skew(a) @ b, np.cross(a, b), atol=1e-14)


def test_stiffness_by_direction_of_deflection():
    """EI.y resists deflection along y: [GA09]'s EI_z."""
    link = make_link(y("clamped-free", 1), y("clamped-free", 1, direction="z"), EI={"y": EI, "z": 4 * EI})
    K = flexible_link(link).integrals.K
    beta = 1.8751040687119611
    np.testing.assert_allclose(np.diag(K), np.array([1, 4]) * EI * beta**4 / LENGTH**3, rtol=1e-13)
