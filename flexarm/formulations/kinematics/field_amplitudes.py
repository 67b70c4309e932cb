"""Amplitudes of all displacement fields of a link as functions of its modal amplitudes."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from flexarm.formulations.linear_algebra import constant
from flexarm.links import FlexibleLink


@dataclass(frozen=True)
class FieldAmplitudes:
    """Amplitudes of the f displacement fields of a link: those of its m modes, then those of its foreshortening.

    Attributes
    ----------
    values : SX (f,) [m; rad for torsion]
        [delta; u] with u_r = 1/2 delta^T B_r delta, see :mod:`flexarm.links.foreshortening`.
    jacobian : SX (f, m)
        Their rates are ``jacobian @ delta_d``.
    bias : SX (f,) [m/s^2]
        Their second rates are ``jacobian @ delta_dd + bias``.
    """

    values: ca.SX
    jacobian: ca.SX
    bias: ca.SX


def field_amplitudes(link: FlexibleLink, delta: ca.SX, delta_d: ca.SX) -> FieldAmplitudes:
    """Amplitudes of a link's fields at modal amplitudes delta (m,) and rates delta_d (m,)."""
    m, own = link.n_modes, ca.SX.eye(link.n_modes)
    if link.foreshortening is None:
        return FieldAmplitudes(delta, own, ca.SX(m, 1))
    B = [constant(B_r) for B_r in link.foreshortening.coefficients]
    u_jacobian = ca.vertcat(*((B_r @ delta).T for B_r in B))
    u_bias = ca.vertcat(*(ca.dot(delta_d, B_r @ delta_d) for B_r in B))
    return FieldAmplitudes(
        values=ca.vertcat(delta, 0.5 * (u_jacobian @ delta)),
        jacobian=ca.vertcat(own, u_jacobian),
        bias=ca.vertcat(ca.SX(m, 1), u_bias),
    )
