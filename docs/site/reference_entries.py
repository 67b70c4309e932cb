"""Entries of the references that search and index know: keys of descriptions, and datasets of results."""

from __future__ import annotations

import re
from typing import Any

from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

PARTS = re.compile(r"(.*\.|\w+: )?(.*)")
"""Path of a key, or the kind of description that it stands in, and its name."""


def _entry(env: BuildEnvironment, signature: str, node: addnodes.desc_signature) -> str:
    """Show a dotted name with its last part standing out."""
    path, name = PARTS.fullmatch(signature).groups()  # type: ignore[union-attr]
    if path:
        node += addnodes.desc_addname("", path)
    node += addnodes.desc_name("", name)
    return signature


def setup(app: Sphinx) -> dict[str, Any]:
    """Tell Sphinx the kinds of entries."""
    app.add_object_type("yamlkey", "yamlkey", "single: %s; key", parse_node=_entry, objname="key")
    app.add_object_type("dataset", "dataset", "single: %s; dataset", parse_node=_entry, objname="dataset")
    return {"parallel_read_safe": True}
