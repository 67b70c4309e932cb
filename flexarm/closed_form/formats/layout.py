"""Layout of closed-form equations in every format: heading, left-hand sides, groups of products."""

from __future__ import annotations

import re

from flexarm.closed_form.closed_form import ClosedForm, Term
from flexarm.description.arm.joint.words import worded


def force_names(form: ClosedForm) -> tuple[str, ...]:
    """Name of each generalised force: F_1 at joint 1, F_1_2 on mode 2 of link 1, F_X_1 on the base."""
    names = (rate.removesuffix("_d") for rate in form.rates)
    return tuple("F_" + re.sub("^(q|delta)_", "", name) for name in names)


def equation_groups(form: ClosedForm, shape: str) -> list[tuple[str, list[tuple[str, list[Term]]]]]:
    """Left-hand sides with their groups (common acceleration or "", products); shape "inverse" or "mass-matrix"."""
    names = _left_names(form, shape)
    if shape == "inverse":
        rows = []
        for i, name in enumerate(names):
            groups = [pair for pair in zip(form.accelerations, form.mass_row(i), strict=True) if pair[1]]
            rows.append((name, [*groups, ("", form.bias_row(i))]))
        return rows
    n = len(form.forces)
    entries = [form.mass_row(i)[j] for i in range(n) for j in range(i, n)]
    biases = [form.bias_row(i) for i in range(n)]
    return [(name, [("", terms)]) for name, terms in zip(names, [*entries, *biases], strict=True)]


def _left_names(form: ClosedForm, shape: str) -> list[str]:
    if shape == "inverse":
        return list(force_names(form))
    n = len(form.forces)
    entries = [f"M[{i + 1},{j + 1}]" for i in range(n) for j in range(i, n)]
    return entries + [f"bias[{i + 1}]" for i in range(n)]


TRUNCATION_MEANINGS = {
    "all": "nothing is neglected",
    "linear": "modal amplitudes and their rates are taken for small, their products are neglected",
    "first-order": "products of two modal amplitudes are neglected",
    "rigid": "the links are taken for rigid",
}


def heading(form: ClosedForm) -> list[str]:
    """Heading of every format: arm, coordinates, forces, parameters with values and units."""
    floats = {"X_1", "e_0"} & set(form.coordinates)
    loaded = "modal amplitudes and on the base" if floats else "modal amplitudes"
    lines = [
        f"Equations of motion of {form.arm}: {TRUNCATION_MEANINGS[form.truncation]}.",
        "",
        f"theta = [{', '.join(form.coordinates)}]; _d and _dd are time derivatives. Generalised forces "
        f"{', '.join(force_names(form))}:",
        f"{worded('joint torques', form.joints)}, and what loads do on {loaded} (zero without loads). "
        "M theta_dd + bias = F, M symmetric.",
    ]
    if sliding := [f"q_{i}" for i, joint in enumerate(form.joints, 1) if not joint.kind.is_angle]:
        lines.append(f"Prismatic joints: {', '.join(sliding)}, positions [m] under forces [N].")
    if "e_0" in form.coordinates:
        lines.append(
            "Base: position, quaternion e of unit length, velocity v and angular velocity w, along the fixed axes."
        )
    lines.append("")
    lines += [f"{p.name} = {p.value:.6g} {p.unit}: {p.meaning}" for p in form.parameters]
    return lines
