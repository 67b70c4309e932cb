"""The contract of a formulation, and the registry.

A formulation turns a :class:`~flexarm.model.chain.Chain` into expressions for the equations of motion

    I(theta) theta_dd + bias(theta, theta_d) = forces

with gravity, stiffness, modal damping and joint friction inside the bias, and the joint torques (plus whatever
external loads do on the coordinates) as generalised forces. Its methods are pure: symbols in, symbols out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib import import_module

import casadi as ca

from flexarm.formulations.linear import ldl_solve
from flexarm.model.chain import Chain, Joint

REGISTRY = {
    "articulated": "flexarm.formulations.articulated:Articulated",
    "gibbs-appell": "flexarm.formulations.gibbs_appell:GibbsAppell",
}
"""Name of every formulation -> where its class is."""


class Formulation(ABC):
    """Equations of motion of a chain.

    All vectors are ordered like theta, ``(n_dof,)``; ``chain.coordinates`` says which row is which.
    """

    @abstractmethod
    def mass_matrix(self, chain: Chain, theta: ca.SX) -> ca.SX:
        """Return I(theta), (n_dof, n_dof), symmetric to the last bit."""

    @abstractmethod
    def bias(self, chain: Chain, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
        """Return the forces that hold theta_dd at zero, (n_dof,)."""

    def accelerations(self, chain: Chain, theta: ca.SX, theta_d: ca.SX, forces: ca.SX) -> ca.SX:
        """Return theta_dd, (n_dof,), under generalised forces (n_dof,)."""
        return ldl_solve(self.mass_matrix(chain, theta), forces - self.bias(chain, theta, theta_d))

    def inverse_dynamics(self, chain: Chain, theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX) -> ca.SX:
        """Return the generalised forces (n_dof,) that accelerate the arm with theta_dd."""
        return self.mass_matrix(chain, theta) @ theta_dd + self.bias(chain, theta, theta_d)


def formulation(name: str) -> Formulation:
    """Make the formulation registered under a name."""
    module, _, cls = REGISTRY[name].partition(":")
    return getattr(import_module(module), cls)()


def friction(joint: Joint, q_d: ca.SX) -> ca.SX:
    """Torque that joint friction takes: viscous and smoothed Coulomb [N m]."""
    torque = joint.viscous * q_d
    if joint.coulomb:
        torque += joint.coulomb * ca.tanh(q_d / joint.smoothing)
    return torque


def gather(chain: Chain, joint_rows: Sequence[ca.SX], mode_rows: Sequence[ca.SX]) -> ca.SX:
    """Order one entry per joint and one vector per link as theta; rows of locked joints drop out."""
    return ca.vertcat(*chain.coordinates.gather(joint_rows, mode_rows))
