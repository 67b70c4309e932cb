"""4x4 transformations of positions [1, x, y, z]: kinematics of [BK83] and [NA04].

The 1 stands first, as in [BK83]; [NA04] puts it last.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from flexarm.formulations.kinematics.joint_transforms import joint_position, joint_rotation, subspace
from flexarm.formulations.kinematics.link_motion import link_end
from flexarm.formulations.kinematics.rotations import skew
from flexarm.links import FlexibleLink
from flexarm.model.parts.floating_base import FloatingBase
from flexarm.model.parts.joint import JointModel


def homogeneous(R: ca.SX, p: ca.SX, first: float = 1.0) -> ca.SX:
    """Homogeneous transformation (4, 4) of a rotation R (3, 3) and a position p (3,) [m], [BK83] eq. 1.

    ``first`` is the upper left entry: 1 for a transformation, 0 for a derivative of one.
    """
    top = ca.SX([first, 0, 0, 0]).T
    return ca.densify(ca.vertcat(top, ca.horzcat(p, R)))


@dataclass(frozen=True)
class JointTransformation:
    """Transformation of a joint and its derivatives by the joint's coordinate, (4, 4) each.

    Attributes
    ----------
    A, U, U2 : SX
        [BK83] eqs. 3, 11 and 12.
    """

    A: ca.SX
    U: ca.SX
    U2: ca.SX

    @classmethod
    def of(cls, joint: JointModel, q: ca.SX) -> JointTransformation:
        """Evaluate at the scalar coordinate q [rad, m]: U = A [S_w~, S_v] and U2 = U [S_w~, S_v]."""
        R, S = joint_rotation(joint, q), subspace(joint)
        R_w = R @ skew(S.w)
        return cls(
            homogeneous(R, joint_position(joint, q)),
            homogeneous(R_w, R @ S.v, first=0),
            homogeneous(R_w @ skew(S.w), R_w @ S.v, first=0),
        )


@dataclass(frozen=True)
class LinkTransformation:
    """Transformation of a deflected link, from frame i^ to frame i, (4, 4) each.

    Attributes
    ----------
    E : SX
        [BK83] eq. 5.
    M : list of SX
        Its derivative by each modal amplitude, [BK83] eq. 7.
    E_bias : SX
        Velocity-dependent part of its second rate, which is ``sum_k delta_dd_k M_k + E_bias``: zero in [BK83].
    """

    E: ca.SX
    M: list[ca.SX]
    E_bias: ca.SX

    @classmethod
    def of(
        cls, link: FlexibleLink | FloatingBase, delta: ca.SX, delta_d: ca.SX, kind: str
    ) -> LinkTransformation:
        """Evaluate at modal amplitudes delta (m,) and rates delta_d (m,); kind is that of the end rotation.

        Notes
        -----
        Differs from source: with ``finite`` the rotation is exp(skew(theta)), so M_k depends on delta (the angular
        velocity per unit of delta_d_k, T theta_k, times E) and E has second derivatives. The turn of a floating base,
        which the source does not have, is always finite.
        """
        end = link_end(link, delta, delta_d, kind)
        rotation = end.rotation
        if kind == "finite" or isinstance(link, FloatingBase):
            factor, w = rotation.E, skew(rotation.jacobian @ delta_d)
            second = (skew(rotation.bias) + w @ w) @ rotation.E
        else:
            factor, second = ca.SX.eye(3), ca.SX.zeros(3, 3)
        M = [
            homogeneous(skew(rotation.jacobian[:, k]) @ factor, end.jacobian[:, k], first=0)
            for k in range(link.n_modes)
        ]
        return cls(homogeneous(rotation.E, end.d), M, homogeneous(second, end.bias, first=0))
