"""Random arms with random types, places and axes of joints and random bodies: all formulations, and the oracle."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from arms import Builder, random_state, text_of, y_modes, z_modes
from breadth import thinned
from reference.lagrangian import Oracle

import flexarm
from flexarm.catalogue import FORMULATIONS
from flexarm.description.arm.floating_body import FloatingBody

AGREEMENT, ORACLE = 1e-10, 1e-11
SEEDS = range(100, 112)
BASES = ("fixed", "planar", "free")


def recipe(b: Builder, flexible: bool):
    """Three to five links, lighter towards the tip, of which some bend; at least two joints move."""
    n = int(b.rng.integers(3, 6))
    links, joints = [], []
    for i in range(n):
        heavy = 8.0 / 2**i
        kinds = ["beam", "body", "long body"] + ["soft", "soft in space"] * flexible
        match b.rng.choice(kinds):
            case "body":
                links.append(b.body(heavy))
            case "long body":
                links.append(b.body(heavy, length=b.draw(0.2, 0.6)))
            case "soft":
                links.append(b.link(y_modes(2), heavy=heavy, damped=True))
            case "soft in space":
                links.append(b.link(y_modes(1), z_modes(1), heavy=heavy))
            case _:
                links.append(b.link(heavy=heavy, section_inertia=True))
        kind = (
            str(b.rng.choice(["revolute", "prismatic", "fixed"], p=[0.45, 0.45, 0.1]))
            if i > 1
            else "prismatic"
        )
        kind = "revolute" if i == 1 else kind
        options = {name: bool(b.rng.random() < 0.5) for name in ("hub", "motor", "friction")}
        axis = [None, [1, 0, 0], [0, -1, 0], "any"][b.rng.integers(4)]
        if b.rng.random() < 0.3:
            joints.append({**b.joint(b.draw(-2, 2), offset=True, **options), "type": kind})
        else:
            joints.append(b.placed_joint(kind, axis=axis, turned=bool(b.rng.random() < 0.7), **options))
        if kind == "fixed":
            joints[-1]["angle"] = b.draw(-1.0, 1.0)
    return {"links": links, "joints": joints, "payload": b.payload(inertia=6), "gravity": b.gravity()}


@cache
def drawn(seed: int, base: str) -> flexarm.Arm:
    """Even seeds: rigid; odd ones: flexible."""
    text = text_of("random", **recipe(Builder(seed), flexible=bool(seed % 2)))
    arm = flexarm.parse_arm(f"geometric_stiffening: false\n{text}")
    if base == "fixed":
        return arm
    inertia = [0, 0, 0.7] if base == "planar" else [0.4, 0.6, 0.7, 0.05, -0.1, 0.02]
    body = FloatingBody(type=base, mass=9.0, inertia=inertia, attachment=[0.3, -0.2, 0.0])
    return arm.model_copy(update={"base": base, "base_body": body})


def with_base(arm: flexarm.Arm, base: str):
    """Random theta, theta_d and theta_dd of the arm with those of its base."""
    theta, theta_d, theta_dd = random_state(arm)
    rng = np.random.default_rng(7)
    speeds = {"fixed": 0, "planar": 3, "free": 6}[base]
    pose = rng.normal(size=speeds + (base == "free"))
    return (
        np.append(theta, pose),
        np.append(theta_d, rng.normal(size=speeds)),
        np.append(theta_dd, rng.normal(size=speeds)),
    )


@pytest.mark.parametrize(
    ("seed", "base"),
    thinned([(seed, base) for seed in SEEDS for base in BASES], every=36, keep=((103, "free"),)),
)
def test_formulations_agree(seed, base):
    arm, found = drawn(seed, base), {}
    theta, theta_d, theta_dd = with_base(arm, base)
    for name, entry in FORMULATIONS.items():
        if getattr(entry.can, f"{base}_base"):
            eq = flexarm.motion_equations(arm, name)
            forces = np.random.default_rng(8).normal(size=eq.n_dof)
            found[name] = {
                "mass matrix": eq.mass_matrix(theta),
                "forces": eq.inverse_dynamics(theta, theta_d, theta_dd),
                "accelerations": eq.forward_dynamics(theta, theta_d, forces),
            }
    for one, other in combinations(found, 2):
        for what, expected in found[one].items():
            error = np.abs(found[other][what] - expected).max() / np.abs(expected).max()
            assert error < AGREEMENT, (one, other, what, error)


@pytest.mark.parametrize("seed", thinned(SEEDS))
def test_equations_are_those_of_the_energies(seed):
    arm = drawn(seed, "fixed")
    theta, theta_d, theta_dd = with_base(arm, "fixed")
    eq, oracle = flexarm.motion_equations(arm), Oracle(arm)
    for found, expected in (
        (eq.mass_matrix(theta), oracle.mass_matrix(theta)),
        (eq.inverse_dynamics(theta, theta_d, theta_dd), oracle.inverse_dynamics(theta, theta_d, theta_dd)),
        (eq.energies(theta, theta_d), oracle.energies(theta, theta_d)),
        (eq.points(theta), oracle.points(theta)),
    ):
        assert np.abs(np.asarray(found) - expected).max() < ORACLE * np.abs(expected).max()
