"""Links: the description of one link -> mode shapes, modal integrals, stiffness, damping.

The order of computation: in `shapes/` `shape_functions` (functions with exact derivatives), `beam_modes` and
`numeric_modes` (eigenfunctions and splines), `mode_shapes` (families by name); `section_motion` (vectors r_j, theta_j),
`integrals`, `foreshortening`, `dimensionless_link`, `scaling`, `modal_damping`, `flexible_link`.
Apart from it: `stress/`.
"""

from flexarm.links.flexible_link import FlexibleLink, flexible_link
from flexarm.links.integrals import ModalIntegrals

__all__ = ["FlexibleLink", "ModalIntegrals", "flexible_link"]
