"""Formulations by name; :data:`flexarm.catalogue.FORMULATIONS` lists those there are."""

from __future__ import annotations

from flexarm.catalogue import FORMULATIONS, load_source
from flexarm.formulations.contract import Formulation
from flexarm.formulations.elastic_joints import ElasticJoints, without_springs
from flexarm.formulations.first_order import FirstOrder
from flexarm.model.chain import Chain


def make_formulation(name: str, chain: Chain) -> Formulation:
    """Make the formulation of this name in :data:`~flexarm.catalogue.FORMULATIONS` for a chain.

    Every formulation has the whole equations of links whose joints are driven directly. What follows from these
    alike, whatever the formulation, is put around it here, where the chain asks for it.
    """
    equations: Formulation = load_source(FORMULATIONS[name].source)(without_springs(chain))
    if not chain.products_of_deflections:
        equations = FirstOrder(equations)
    return ElasticJoints(equations, chain) if chain.springs else equations
