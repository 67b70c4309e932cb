"""Damping of the modes of the assembled arm by given ratios."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.links.modal_damping import damped_modes, modes_to_damp
from flexarm.links.shapes.shape_functions import Array
from flexarm.model.arm_inertia import arm_inertia
from flexarm.model.chain import Chain


def assembled_damping(arm: Arm, chain: Chain, angles: Sequence[float]) -> Array:
    """Damping matrix of the modal amplitudes of all links, (m, m) [N s/m, N m s for torsion]; (0, 0) if there is none.

    Parameters
    ----------
    arm : Arm
    chain : Chain
        Without this damping.
    angles : sequence of float [rad, m]
        Initial coordinates of the joints of all bodies of links.

    Notes
    -----
    The modes are those of the straight links on the arm in its initial posture, of strain against inertia: joints with
    a PD drive or a prescribed motion are held, whether they are elastic or not, the other joints, those of controllers
    too, and a floating base move freely. With the inertia M of the amplitudes, condensed by what moves freely
    (M_ee - M_ef M_ff^-1 M_fe), and K x = w^2 M x,

        D = M X diag(2 zeta w) X^T M.

    It acts on the amplitudes alone, is positive semi-definite, and takes nothing from motions in which no link bends.
    That is the whole arm's modal damping: M X = K X / w^2 in a free mode, which vanishes in the rows of the joints.

    Links may ask for different ratios. A mode then has their mean by strain energy, zeta = sum zeta_i x^T K_i x / x^T K
    x, which is the ratio of an arm whose links lose a part 4 pi zeta_i of their strain energy in a cycle
    [JohnsonKienholz1982].
    """
    ratios = [link.damping_law.assembled_ratio for link in arm.links]
    layout = chain.coordinates
    if not any(ratios) or not layout.all_modes:
        return np.zeros((0, 0))
    e, M = list(layout.all_modes), arm_inertia(chain, angles)
    free = [
        row
        for row, drive in zip(layout.joints, arm.drive, strict=True)
        if row is not None and (drive is None or drive.moves_freely)
    ]
    free += layout.base
    coupling = M[np.ix_(free, e)]
    M_e = M[np.ix_(e, e)] - coupling.T @ np.linalg.pinv(M[np.ix_(free, free)], hermitian=True) @ coupling
    if not (np.diag(M_e) > 0).all():
        raise ModelError(
            f"{arm.name}: a damping ratio of the assembled arm needs modes with inertia, but torsion without rotary "
            "inertia has none",
            hint="give rotary_inertia, or material and section",
        )
    K = chain.strain_stiffness[np.ix_(e, e)]
    w, X = modes_to_damp(K, (M_e + M_e.T) / 2)
    of_mode = np.concatenate([np.full(len(rows), r) for rows, r in zip(layout.modes, ratios, strict=True)])
    # K is block by block that of the links
    energies = X * (K @ X)
    mean = of_mode @ energies / energies.sum(axis=0)
    return damped_modes((M_e + M_e.T) / 2, w, X, mean)
