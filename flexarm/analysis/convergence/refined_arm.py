"""Arm of another resolution: the description with those keys changed, read anew."""

from __future__ import annotations

import numpy as np

from flexarm.analysis.convergence.resolution import LOAD_CARRYING, LinkResolution, ModeSet, Resolution
from flexarm.description.arm.arm import Arm
from flexarm.description.arm.link.link import Link
from flexarm.description.reading.loader import parse_arm
from flexarm.description.reading.yaml_files.decimals import decimal_text
from flexarm.description.reading.yaml_files.text_edits import with_values
from flexarm.description.reading.yaml_files.yaml_document import has_entry
from flexarm.description.reading.yaml_files.yaml_text import read_yaml
from flexarm.description.values.input_model import KeyPath
from flexarm.model.assembled_link import AssembledLink
from flexarm.model.chain_builder import build_chain

FITTED = 8
"""Stations of a segment at which initial shapes are fitted."""
FIT = 1e-12
"""Round-off of the fitted amplitudes, of the largest one."""
AMPLITUDES = ("modes", "mode_rates")


def refined_arm(arm: Arm, resolution: Resolution) -> Arm:
    """Arm that differs from a described one in its resolution only; initial deflections are fitted.

    Raises
    ------
    SpecError
        The description does not allow it.
    """
    own = Resolution.of(arm)
    if resolution == own:
        return arm
    data = read_yaml(arm.text, arm.name).data
    changes: dict[KeyPath, str] = {}
    for i, (link, before, after) in enumerate(zip(arm.links, own.links, resolution.links, strict=True)):
        if before == after:
            continue
        at = ("links", i)
        changes[*at, "modes"] = modes_text(after.modes)
        if after.segments > 1 or "segments" in data["links"][i]:
            changes[*at, "segments"] = str(after.segments)
        if isinstance(data["links"][i].get("damping"), list):
            changes[*at, "damping"] = _damping(link, after)
    changes |= _run_changes(data, arm, own, resolution)
    given = [name for name in AMPLITUDES if has_entry(data.get("initial"), name)]
    if not given or resolution.links == own.links:
        return parse_arm(with_values(arm.text, changes), source=arm.name)
    without = {("initial", name): "[]" for name in given}
    plain = parse_arm(with_values(arm.text, changes | without), source=arm.name)
    fitted = {("initial", name): _fitted(arm, plain, getattr(arm.initial, name)) for name in given}
    return parse_arm(with_values(arm.text, changes | fitted), source=arm.name)


def modes_text(modes: tuple[ModeSet, ...]) -> str:
    """Modes as the description has them, on one line."""
    if len(modes) == 1 and modes[0][:2] == (LOAD_CARRYING, "y"):
        return str(modes[0].count)
    texts = [
        f"{{family: {own.family}, count: {own.count}"
        + (f", direction: {own.direction}}}" if own.direction != "y" else "}")
        for own in modes
    ]
    return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"


def _damping(link: Link, after: LinkResolution) -> str:
    """Damping ratios of one segment's modes: those of a direction's lowest modes, the last one for further ones."""
    ratios: list[float] = []
    for modes in after.modes:
        known = [
            ratio
            for ratio, direction in zip(link.own_ratios, link.mode_directions, strict=True)
            if direction == modes.direction
        ]
        ratios += (known + known[-1:] * modes.count)[: modes.count]
    return f"{ratios[0]!r}" if len(set(ratios)) == 1 else f"[{', '.join(map(repr, ratios))}]"


def _run_changes(data: dict, arm: Arm, own: Resolution, wanted: Resolution) -> dict[KeyPath, str]:
    values = {
        name: f"{getattr(wanted, name):.12g}"
        for name in ("rtol", "atol", "step")
        if getattr(wanted, name) != getattr(own, name)
    }
    if not values or data.get("run"):
        return {("run", name): value for name, value in values.items()}
    run = {"duration": f"{arm.run.duration!r}", "sample": f"{arm.run.sample!r}"} | values
    return {("run",): f"{{{', '.join(f'{name}: {value}' for name, value in run.items())}}}"}


def _fitted(arm: Arm, refined: Arm, amplitudes: tuple[float, ...]) -> str:
    """Amplitudes of the refined arm whose links have the same shape as those of an arm with given amplitudes."""
    if not any(amplitudes):
        return "[]"
    found, start = [], 0
    for before, after in zip(
        build_chain(arm).assembled_links, build_chain(refined).assembled_links, strict=True
    ):
        known = np.array(amplitudes[start : start + before.n_modes])
        start += before.n_modes
        if after.n_modes:
            xi = np.linspace(0, 1, FITTED * max(len(before.segments), len(after.segments)) + 1)
            shape = _motion(before, xi) @ known
            found += np.linalg.lstsq(_motion(after, xi), shape, rcond=None)[0].tolist()
    size = max(map(abs, found), default=0.0)
    return f"[{', '.join(decimal_text(value, size, FIT) for value in found)}]"


def _motion(link: AssembledLink, xi: np.ndarray) -> np.ndarray:
    """Displacement over the length and rotation at xi (k,) by each mode, (6 k, m)."""
    motion = np.concatenate([link.displacement(xi) / link.length, link.rotation(xi)], axis=-1)
    return np.moveaxis(motion, 1, 2).reshape(-1, link.n_modes)
