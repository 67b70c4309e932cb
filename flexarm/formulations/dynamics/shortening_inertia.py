"""What the foreshortening of a bent link adds to its inertia and to its velocity-dependent forces.

With u = 1/2 sum_jk delta_j delta_k h_jk, see :mod:`flexarm.links.foreshortening`, a point of the axis is at
p = eta x + sum_k delta_k r_k + u x, and moves by r_j + (sum_k h_jk delta_k) x per unit of mode j. Everything that
depends on deflections is a number times a product of two amplitudes; these products are formed once.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np

from flexarm.formulations.dynamics.shortening_integrals import ShorteningIntegrals
from flexarm.formulations.kinematics.rotations import X
from flexarm.formulations.linear_algebra import constant, symmetric_from_upper
from flexarm.links import FlexibleLink
from flexarm.links.foreshortening import ForeshorteningFunction, Pairs
from flexarm.links.shapes.shape_functions import Array

XX = X @ X.T
COMPONENTS = ("axial", "y", "z")
"""Direction of the modes that move the axis along x, y and z."""


@dataclass(frozen=True)
class ShorteningInertia:
    """Terms that foreshortening adds, named as in :class:`~flexarm.formulations.dynamics.link_inertia.LinkInertia`.

    Attributes
    ----------
    s : SX (3,) [kg m]
    C1, alpha : SX (3, m)
    C3 : SX (m, m)
    moments : SX (3, 3) [kg m^2]
        To the integral of p p^T.
    moment_rates : SX (3, 3) [kg m^2/s]
        To the integral of p_d p^T.
    bias_v, bias_w : SX (3,) [N, N m]
        From the second rate of u that is there without accelerations.
    bias_modes : SX (m,)
        The same, with what angular velocity does.
    """

    s: ca.SX
    C1: ca.SX
    alpha: ca.SX
    C3: ca.SX
    moments: ca.SX
    moment_rates: ca.SX
    bias_v: ca.SX
    bias_w: ca.SX
    bias_modes: ca.SX


def shortening_inertia(
    link: FlexibleLink, h: ForeshorteningFunction, delta: ca.SX, delta_d: ca.SX, w: ca.SX, W: ca.SX
) -> ShorteningInertia:
    """Find what foreshortening adds at amplitudes delta, rates delta_d (m,) and angular velocity w (3,) [rad/s].

    W (3, 3) is w w^T - |w|^2 I.
    """
    own, m = ShorteningIntegrals.of(link, h.fields), link.n_modes
    H, G = (constant(own.by_modes(values)) for values in (own.H, own.G))
    F = np.moveaxis(own.by_modes(own.F), 2, 0)
    Q = own.by_modes(np.moveaxis(own.by_modes(own.Q), 2, 0))
    squares = _products(delta)

    # int (h delta)_j (h delta)_l dm and, with the axial part of r_j, int r_j . x (h delta)_l dm
    quartic = symmetric_from_upper(_contracted(np.moveaxis(Q, 2, 1), squares, m))
    axial = _times(F[..., 0], delta)
    # a_j = int r_j u dm has the direction of r_j, c_j = int (h delta)_j (p - (eta + u) x) dm any. An arm in a plane
    # needs nothing but their difference, and across r_j that is -c_j
    along_r = np.array([[way == own for way in COMPONENTS] for own in link.directions])
    c = np.swapaxes(F, 0, 1)
    difference = _vectors(F / 2 - c, squares)
    c_along = _vectors(np.where(along_r[:, None, None], c, 0.0), squares)
    a = constant(along_r.T.astype(float)) * difference + c_along
    c = c_along - constant(1.0 - along_r.T) * difference
    # int (h delta)_j (eta + u) dm
    along = G @ delta + quartic @ delta / 2
    beside = -difference @ delta  # int u (p - (eta + u) x) dm
    C1 = H @ delta
    # u_dd = sum_r h_r rate_squares_r, without accelerations
    rate_squares = _squares_of_fields(own.fields, delta_d)
    pushed = [constant(own.F[..., k].T) @ rate_squares for k in range(3)]
    pushed_modes = _by_modes(own.fields, constant(own.Q) @ rate_squares, m) @ delta
    return ShorteningInertia(
        s=X * ca.dot(delta, C1) / 2,
        C1=X @ C1.T,
        alpha=ca.skew(X) @ difference,
        C3=quartic + axial + axial.T,
        moments=beside @ X.T + X @ beside.T + XX * ca.dot(delta, G @ delta + quartic @ delta / 4),
        moment_rates=a @ delta_d @ X.T + X @ (c @ delta_d).T + XX * ca.dot(along, delta_d),
        bias_v=X * ca.dot(constant(own.H), rate_squares),
        bias_w=ca.cross(ca.vertcat(*(ca.dot(delta, force) for force in pushed)), X),
        bias_modes=(a + c).T @ (W @ X) + along * W[0, 0] + _coriolis(F, delta, delta_d, w)
        + pushed_modes + pushed[0],
    )  # fmt: skip


def _coriolis(F: Array, delta: ca.SX, delta_d: ca.SX, w: ca.SX) -> ca.SX:
    """Coriolis forces 2 w . int p_d x (r_j + (h delta)_j x) dm: antisymmetric in the modes of force and rate."""
    total, lever = ca.SX.zeros(delta.numel()), ca.cross(2 * w, X)
    for k in (1, 2):
        matrix = ca.triu(_times(F[..., k] - np.swapaxes(F[..., k], 0, 1), delta))
        total += lever[k] * (matrix @ delta_d - matrix.T @ delta_d)
    return total


def _squares_of_fields(fields: tuple[Pairs, ...], delta: ca.SX) -> ca.SX:
    """Sum of delta_j delta_k over the ordered pairs of modes of each field: (n,)."""
    return ca.vertcat(
        *(sum(((1 + (j != k)) * delta[j] * delta[k] for j, k in pairs), ca.SX(0)) for pairs in fields)
    )


def _by_modes(fields: tuple[Pairs, ...], values: ca.SX, m: int) -> ca.SX:
    """Arrange values of the fields, (n,), by both modes: (m, m)."""
    arranged = ca.SX(m, m)
    for r, pairs in enumerate(fields):
        for j, k in pairs:
            arranged[j, k] = arranged[k, j] = values[r]
    return arranged


def _products(delta: ca.SX) -> ca.SX:
    """Products of two amplitudes, (m (m + 1) / 2,)."""
    j, k = np.triu_indices(delta.numel())
    return delta[j.tolist()] * delta[k.tolist()]


def _contracted(T: Array, products: ca.SX, columns: int = 1) -> ca.SX:
    """Sum of T_..kl delta_k delta_l, from the products of two amplitudes, as a matrix (..., columns)."""
    j, k = np.triu_indices(T.shape[-1])
    both, apart = T[..., j, k], j != k
    both[..., apart] = both[..., apart] + T[..., k, j][..., apart]
    return ca.reshape(constant(both.reshape(-1, len(j))) @ products, columns, -1).T


def _vectors(T: Array, products: ca.SX) -> ca.SX:
    """Sum of T_jkla delta_k delta_l: (3, m)."""
    return ca.horzcat(*(_contracted(T[..., k], products) for k in range(3))).T


def _times(T: Array, delta: ca.SX) -> ca.SX:
    """Sum of T_jkl delta_l: (m, m)."""
    m = delta.numel()
    return ca.reshape(constant(np.swapaxes(T, 0, 1).reshape(m * m, m)) @ delta, m, m)
