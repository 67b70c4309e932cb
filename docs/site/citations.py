"""Citations: a key of docs/references.bib in brackets, as in [GA09] or [GA09, eq. 43], leads to its reference.

The sources stay as they are; keys are found in what Sphinx has read of them.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from pybtex.plugin import register_plugin
from pybtex.style.formatting.unsrt import Style
from pybtex.style.labels import BaseLabelStyle
from pybtex.style.sorting.author_year_title import SortingStyle
from site_links import PROJECT
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

REFERENCES = PROJECT / "docs" / "references.bib"
UNTOUCHED = (nodes.literal, nodes.literal_block, nodes.reference, nodes.title, nodes.raw, nodes.citation)


class KeyLabels(BaseLabelStyle):
    """Labels of references: their keys."""

    def format_labels(self, sorted_entries: Any) -> Any:
        """Give each entry its key."""
        return [entry.key for entry in sorted_entries]


class KeyStyle(Style):
    """References by author, labelled by their keys."""

    default_label_style = KeyLabels
    default_sorting_style = SortingStyle


def keys() -> list[str]:
    """Keys of all references."""
    return re.findall(r"^@\w+\{([^,\s]+),", REFERENCES.read_text(), re.MULTILINE)


class Citations(SphinxTransform):
    """Make a reference of every key in brackets."""

    default_priority = 400
    key = re.compile(rf"(?<=\[)({'|'.join(map(re.escape, keys()))})\b")

    def apply(self, **_: Any) -> None:
        """Replace keys in plain text."""
        for text in list(self.document.findall(nodes.Text)):
            if not self._is_plain(text) or not self.key.search(text.astext()):
                continue
            pieces = self.key.split(text.astext())
            made = [
                self._reference(piece) if number % 2 else nodes.Text(piece)
                for number, piece in enumerate(pieces)
                if piece
            ]
            text.parent.replace(text, made)

    def _reference(self, key: str) -> pending_xref:
        target = {"refdomain": "cite", "reftype": "label", "reftarget": key, "refexplicit": False}
        return pending_xref("", nodes.inline("", key), **target, refdoc=self.env.docname, refwarn=True)

    @staticmethod
    def _is_plain(text: nodes.Text) -> bool:
        node = text.parent
        while node is not None:
            if isinstance(node, UNTOUCHED):
                return False
            node = node.parent
        return True


register_plugin("pybtex.style.formatting", "keys", KeyStyle)


def setup(app: Sphinx) -> dict[str, Any]:
    """Have Sphinx find citations."""
    app.add_transform(Citations)
    return {"parallel_read_safe": True}
