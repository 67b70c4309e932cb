"""Geometric stiffening against the oracle: the same truncated energies exactly, all terms to third order."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from arms import ARMS, FLEXIBLE_CHAINS, arm, mode_rows, random_state, scale_deflections
from reference.lagrangian import Oracle

from flexarm import motion_equations, parse_arm
from flexarm.catalogue import FORMULATIONS

AGREEMENT = 1e-11
STIFFENING = [name for name, entry in FORMULATIONS.items() if entry.can.stiffening]
FLEXIBLE = [name for name in ARMS if len(mode_rows(arm(name)))]


@cache
def stiffened(name: str):
    return parse_arm(f"geometric_stiffening: true\n{ARMS[name]}", source=f"{name}.yaml")


@cache
def truncated(name: str) -> Oracle:
    return Oracle(stiffened(name))


def assert_close(actual, expected):
    error = np.abs(np.asarray(actual) - expected).max() / np.abs(expected).max()
    assert error < AGREEMENT, f"relative difference {error:.1e}"


@pytest.mark.parametrize("formulation", STIFFENING)
@pytest.mark.parametrize("name", FLEXIBLE)
def test_equations_are_those_of_the_truncated_energies(name, formulation):
    theta, theta_d, _ = random_state(arm(name))
    eq, reference = motion_equations(stiffened(name), formulation=formulation), truncated(name)
    tau = np.random.default_rng(0).normal(size=len(eq.coordinates.moving_joints))
    forces = np.zeros(eq.n_dof)
    forces[list(eq.coordinates.moving_joints)] = tau
    assert_close(eq.mass_matrix(theta), reference.mass_matrix(theta))
    assert_close(eq.bias(theta, theta_d), reference.bias(theta, theta_d))
    assert_close(eq.forward_dynamics(theta, theta_d, tau), reference.forward_dynamics(theta, theta_d, forces))


@pytest.mark.parametrize("name", FLEXIBLE)
def test_energies_and_points(name):
    theta, theta_d, _ = random_state(arm(name))
    eq, reference = motion_equations(stiffened(name)), truncated(name)
    assert_close(eq.energies(theta, theta_d), reference.energies(theta, theta_d))
    assert_close(eq.points(theta), reference.points(theta))


@pytest.mark.parametrize("name", FLEXIBLE_CHAINS)
def test_dropped_energy_is_of_third_order(name):
    """Halving all modal amplitudes and rates makes the difference to the energy with every term 8 times smaller."""
    full, kept = Oracle(stiffened(name), foreshortening="full"), truncated(name)
    theta, theta_d, _ = random_state(arm(name))
    differences = []
    for k in range(4):
        state = [scale_deflections(arm(name), part, 0.1 * 0.5**k) for part in (theta, theta_d)]
        differences.append(abs(full.energies(*state).kinetic - kept.energies(*state).kinetic))
    orders = np.log2(np.divide(differences[:-1], differences[1:]))
    print(f"{name}: differences {differences}, orders {orders}")
    assert abs(orders[-1] - 3) < 0.15


@pytest.mark.parametrize("formulation", STIFFENING)
def test_off_means_untouched(formulation):
    """Without the option not one instruction is added; with it, as many as the run pays for (printed)."""
    name = "planar-two-link"
    off, on = (motion_equations(a, formulation=formulation) for a in (arm(name), stiffened(name)))
    plain = parse_arm(f"geometric_stiffening: false\n{ARMS[name]}")
    assert motion_equations(plain, formulation=formulation).counts() == off.counts()
    print(f"{formulation}: {off.counts()} without, {on.counts()} with stiffening")
    assert on.counts() != off.counts()
