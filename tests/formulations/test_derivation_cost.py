"""Derivations are estimated before they begin: operations against those counted, and what does not fit is refused."""

import json

import pytest
from breadth import thinned

from flexarm import ModelError, memory, motion_equations, natural_modes, parse_arm, simulate
from flexarm.catalogue import FORMULATIONS
from flexarm.codegen.native import compile_native
from flexarm.formulations.derivation_cost import EVALUATIONS, MASS_MATRIX_ENTRY, operations
from flexarm.model.chain_builder import build_chain
from flexarm.simulation.state.symbols import SymbolicState

FACTOR = 2.5
"""Of the estimate, either way: it is to tell megabytes from gigabytes."""


def chain_of(n, modes, spatial=False, **more):
    link = {"length": 1.0, "mu": 5.0}
    if modes:
        directions = "yz" if spatial else "y"
        link["EI"] = {"y": 1e3, "z": 1e3}
        link["modes"] = [{"count": modes // len(directions), "direction": one} for one in directions]
    joints = [{"twist": "90 deg" if i % 2 and spatial else 0.0} for i in range(n)]
    run = {"duration": 0.1, "sample": 0.1}
    return parse_arm(json.dumps({"name": "chain", "links": [link] * n, "joints": joints, "run": run, **more}))


@pytest.mark.parametrize(
    ("n", "modes", "spatial", "formulation"),
    thinned(
        (*size, formulation)
        for size in ((4, 4, False), (12, 2, False), (8, 0, True), (6, 4, True), (2, 8, True))
        for formulation in FORMULATIONS
    ),
)
def test_operations_are_known_beforehand(formulation, n, modes, spatial):
    stiffening = FORMULATIONS[formulation].can.stiffening
    arm = chain_of(n, modes, spatial, geometric_stiffening=stiffening)
    arm = arm.model_copy(update={"run": arm.run.model_copy(update={"formulation": formulation})})
    symbols = SymbolicState.of(arm)
    counted = symbols.function("a", symbols.accelerations(symbols.applied_forces())).n_instructions()
    entries = symbols.chain.coordinates.n_dof**2
    estimated = (operations(symbols.chain, formulation) - MASS_MATRIX_ENTRY[spatial] * entries) / EVALUATIONS
    assert 1 / FACTOR < estimated / counted < FACTOR


@pytest.mark.parametrize("spatial", [False, True])
def test_operations_of_the_mass_matrix_are_known_beforehand(spatial):
    equations = motion_equations(chain_of(15, 2, spatial))
    counted = equations._mass_matrix.n_instructions()
    assert 0.5 < MASS_MATRIX_ENTRY[spatial] * equations.n_dof**2 / counted < 2.0


@pytest.mark.parametrize(
    "command", [simulate, natural_modes, lambda arm: motion_equations(arm).mass_matrix([0.0] * 300)]
)
def test_what_does_not_fit_is_refused_before_it_begins(monkeypatch, command):
    monkeypatch.setattr(memory, "free_memory", lambda: 1e8)
    with pytest.raises(
        ModelError, match=r"equations of 100 links with 300 coordinates: needs .* GB of memory and about"
    ):
        command(chain_of(100, 2))


def test_long_compilations_are_refused_before_they_begin(monkeypatch):
    symbols = SymbolicState.of(chain_of(2, 2))
    f = symbols.function("a", symbols.accelerations(symbols.applied_forces()))
    monkeypatch.setattr(memory, "free_memory", lambda: 1e6)
    with pytest.raises(ModelError, match=r"compiling \d+ operations: needs .* GB of memory"):
        compile_native(f)


def test_a_thousand_links_are_estimated_in_no_time():
    chain = build_chain(chain_of(1000, 0))
    assert 5e6 < operations(chain, "articulated") < 5e7


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.1, "about 1 s"),
        (7.4, "about 7 s"),
        (89, "about 90 s"),
        (91, "about 2 min"),
        (5000, "about 80 min"),
        (1e5, "about 30 h"),
    ],
)
def test_durations_are_rough(seconds, text):
    assert memory.rough_duration(seconds) == text


def test_the_limit_of_a_process_counts(monkeypatch):
    monkeypatch.setattr(memory.resource, "getrlimit", lambda _: (2**20, 2**20))
    assert memory.free_memory() == 0
