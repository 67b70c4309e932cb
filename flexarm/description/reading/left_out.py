"""Keys of what the model leaves out, which people look for and no description has."""

from __future__ import annotations

from flexarm.description.values.input_model import KeyPath

PAGE = "docs/guide/limits.md"

LEFT_OUT: dict[str, tuple[str, str]] = {
    "shear deformation": (
        "links",
        "shear shear_modulus shear_stiffness shear_correction ga kga kappa timoshenko",
    ),
    "warping": ("links", "warping eiw iw"),
    "plasticity": ("links", "plasticity plastic yield yield_stress hardening"),
    "materials that creep": ("links", "creep viscosity viscoelastic viscoelasticity relaxation"),
    "links that are not straight": ("links", "curvature curved precurvature initial_curvature bent"),
    "sections without symmetry": (
        "links",
        "shear_center shear_centre mass_center mass_centre eccentricity EIyz I_yz shape_angle shape_l shape_channel "
        "shape_c shape_u shape_z shape_tee shape_t",
    ),
    "temperature": ("", "temperature thermal thermal_expansion"),
    "closed loops": ("", "loop loops closed_loop closed_loops closure constraint constraints"),
    "branches": ("", "parent child children branch branches tree"),
    "joints that follow others": ("joints", "mimic coupling coupled coupled_to follows gearing"),
    "joints of several coordinates": (
        "joints",
        "spherical ball universal cardan planar floating cylindrical helical screw",
    ),
    "forces of a fluid": (
        "",
        "fluid hydro hydrodynamics added_mass drag lift buoyancy aero aerodynamics wind water",
    ),
    "backlash": ("joints", "backlash play hysteresis"),
    "contact between links": ("contact", "self_contact self_collision collision collisions links"),
    "predictive controllers": ("", "mpc model_predictive"),
}
"""What is left out, as the page of the guide calls it: the top-level key in which people look for it (empty: anywhere),
and the keys that ask for it."""


def left_out(path: KeyPath) -> str:
    """Hint at the page of the guide if the key at ``path`` asks for what the model leaves out; else empty."""
    key = str(path[-1]).strip().lower().replace("-", "_").replace(" ", "_")
    for subject, (place, keys) in LEFT_OUT.items():
        if key in keys.lower().split() and place in ("", path[0]):
            return f"the model leaves out {subject}: see {PAGE}"
    return ""
