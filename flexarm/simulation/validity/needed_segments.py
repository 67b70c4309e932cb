"""Numbers of segments with which no segment of a link bends farther than the model is meant for."""

from __future__ import annotations

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.chosen_segments import segments_for
from flexarm.model.chain import Chain
from flexarm.simulation.validity.lateral_buckling import lateral_buckling
from flexarm.simulation.validity.link_bending import link_bending


def needed_segments(arm: Arm, chain: Chain, theta: np.ndarray) -> tuple[int, ...]:
    """Number of segments of every link in motion through some postures.

    None of them turns too far where the link is bent most, and where it has the modes to buckle sideways they show it.

    Parameters
    ----------
    arm : Arm
    chain : Chain
    theta : (k, n_theta) [rad, m, 1]
    """
    found = []
    for i, link in enumerate(arm.links):
        bent = link_bending(link, chain, i, theta)
        enough = segments_for(link.length * float(bent.curvature.max(initial=0.0)))
        sideways = lateral_buckling(link, bent) if link.n_modes else None
        if sideways is not None and not sideways.missing:
            enough = max(enough, sideways.segments)
        found.append(enough)
    return tuple(found)
