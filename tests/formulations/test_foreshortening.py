"""Geometric stiffening against the oracle: the whole kinetic energy of the shortened link, at any deflection."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from arms import ARMS, arm, driven, equations, mode_rows, random_state
from breadth import thinned
from reference.lagrangian import Oracle

from flexarm import motion_equations, parse_arm
from flexarm.catalogue import FORMULATIONS
from flexarm.model.chain_builder import build_chain

AGREEMENT = 1e-11
STIFFENING = [name for name, entry in FORMULATIONS.items() if entry.can.stiffening]
TWISTING = """
name: twisting
links: [{length: 1, mu: 1, GJ: 5, rotary_inertia: 0.1, modes: {family: fixed-free, count: 2, direction: torsion}}]
"""
FLEXIBLE = thinned([name for name in ARMS if len(mode_rows(arm(name)))], every=14)


def stiffened(name: str):
    return arm(name, stiffening=True)


@cache
def oracle(name: str) -> Oracle:
    return Oracle(stiffened(name))


def assert_close(actual, expected):
    error = np.abs(np.asarray(actual) - expected).max() / np.abs(expected).max()
    assert error < AGREEMENT, f"relative difference {error:.1e}"


@pytest.mark.parametrize("formulation", thinned(STIFFENING, every=2))
@pytest.mark.parametrize("name", FLEXIBLE)
def test_equations_are_those_of_the_whole_energy(name, formulation):
    theta, theta_d, _ = random_state(arm(name))
    eq, reference = equations(name, formulation, stiffening=True), oracle(name)
    tau = np.random.default_rng(0).normal(size=len(driven(eq)))
    forces = np.zeros(eq.n_dof)
    forces[driven(eq)] = tau
    assert_close(eq.mass_matrix(theta), reference.mass_matrix(theta))
    assert_close(eq.bias(theta, theta_d), reference.bias(theta, theta_d))
    assert_close(eq.forward_dynamics(theta, theta_d, tau), reference.forward_dynamics(theta, theta_d, forces))


@pytest.mark.parametrize("name", FLEXIBLE)
def test_energies_and_points(name):
    theta, theta_d, _ = random_state(arm(name))
    eq, reference = equations(name, stiffening=True), oracle(name)
    assert_close(eq.energies(theta, theta_d), reference.energies(theta, theta_d))
    assert_close(eq.points(theta), reference.points(theta))


@pytest.mark.parametrize("formulation", STIFFENING)
@pytest.mark.parametrize("name", FLEXIBLE)
def test_mass_matrix_is_positive_definite_at_every_deflection(name, formulation):
    """Gram matrix of the displacement field: amplitudes of an end rotation of 1 rad, and of ten times that."""
    eq, rng = equations(name, formulation, stiffening=True), np.random.default_rng(3)
    for size in (1.0, 10.0):
        theta, _, _ = random_state(arm(name))
        rows = mode_rows(arm(name))
        theta[rows] = rng.normal(size=len(rows))
        links = [
            link
            for link in [
                link for own in build_chain(stiffened(name)).assembled_links for link in own.segments
            ]
            if link.n_modes
        ]
        turns = [np.abs(link.rotation(1.0)).max() for link in links]
        theta[rows] *= size / (max(turns) * np.abs(theta[rows]).max())
        M = eq.mass_matrix(theta)
        scale = 1 / np.sqrt(np.diag(M))
        assert np.linalg.eigvalsh(M * np.outer(scale, scale))[0] > 0


@pytest.mark.parametrize("formulation", STIFFENING)
def test_off_means_untouched(formulation):
    """Links that do not bend have not one instruction more; others as many as the run pays for (printed)."""
    name = "planar-two-link"
    off, on = (motion_equations(a, formulation=formulation) for a in (arm(name), stiffened(name)))
    twisting = [parse_arm(f"geometric_stiffening: {word}\n{TWISTING}") for word in ("true", "false")]
    assert len({motion_equations(a, formulation=formulation).counts() for a in twisting}) == 1
    print(f"{formulation}: {off.counts()} without, {on.counts()} with stiffening")
    assert on.counts() != off.counts()
