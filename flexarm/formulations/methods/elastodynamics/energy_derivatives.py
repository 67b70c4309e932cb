"""Energies of [NA04] and the generalised forces that are their derivatives: eqs. 17-23."""

from __future__ import annotations

import casadi as ca

from flexarm.formulations.capabilities import require
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.linear_algebra import constant
from flexarm.formulations.methods.elastodynamics.locating_matrices import (
    LocatedLink,
    constant_inertia,
    inertia_trace,
    located_links,
)
from flexarm.model.chain import Chain


def kinetic_energy(chain: Chain, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
    """Kinetic energy E_C = 1/2 sum_k Tr{Y_d I_ps Y_d^T} [J] at theta, theta_d (n_dof,), [NA04] eqs. 2, 17 and 18."""
    x, x_d = symbols_of(chain, "theta", "theta_d")
    E_C = x_d.T @ constant(constant_inertia(chain)) @ x_d / 2
    for link in links_at(chain, x):
        Y_d = _rate(link.Y, x, x_d)
        E_C += inertia_trace(Y_d, link.inertia, Y_d) / 2
    return evaluate_at(E_C, [x, x_d], [theta, theta_d])


def acceleration_energy(chain: Chain, theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX) -> ca.SX:
    """Acceleration energy E_A = 1/2 sum_k Tr{Y_dd I_ps Y_dd^T} [J/s^2], [NA04] eqs. 19 to 21; arguments (n_dof,).

    Notes
    -----
    It is 1/2 int |acceleration|^2 dm. Of sections that torsion spins, terms with velocities alone are left out;
    no derivative with respect to an acceleration sees them.
    """
    x, x_d, x_dd = symbols_of(chain, "theta", "theta_d", "theta_dd")
    E_A = arm_acceleration_energy(chain, links_at(chain, x), x, x_d, x_dd)
    return evaluate_at(E_A, [x, x_d, x_dd], [theta, theta_d, theta_dd])


def appell_forces(chain: Chain, theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX) -> ca.SX:
    """Generalised inertia forces of Appell, dE_A/dtheta_dd, (n_dof,) [N m, N], [NA04] eq. 23."""
    x, x_d, x_dd = symbols_of(chain, "theta", "theta_d", "theta_dd")
    E_A = arm_acceleration_energy(chain, links_at(chain, x), x, x_d, x_dd)
    return evaluate_at(ca.densify(ca.gradient(E_A, x_dd)), [x, x_d, x_dd], [theta, theta_d, theta_dd])


def lagrange_euler_forces(chain: Chain, theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX) -> ca.SX:
    """Generalised inertia forces of Lagrange and Euler, d/dt dE_C/dtheta_d - dE_C/dtheta (n_dof,), [NA04] eq. 23.

    The equations of motion use :func:`appell_forces`; the tests hold both against each other.
    """
    x, x_d, x_dd = symbols_of(chain, "theta", "theta_d", "theta_dd")
    E_C = kinetic_energy(chain, x, x_d)
    momentum = ca.gradient(E_C, x_d)
    Q = ca.jtimes(momentum, x, x_d) + ca.jtimes(momentum, x_d, x_dd) - ca.gradient(E_C, x)
    return evaluate_at(ca.densify(Q), [x, x_d, x_dd], [theta, theta_d, theta_dd])


def gravity_forces(chain: Chain, theta: ca.SX) -> ca.SX:
    """Generalised gravity forces Q_g, the derivative of the potential energy, (n_dof,) [N m, N]."""
    (x,) = symbols_of(chain, "theta")
    return evaluate_at(links_gravity_forces(chain, links_at(chain, x), x), [x], [theta])


def links_at(chain: Chain, theta: ca.SX) -> list[LocatedLink]:
    """Locating matrices and pseudo-inertia of all bodies at coordinates theta (n_dof,)."""
    require("elastodynamics", chain)
    return located_links(chain, ChainState.of(chain, theta, ca.SX.zeros(chain.coordinates.n_dof)))


def symbols_of(chain: Chain, *names: str) -> list[ca.SX]:
    """Vectors (n_dof,) of symbols to differentiate by."""
    return [ca.SX.sym(name, chain.coordinates.n_dof) for name in names]


def evaluate_at(expression: ca.SX, symbols: list[ca.SX], values: list[ca.SX]) -> ca.SX:
    """Evaluate an expression of any shape and unit at values of its symbols, (n_dof,) each; other symbols stay."""
    return ca.substitute(expression, ca.vertcat(*symbols), ca.vertcat(*values))


def _rate(X: ca.SX, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
    return ca.reshape(ca.jtimes(ca.vec(X), theta, theta_d), X.shape)


def arm_acceleration_energy(
    chain: Chain, links: list[LocatedLink], theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX
) -> ca.SX:
    """Acceleration energy of bodies and of rotors [J/s^2]; theta and its rates (n_dof,)."""
    N = constant(constant_inertia(chain))
    return theta_dd.T @ N @ theta_dd / 2 + links_acceleration_energy(links, theta, theta_d, theta_dd)


def links_acceleration_energy(
    links: list[LocatedLink], theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX
) -> ca.SX:
    """Acceleration energy of bodies alone: 1/2 sum_k Tr{Y_dd I_ps Y_dd^T} [J/s^2]; arguments (n_dof,)."""
    E_A = ca.SX(0)
    for link in links:
        Y_d = _rate(link.Y, theta, theta_d)
        Y_dd = _rate(Y_d, theta, theta_d) + _rate(link.Y, theta, theta_dd)
        E_A += inertia_trace(Y_dd, link.inertia, Y_dd) / 2
    return E_A


def links_gravity_forces(chain: Chain, links: list[LocatedLink], theta: ca.SX) -> ca.SX:
    """Derivative by theta of the potential energy of gravity of some bodies, (n_dof,) [N m, N]."""
    g = ca.SX(ca.vertcat(*chain.gravity))
    energy = -sum((ca.dot(g, link.Y @ constant(link.first_moment)) for link in links), ca.SX(0))
    return ca.densify(ca.gradient(energy, theta))
