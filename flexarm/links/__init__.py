"""One flexible link -> its mode shapes and modal integrals.

The way through: `shapes` (functions with exact derivatives), `beam_modes` and `numeric_modes` (where they
come from), `mode_shapes` (the families as data), `sections` (shapes -> vectors r_j, theta_j), `integrals`,
`damping`, `link`.
"""

from flexarm.links.flexible_link import FlexibleLink, flexible_link
from flexarm.links.integrals import ModalIntegrals

__all__ = ["FlexibleLink", "ModalIntegrals", "flexible_link"]
