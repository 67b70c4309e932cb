"""Contents at the side of every page are those of now: a change of them has Sphinx write all pages."""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment


def _outdated(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Pages to write besides those that have changed themselves: all, if pages, their order or titles have."""
    contents = {
        "order": {name: list(pages) for name, pages in env.toctree_includes.items()},
        "titles": {name: title.astext() for name, title in env.titles.items()},
        "entries": {name: str(toc) for name, toc in env.tocs.items() if name in env.toctree_includes},
    }
    known = getattr(env, "site_contents", None)
    env.site_contents = contents  # type: ignore[attr-defined]
    return sorted(env.found_docs) if known not in (None, contents) else []


def setup(app: Sphinx) -> dict[str, Any]:
    """Have Sphinx ask."""
    app.connect("env-get-updated", _outdated)
    return {"parallel_read_safe": True}
