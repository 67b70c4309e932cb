"""Section of a report with the view in space, and the scripts that it needs."""

from __future__ import annotations

import json
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

from flexarm.html import Html, element
from flexarm.plots.loads.shown_load import ShownLoad
from flexarm.reports.space_view.motion_data import motion_data
from flexarm.results.result import Result

SCRIPTS = (
    "motion.js", "frames.js", "tubes.js", "load.js", "arm.js", "surroundings.js", "survey.js", "camera.js", "view.js",
    "player.js",
)  # fmt: skip
"""Scripts of the view, in the order in which a page has them, behind three.js."""


def space_view_section(result: Result) -> Html:
    """The arm in space, to turn and to play; empty if the result holds no sample."""
    if not result.n_samples:
        return Html()
    # as JSON may be, and as no markup can be
    data = json.dumps(motion_data(result), separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    return element(
        "figure",
        Html(_text("space_view", "markup.html")),
        element("figcaption", _caption(result)),
        Html(f'<script type="application/json" id="space-view-data">{data}</script>'),
        id="space-view",
        class_="space-view",
    )


def _caption(result: Result) -> str:
    """What is drawn, and what the mouse does."""
    drawn = ["The thickness of the links is not to scale"]
    if result.n_samples > 1:
        drawn.append("the path of the tip is drawn as it was computed, whatever the magnification")
    if (load := ShownLoad.of(result)) is not None:
        drawn.append(f"links are coloured by their {load.what}")
    if "tip_desired" in result:
        drawn.append("the desired path is grey")
    if result.arm.contact is not None:
        drawn.append("points swell as they strike a wall, and are red while they rest on one")
    how = (
        "Drag to turn, with the right button or two fingers to shift; "
        "click and use the wheel, or two fingers, to come nearer."
    )
    return f"{'; '.join(drawn)}. {how}"


@cache
def scripts() -> tuple[str, ...]:
    """Texts of the scripts of the view: three.js, and its own."""
    own = "\n".join(_text("space_view", "scripts", name) for name in SCRIPTS)
    return _text("vendor", "three.min.js"), own


@cache
def script_hashes() -> tuple[str, ...]:
    """Sources in the words of a content security policy: the scripts of the view, and no others."""
    return tuple(f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in scripts())


@cache
def view_style() -> str:
    """Style of the view."""
    return _text("space_view", "space_view.css")


def _text(*parts: str) -> str:
    return files("flexarm.reports").joinpath(*parts).read_text(encoding="utf-8")
