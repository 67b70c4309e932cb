"""Modal integrals of one link: all that the equations of motion know of its mass and stiffness."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.links.round_off import STIFFNESS_ROUND_OFF, without_round_off
from flexarm.links.shapes.shape_functions import Array


@dataclass(frozen=True, eq=False)
class LinkField:
    """Integrands of the modal integrals, at q quadrature points of a link with m modes and f displacement fields.

    The first m fields are those of the modes; those of the foreshortening follow.

    Attributes
    ----------
    eta : (q,) [m]
        Stations.
    deta : (q,) [m]
        Quadrature weights; zero at the stations of point masses.
    dm : (q,) [kg]
        mu deta, or the point mass.
    r, theta : (q, f, 3) [1 or m], (q, m, 3) [1/m or 1]
        Displacement of the axis and rotation of the sections per unit of each amplitude.
    stretch, twist : (q, m) [1/m], (q, m, 3) [1/m^2 or 1/m]
        dx/deta and dtheta/deta.
    EA, rigidity : (q,) [N], (q, 3) [N m^2]
        Axial stiffness; GJ and the bending stiffnesses about y and about z.
    """

    eta: Array
    deta: Array
    dm: Array
    r: Array
    theta: Array
    stretch: Array
    twist: Array
    EA: Array
    rigidity: Array


@dataclass(frozen=True, eq=False)
class ModalIntegrals:
    """Modal integrals: over the mass of one link, in its own frame; names as in docs/notation.md.

    C1, C3, C4, C6, C7, C8 and P go over all displacement fields: those of the m modes and, where the link shortens, the
    fields of its :mod:`~flexarm.links.foreshortening` (f in all). K is that of the modes.

    Units are those of bending and axial modes, whose amplitudes are metres; each index of a torsion mode, whose
    amplitude is in radians, adds one metre.

    Notes
    -----
    [GA09] eqs. 34-42, [FL17] eqs. 6-24, extended by point masses at both ends, by torsion, by axial stretch and by the
    rotary inertia of bending (Rayleigh): P and `spin` come from the rotation of the sections relative to the link,
    whose kinetic energy is 1/2 int (w + sum_j delta_d_j theta_j) . J' (w + sum_j delta_d_j theta_j) deta.
    """

    mass: float
    s0: Array
    """(3,) [kg m] int eta x dm."""
    C1: Array
    """(f, 3) [kg] int r_j dm."""
    C3: Array
    """(f, f) [kg] int r_j . r_k dm + spin."""
    C4: Array
    """(f, f, 3) [kg] int r_j x r_k dm."""
    C5: Array
    """(3, 3) [kg m^2] int eta~^T eta~ dm."""
    C6: Array
    """(f, 3, 3) [kg m] int eta~^T r~_j dm."""
    C7: Array
    """(f, 3) [kg m] int eta~ r_j dm."""
    C8: Array
    """(f, f, 3, 3) [kg] int r~_j^T r~_k dm."""
    B10: Array
    """(3, 3) [kg m^2] int J' deta."""
    K: Array
    """(m, m) [N/m] stiffness."""
    P: Array
    """(f, 3) [kg m] int J' theta_j deta."""
    spin: Array
    """(f, f) [kg] int theta_j . J' theta_k deta, the part of C3 that is no translation."""

    @classmethod
    def rigid(cls, mass: float, moment: Array, inertia: Array) -> ModalIntegrals:
        """Build those of a rigid body: mass [kg], first moment (3,) [kg m], inertia (3, 3) [kg m^2] about O_i."""
        none, no_tensors = np.zeros((0, 3)), np.zeros((0, 3, 3))
        return cls(
            mass=mass,
            s0=moment,
            C1=none,
            C3=np.zeros((0, 0)),
            C4=np.zeros((0, 0, 3)),
            C5=inertia,
            C6=no_tensors,
            C7=none,
            C8=np.zeros((0, 0, 3, 3)),
            B10=np.zeros((3, 3)),
            K=np.zeros((0, 0)),
            P=none,
            spin=np.zeros((0, 0)),
        )


def skew(v: Array) -> Array:
    """Build v~, (..., 3, 3), the matrix of the cross product v x, from v : (..., 3) of any unit."""
    x, y, z = np.moveaxis(v, -1, 0)
    o = np.zeros_like(x)
    return np.stack([np.stack([o, -z, y], -1), np.stack([z, o, -x], -1), np.stack([-y, x, o], -1)], -2)


def modal_integrals(field: LinkField, rotary_inertia: Array) -> ModalIntegrals:
    """Integrate the modal integrals of one link.

    Parameters
    ----------
    field : LinkField
        The integrands.
    rotary_inertia : (3,) [kg m]
        J' per length about x, y, z.
    """
    deta, dm, r = field.deta, field.dm, field.r
    length = deta.sum()
    eta = np.stack([field.eta, 0 * field.eta, 0 * field.eta], axis=-1)  # eta x, (q, 3)
    eta_s, r_s = skew(eta), skew(r)

    mass = dm.sum()
    s0 = dm @ eta  # [GA09] 36
    C1 = np.einsum("q,qja->ja", dm, r)  # [GA09] 34
    C3_r = np.einsum("q,qja,qka->jk", dm, r, r)  # [GA09] 37
    C4 = np.einsum("q,qjab,qkb->jka", dm, r_s, r)  # [GA09] 38
    C5 = np.einsum("q,qba,qbc->ac", dm, eta_s, eta_s)  # [GA09] 42
    C6 = np.einsum("q,qba,qjbc->jac", dm, eta_s, r_s)  # [GA09] 40
    C7 = np.einsum("q,qab,qjb->ja", dm, eta_s, r)  # [GA09] 39
    C8 = np.einsum("q,qjba,qkbc->jkac", dm, r_s, r_s)  # [GA09] 41
    B10 = length * np.diag(rotary_inertia)  # [FL17] 16
    spins, Ps = zip(*(spin_integrals(field, axis) for axis in range(3)), strict=True)
    spin, P = (np.tensordot(rotary_inertia, np.array(parts), 1) for parts in (spins, Ps))

    # Each is an integral of a product, |int f g| <= sqrt(int f^2 int g^2): that bound separates a zero from a
    # small value.
    norm_r, norm_mass, norm_eta = np.sqrt(np.diag(C3_r)), np.sqrt(mass), np.sqrt(C5[2, 2])
    return ModalIntegrals(
        mass=float(mass),
        s0=s0,
        C1=without_round_off(C1, norm_r[:, None] * norm_mass),
        C3=without_round_off(C3_r, np.outer(norm_r, norm_r)) + spin,
        C4=without_round_off(C4, np.outer(norm_r, norm_r)[:, :, None]),
        C5=C5,
        C6=without_round_off(C6, norm_r[:, None, None] * norm_eta),
        C7=without_round_off(C7, norm_r[:, None] * norm_eta),
        C8=without_round_off(C8, np.outer(norm_r, norm_r)[:, :, None, None]),
        B10=B10,
        K=stiffness(field),
        P=P,
        spin=spin,
    )


def spin_integrals(field: LinkField, axis: int) -> tuple[Array, Array]:
    """Integrate the rotation of the sections about an axis per unit of J' about it: spin, (f, f), and P, (f, 3)."""
    n_fields, m = field.r.shape[1], field.theta.shape[1]
    theta = np.zeros((len(field.deta), n_fields))
    theta[:, :m] = field.theta[:, :, axis]
    spin = np.einsum("q,qj,qk->jk", field.deta, theta, theta)
    norm = np.sqrt(np.diag(spin))
    P = np.zeros((n_fields, 3))
    P[:, axis] = without_round_off(field.deta @ theta, norm * np.sqrt(field.deta.sum()))
    return without_round_off(spin, np.outer(norm, norm)), P


def stiffness(field: LinkField) -> Array:
    """Integrate the stiffness matrix K, (m, m) [N/m]."""
    K = np.einsum("q,qja,qka->jk", field.deta, field.twist * field.rigidity[:, None, :], field.twist)
    K += np.einsum("q,qj,qk->jk", field.deta * field.EA, field.stretch, field.stretch)
    norm = np.sqrt(np.diag(K))
    return without_round_off(K, np.outer(norm, norm), STIFFNESS_ROUND_OFF)
