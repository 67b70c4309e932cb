"""Put the pages of the site together: those of docs/ as they are, and what is made from the program."""

from __future__ import annotations

import sys
from pathlib import Path

from api_reference import api_reference
from command_reference import command_reference
from dataset_reference import dataset_reference
from gallery import gallery
from page_tree import PageTree
from reading_order import OVERVIEW, Entry, contents, reading_order
from site_links import PROJECT, linked_files, relinked, site_name
from yaml_reference import yaml_reference

FRONT = "README.md"
PROJECT_PAGES = ["CONTRIBUTING.md", "CHANGELOG.md"]
REFERENCES = """# References

```{bibliography}
:all:
```
"""


def stage_references(tree: PageTree, outputs: Path) -> list[Entry]:
    """Stage what is made from the program; return the entries of its first pages."""
    return [
        Entry("Arms", gallery(tree, outputs / "site-arms", outputs / "site-extra")),
        Entry("Descriptions in YAML", yaml_reference(tree)),
        Entry("Commands", command_reference(tree)),
        Entry("Datasets of results", dataset_reference(tree)),
        Entry("Python", api_reference(tree)),
    ]


def stage_text(tree: PageTree, references: list[Entry]) -> None:
    """Stage what is written by hand, and the files to which it links."""
    order = reading_order()
    files: set[str] = set()
    for path in [OVERVIEW, *(page.source for pages in order.values() for page in pages), *PROJECT_PAGES]:
        text = (PROJECT / path).read_text()
        files |= set(linked_files(text, path).values())
        tree.write(site_name(path), relinked(text, path))
    text = (PROJECT / FRONT).read_text()
    files |= set(linked_files(text, FRONT).values())
    tables = [
        contents([Entry("Overview", site_name(OVERVIEW)), *order["guide"]], caption="Guide"),
        contents(references, caption="Reference"),
        contents([*order["background"], Entry("References", "references.md")], caption="Background"),
        contents([site_name(path) for path in PROJECT_PAGES], caption="Project"),
    ]
    tree.write(site_name(FRONT), relinked(text, FRONT) + "".join(tables))
    tree.write("references.md", REFERENCES)
    for path in sorted(files):
        name = site_name(path)
        if not name.endswith(".md") and (PROJECT / path).is_file():
            tree.copy(name, PROJECT / path)


def stage(outputs: Path) -> None:
    """Put all pages together, in the folder ``site-source`` of another."""
    tree = PageTree(outputs / "site-source")
    stage_text(tree, stage_references(tree, outputs))
    tree.finish()


if __name__ == "__main__":
    stage(Path(sys.argv[1]))
