"""Equations of equal links: derived once for all of them, and equal to those derived for each."""

from dataclasses import dataclass, fields, replace

import casadi as ca
import numpy as np
import pytest

import flexarm
from flexarm.formulations.dynamics.link_inertia import link_inertia
from flexarm.formulations.equal_links import derived_once
from flexarm.model.chain_builder import build_chain

ARM = """
name: shortening
base: {base}
links: [{{length: 1.2, mu: 2.0, EI: {{y: 30, z: 20}}, segments: 3, modes: [
  {{family: polynomial, count: 2, direction: y}}, {{family: polynomial, count: 2, direction: z}}]}}]
run: {{duration: 1, sample: 0.1}}
"""


def bodies(base="fixed"):
    return build_chain(flexarm.parse_arm(ARM.format(base=base))).bodies


def matrices(m):
    """Amplitudes, rates and an angular velocity: about any axis, about z, and none."""
    delta, delta_d = ca.SX.sym("delta", m), ca.SX.sym("delta_d", m)
    w = ca.SX.sym("w", 3)
    for spin in (w, ca.vertcat(ca.SX(2, 1), w[2]), ca.vertcat(0, 1, w[2]), ca.SX(3, 1)):
        yield (delta, delta_d, w), (delta, delta_d, spin)


@pytest.mark.parametrize("base", ["fixed", "{type: free, mass: 2, inertia: 0.1}"])
def test_instance_equals_a_derivation_of_its_own(base):
    for body in bodies(base):
        for symbols, arguments in matrices(body.link.n_modes):
            each = [derive(body.link, *arguments) for derive in (link_inertia, link_inertia.__wrapped__)]
            assert each[0].mass == each[1].mass
            numbers = [np.random.default_rng(1).normal(size=symbol.shape) for symbol in symbols]
            for name in (field.name for field in fields(each[0]) if field.name != "mass"):
                expressions = [getattr(one, name) for one in each]
                assert expressions[0].sparsity() == expressions[1].sparsity()
                values = [np.array(ca.Function("f", symbols, [e])(*numbers)) for e in expressions]
                np.testing.assert_array_equal(values[0], values[1])


@dataclass(frozen=True)
class Momentum:
    mass: float
    p: ca.SX


def test_equal_links_are_derived_once_and_symbols_stay():
    calls = []

    @derived_once
    def momentum(link, v):
        calls.append(link)
        return Momentum(1.0, link.length * v)

    link = bodies()[0].link
    other = replace(link)
    v, w = ca.SX.sym("v"), ca.SX.sym("w")
    assert str(momentum(link, v).p) == "(0.4*v)"
    assert str(momentum(link, w).p) == "(0.4*w)"
    assert len(calls) == 1
    momentum(other, v)  # its numbers may differ
    momentum(link, ca.SX(1, 1))  # a zero, of which less comes out
    assert len(calls) == 3

    symbolic = replace(link, length=ca.SX.sym("length"))
    assert str(momentum(symbolic, v).p) == "(length*v)"
