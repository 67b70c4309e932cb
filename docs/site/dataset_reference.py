"""Reference of results: their datasets and attributes, made from the tables by which files are written."""

from __future__ import annotations

import re
from pathlib import Path

from markdown_pieces import SEPARATOR, directive, plain, prose, sentence, table
from page_tree import PageTree

from flexarm.results import attributes, schema
from flexarm.results.schema import Dataset

PAGE = "reference/results.md"
BEGINNING = """# Datasets and attributes of results

A result holds named arrays, `result["joint_angle"]` or `result.joint_angle`, and attributes,
`result.attributes["method"]`; its HDF5 file has the same names, with units and meanings. Units of joints are those of
joints that turn: of one that slides, an angle is a position in m and a torque a force in N.

"""


def dataset_reference(tree: PageTree) -> str:
    """Write the page; return its name."""
    groups = dataset_tables()
    text = BEGINNING + table(
        ["group", "datasets"],
        [(f"[{title}](#{_anchor(title)})", f"{len(entries)}") for title, (_, entries) in groups.items()],
    )
    for title, (remark, entries) in groups.items():
        text += f"\n## {title}\n\n{prose(remark)}\n\n"
        text += "\n".join(_entry(name, entry) for name, entry in entries.items())
    text += "\n## Attributes\n\nHow a result came about.\n\n"
    text += table(
        ["attribute", "meaning"],
        [(f"`{name}`", prose(about)) for name, about in attributes.ATTRIBUTES.items()],
    )
    tree.write(PAGE, text)
    return PAGE


def dataset_tables() -> dict[str, tuple[str, dict[str, Dataset]]]:
    """The tables of datasets by title, each with what the comment above it says; none of them twice."""
    source = Path(schema.__file__).read_text()
    found: dict[str, tuple[str, dict[str, Dataset]]] = {}
    seen: set[str] = set()
    for name, value in vars(schema).items():
        if not isinstance(value, dict) or not all(isinstance(entry, Dataset) for entry in value.values()):
            continue
        own = {key: entry for key, entry in value.items() if key not in seen}
        if own and value:
            title = "Over time" if name == "DATASETS" else name.replace("_", " ").capitalize()
            comment = re.search(rf"((?:^#[^\n]*\n)+){name}\b", source, re.MULTILINE)
            found[title] = (re.sub(r"^# ?", "", comment[1], flags=re.MULTILINE) if comment else "", own)
            seen |= own.keys()
    return found


def _entry(name: str, entry: Dataset) -> str:
    dims = f"({', '.join(entry.dims)}{',' if len(entry.dims) == 1 else ''})"
    facts = [f"`{dims}`", *([] if entry.units == "1" else [f"in {plain(entry.units)}"])]
    if entry.needed_by:
        every = set(entry.needed_by) == set(schema.KINDS)
        facts.append("in every result" + ("" if every else f" of kind {' and '.join(entry.needed_by)}"))
    return directive("dataset", name, f"{prose(sentence(entry.long_name))}\n\n{SEPARATOR.join(facts)}")


def _anchor(title: str) -> str:
    return title.lower().replace(" ", "-")
