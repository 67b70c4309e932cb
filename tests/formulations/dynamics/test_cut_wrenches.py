"""Wrenches in cuts and at joints against those from the momentum of mass points, for all random arms."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from arms import ARMS, arm, random_state
from breadth import thinned
from reference.cut_loads import CutLoads

from flexarm import parse_arm
from flexarm.formulations.dynamics.cut_wrenches import arm_wrenches
from flexarm.formulations.kinematics.chain_motion import chain_motion
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.model.chain_builder import build_chain
from flexarm.simulation.forces.applied_forces import station_forces
from flexarm.simulation.forces.time_functions import Signals

AGREEMENT = 1e-11  # of the largest entry: two ways of summing the same masses

LOADS = """
loads:
  - {at: tip, force: [3, -2, 1], moment: [0.5, 0.2, -0.4]}
  - {at: {link: 1, at: 0.4}, force: [1, 5, -2], moment: [0.1, -0.3, 0.2], frame: link}
  - {at: {link: 1, at: 0.4}, force: [0, -1, 0.5]}
  - {at: {link: 1}, distributed: [0.5, -4, 2]}
  - {at: {link: 1, from: 0.3, to: 0.9}, distributed: [3, 1, -1], frame: link}
"""


def cut_function(arm, cuts):
    """(theta, theta_d, theta_dd) -> wrenches at all joints and in cuts, (6, n + k), as flexarm has them."""
    chain = build_chain(arm)
    theta, theta_d, theta_dd = (
        ca.SX.sym(n, chain.coordinates.n_dof) for n in ("theta", "theta_d", "theta_dd")
    )
    state = ChainState.of(chain, theta, theta_d)
    loads = station_forces(arm, chain, Signals(ca.SX.sym("t")), state, chain_motion(chain, state))
    found = arm_wrenches(chain, theta, theta_d, theta_dd, loads, [chain.station(*cut) for cut in cuts])
    wrenches = [found.roots[i] for i in chain.joint_bodies] + found.cuts
    columns = ca.horzcat(*(ca.vertcat(wrench.f, wrench.n) for wrench in wrenches))
    return ca.Function("cuts", [theta, theta_d, theta_dd], [ca.densify(columns)])


QUICK = ("planar-one-link", True)
CASES = [QUICK, *((name, stiff) for name in ARMS for stiff in (False, True) if (name, stiff) != QUICK)]


@pytest.mark.parametrize(("name", "stiffening"), thinned(CASES, every=len(CASES)))
def test_wrenches_are_those_of_the_mass_points_beyond(name, stiffening):
    plain = arm(name, stiffening=stiffening)
    loaded = parse_arm(plain.text + LOADS) if plain.links[0].body is None else plain
    n = len(loaded.links)
    cuts = [
        (i, xi)
        for i, link in enumerate(loaded.links)
        for xi in ((0.0, 0.4, 0.8, 1.0) if link.body is None and link.length else (0.0, 1.0))
    ]
    joints = [(i, None) for i in range(n)]
    found, expected = cut_function(loaded, cuts), CutLoads(loaded).function([*joints, *cuts])
    for seed in range(2):
        state = random_state(loaded, seed)
        ours, theirs = found(*state).full(), expected(*state).full()
        for part in (slice(0, 3), slice(3, 6)):
            error = np.abs(ours[part] - theirs[part]).max() / np.abs(theirs[part]).max()
            assert error < AGREEMENT, f"{error:.1e}"


FLOATING = """
name: floats
base: {type: planar, mass: 3.0, inertia: 0.4, attachment: [0.2, 0.1, 0]}
gravity: [0, -2, 0]
links:
  - {length: 0.8, mu: 2.0, EI: 50, modes: {family: clamped-free, count: 2}}
  - {length: 0.5, mu: 1.0, EI: 20, rotary_inertia: [0, 0, 0.01], modes: {family: clamped-free, count: 1}}
payload: {mass: 0.3, inertia: 0.02, offset: [0.1, 0.05, 0]}
run: {duration: 1, sample: 1}
"""


@pytest.mark.slow
def test_a_floating_body_gives_what_the_arm_takes():
    floating = parse_arm(FLOATING + LOADS)
    cuts = [(0, 0.3), (1, 0.6)]
    found = cut_function(floating, cuts)
    expected = CutLoads(floating).function([(0, None), (1, None), *cuts])
    for seed in range(3):
        state = np.random.default_rng(seed).normal(size=(3, found.size1_in(0))) * [[0.1], [1.0], [3.0]]
        ours, theirs = found(*state).full(), expected(*state).full()
        np.testing.assert_allclose(ours, theirs, atol=AGREEMENT * np.abs(theirs).max())
