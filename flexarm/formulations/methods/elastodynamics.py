"""Elastodynamics of Negrean & Albetel, [NA04]: equations of motion from kinetic and from acceleration energy.

Both energies are traces over the locating matrices of :mod:`~flexarm.formulations.methods.locating_matrices`; all
derivatives are taken by CasADi. The generalised inertia forces come once from Lagrange and Euler, once from
Appell, and are the same. Its matrices are in
:mod:`~flexarm.formulations.methods.elastodynamic_matrices`.

Differs from source: hubs, payloads, rotary inertia and torsion as in
:class:`~flexarm.formulations.methods.homogeneous.LinkMatrices`; rotor inertia and modal damping are added; with
``link_rotation: finite`` Delta T is exp(skew(theta)) instead of I + skew(theta). Misprints are listed in
docs/papers.md.
"""

from __future__ import annotations

from typing import NamedTuple

import casadi as ca

from flexarm.formulations.assembly import assemble
from flexarm.formulations.capabilities import require
from flexarm.formulations.dynamics.friction import friction
from flexarm.formulations.formulation import Formulation
from flexarm.formulations.kinematics.chain_motion import State, constant
from flexarm.formulations.linear_algebra import symmetric_from_upper
from flexarm.formulations.methods.locating_matrices import (
    LocatedLink,
    constant_inertia,
    located_links,
    locating_matrices,
    trace,
)
from flexarm.links import FlexibleLink
from flexarm.model.chain import Chain


class Balance(NamedTuple):
    """Terms of [NA04] eq. 24, (n_dof,) each; their sum is what the drives have to give.

    Attributes
    ----------
    inertia : Q_iF, without the payload's
    gravity : Q_g, without the payload's
    deformation : Q_def, strain and modal damping
    load : Q_SU, inertia and weight of a payload with moments of inertia, and minus the wrench on the tip
    friction : Q_fd
    """

    inertia: ca.SX
    gravity: ca.SX
    deformation: ca.SX
    load: ca.SX
    friction: ca.SX


class Elastodynamics(Formulation):
    """Q_iF + Q_g + Q_def + Q_SU + Q_fd = Q_m, [NA04] eq. 24, with the inertia forces by Appell."""

    def mass_matrix(self, chain: Chain, theta: ca.SX) -> ca.SX:
        """Return M, M_ij = sum_k Tr{A_ki I_psk A_kj^T}, [NA04] eqs. 3 and 18; A_ki is dY_k/dtheta_i."""
        at = ca.SX.sym("theta", chain.coordinates.n_dof)
        M = constant(constant_inertia(chain))
        for link in _links(chain, at):
            A = ca.jacobian(ca.vec(link.Y), at)
            M = M + A.T @ (ca.kron(constant(link.inertia), ca.SX.eye(3)) @ A)
        return _put(symmetric_from_upper(ca.densify(M)), [at], [theta])

    def bias(self, chain: Chain, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
        """Return the balance at zero acceleration."""
        return self.inverse_dynamics(chain, theta, theta_d, ca.SX.zeros(chain.coordinates.n_dof))

    def inverse_dynamics(self, chain: Chain, theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX) -> ca.SX:
        """Return Q_m, the sum of the balance."""
        inertia = appell_forces(chain, theta, theta_d, theta_dd)
        return inertia + gravity_forces(chain, theta) + _resistance(chain, theta, theta_d)

    def extra_quantities(
        self, chain: Chain, theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX
    ) -> dict[str, ca.SX]:
        """Return the acceleration energy."""
        return {"energy_acceleration": acceleration_energy(chain, theta, theta_d, theta_dd)}


def kinetic_energy(chain: Chain, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
    """E_C = 1/2 sum_k Tr{Y_d I_ps Y_d^T}, [NA04] eqs. 2, 17 and 18 [J]."""
    at, along = _symbols(chain, "theta", "theta_d")
    E_C = along.T @ constant(constant_inertia(chain)) @ along / 2
    for link in _links(chain, at):
        Y_d = _rate(link.Y, at, along)
        E_C += trace(Y_d, link.inertia, Y_d) / 2
    return _put(E_C, [at, along], [theta, theta_d])


def acceleration_energy(chain: Chain, theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX) -> ca.SX:
    """E_A = 1/2 sum_k Tr{Y_dd I_ps Y_dd^T}, [NA04] eqs. 19 to 21 [J/s^2].

    Notes
    -----
    It is 1/2 int |acceleration|^2 dm. Of sections that torsion spins, terms with velocities alone are left out;
    no derivative with respect to an acceleration sees them.
    """
    at, along, beyond = _symbols(chain, "theta", "theta_d", "theta_dd")
    E_A = _acceleration_energy(chain, _links(chain, at), at, along, beyond)
    return _put(E_A, [at, along, beyond], [theta, theta_d, theta_dd])


def appell_forces(chain: Chain, theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX) -> ca.SX:
    """Generalised inertia forces dE_A/dtheta_dd, (n_dof,), [NA04] eq. 23."""
    at, along, beyond = _symbols(chain, "theta", "theta_d", "theta_dd")
    E_A = _acceleration_energy(chain, _links(chain, at), at, along, beyond)
    return _put(ca.densify(ca.gradient(E_A, beyond)), [at, along, beyond], [theta, theta_d, theta_dd])


def lagrange_euler_forces(chain: Chain, theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX) -> ca.SX:
    """Generalised inertia forces d/dt dE_C/dtheta_d - dE_C/dtheta, (n_dof,), [NA04] eq. 23."""
    at, along, beyond = _symbols(chain, "theta", "theta_d", "theta_dd")
    E_C = kinetic_energy(chain, at, along)
    momentum = ca.gradient(E_C, along)
    Q = ca.jtimes(momentum, at, along) + ca.jtimes(momentum, along, beyond) - ca.gradient(E_C, at)
    return _put(ca.densify(Q), [at, along, beyond], [theta, theta_d, theta_dd])


def gravity_forces(chain: Chain, theta: ca.SX) -> ca.SX:
    """Q_g, the derivative of the potential energy of gravity, (n_dof,)."""
    (at,) = _symbols(chain, "theta")
    return _put(_gravity_forces(chain, _links(chain, at), at), [at], [theta])


def balance(
    chain: Chain,
    theta: ca.SX,
    theta_d: ca.SX,
    theta_dd: ca.SX,
    force: ca.SX | None = None,
    moment: ca.SX | None = None,
) -> Balance:
    """Generalised forces one by one, [NA04] eq. 24.

    Parameters
    ----------
    chain : Chain
    theta, theta_d, theta_dd : SX (n_dof,)
    force, moment : SX (3,), optional [N, N m]
        Wrench that the world exerts on the tip, along the fixed axes; with ``link_rotation: finite`` only.

    Notes
    -----
    A payload that is a mass point belongs to the last link, so its share is in Q_iF and Q_g.
    """
    at, along, beyond = _symbols(chain, "theta", "theta_d", "theta_dd")
    links = _links(chain, at)
    arm, payload = links[: chain.links.stop], links[chain.links.stop :]
    of_links = _acceleration_energy(chain, arm, at, along, beyond)
    carried = _energy_of(payload, at, along, beyond)
    load = ca.gradient(carried, beyond) + _gravity_forces(chain, payload, at)
    load -= _tip_wrench(chain, at, force, moment)
    terms = [
        ca.gradient(of_links, beyond),
        _gravity_forces(chain, arm, at),
        _deformation(chain, State.of(chain, at, along)),
        load,
        _friction(chain, State.of(chain, at, along)),
    ]
    outside = [part for part in (force, moment) if part is not None and not part.is_constant()]
    f = ca.Function("balance", [at, along, beyond, *outside], [ca.densify(term) for term in terms])
    return Balance(*f(theta, theta_d, theta_dd, *outside))


def _links(chain: Chain, theta: ca.SX) -> list[LocatedLink]:
    require("elastodynamics", chain)
    return located_links(chain, State.of(chain, theta, ca.SX.zeros(chain.coordinates.n_dof)))


def _symbols(chain: Chain, *names: str) -> list[ca.SX]:
    return [ca.SX.sym(name, chain.coordinates.n_dof) for name in names]


def _put(expression: ca.SX, symbols: list[ca.SX], values: list[ca.SX]) -> ca.SX:
    """Put values in the place of the symbols by which was differentiated; other symbols stay."""
    return ca.substitute(expression, ca.vertcat(*symbols), ca.vertcat(*values))


def _rate(X: ca.SX, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
    return ca.reshape(ca.jtimes(ca.vec(X), theta, theta_d), X.shape)


def _acceleration_energy(
    chain: Chain, links: list[LocatedLink], theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX
) -> ca.SX:
    """Acceleration energy of bodies and of rotors."""
    N = constant(constant_inertia(chain))
    return theta_dd.T @ N @ theta_dd / 2 + _energy_of(links, theta, theta_d, theta_dd)


def _energy_of(links: list[LocatedLink], theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX) -> ca.SX:
    E_A = ca.SX(0)
    for link in links:
        Y_d = _rate(link.Y, theta, theta_d)
        Y_dd = _rate(Y_d, theta, theta_d) + _rate(link.Y, theta, theta_dd)
        E_A += trace(Y_dd, link.inertia, Y_dd) / 2
    return E_A


def _gravity_forces(chain: Chain, links: list[LocatedLink], theta: ca.SX) -> ca.SX:
    g = ca.SX(ca.vertcat(*chain.gravity))
    energy = -sum((ca.dot(g, link.Y @ constant(link.first_moment)) for link in links), ca.SX(0))
    return ca.densify(ca.gradient(energy, theta))


def _resistance(chain: Chain, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
    state = State.of(chain, theta, theta_d)
    return _deformation(chain, state) + _friction(chain, state)


def _deformation(chain: Chain, state: State) -> ca.SX:
    """Q_def: strain energy's derivative and modal damping."""
    modes = [
        constant(body.link.integrals.K) @ delta + constant(body.link.damping) @ delta_d
        for body, delta, delta_d in zip(chain.bodies, state.delta, state.delta_d, strict=True)
        if isinstance(body.link, FlexibleLink)
    ]
    return assemble(chain, [ca.SX(0)] * len(modes), modes)


def _friction(chain: Chain, state: State) -> ca.SX:
    """Q_fd."""
    joints = [friction(body.joint, q_d) for body, q_d in zip(chain.bodies, state.q_d, strict=True)]
    return assemble(chain, joints, [ca.SX.zeros(delta.numel()) for delta in state.delta])


def _tip_wrench(chain: Chain, theta: ca.SX, force: ca.SX | None, moment: ca.SX | None) -> ca.SX:
    """Generalised forces of a wrench on the tip: its virtual work along dT/dtheta_i T^-1."""
    Q = ca.SX.zeros(chain.coordinates.n_dof)
    if force is None and moment is None:
        return Q
    matrices = locating_matrices(chain, State.of(chain, theta, ca.SX.zeros(chain.coordinates.n_dof)))
    T = matrices[-1]
    if force is not None:
        Q += ca.jacobian(T[1:, 0], theta).T @ force
    if moment is not None:
        R = T[1:, 1:]
        for i in range(theta.numel()):
            turn = ca.reshape(ca.jacobian(ca.vec(R), theta[i]), 3, 3) @ R.T
            Q[i] += ca.dot(ca.inv_skew(turn), moment)
    return Q
