"""Put the pages of the site together: those of docs/ as they are, and what is made from the program."""

from __future__ import annotations

import sys
from pathlib import Path

from api_reference import api_reference
from command_reference import command_reference
from dataset_reference import dataset_reference
from gallery import gallery
from page_tree import PageTree
from reading_order import OVERVIEW, contents, reading_order, site_names
from site_links import PROJECT, linked_files, relinked, site_name
from yaml_reference import yaml_reference

FRONT = "README.md"
PROJECT_PAGES = ["CONTRIBUTING.md", "CHANGELOG.md"]


def stage_references(tree: PageTree, outputs: Path) -> list[str]:
    """Stage what is made from the program; return the names of its first pages."""
    return [
        gallery(tree, outputs / "site-arms", outputs / "site-extra"),
        yaml_reference(tree),
        command_reference(tree),
        dataset_reference(tree),
        api_reference(tree),
    ]


def stage_text(tree: PageTree, references: list[str]) -> None:
    """Stage what is written by hand, and the files to which it links."""
    order = reading_order()
    files: set[str] = set()
    for path in [OVERVIEW, *order["guide"], *order["background"], *PROJECT_PAGES]:
        text = (PROJECT / path).read_text()
        files |= set(linked_files(text, path).values())
        tree.write(site_name(path), relinked(text, path))
    text = (PROJECT / FRONT).read_text()
    files |= set(linked_files(text, FRONT).values())
    tables = [
        contents(site_names([OVERVIEW, *order["guide"]]), caption="Guide"),
        contents(references, caption="Reference"),
        contents([*site_names(order["background"]), "references.md"], caption="Background"),
        contents(site_names(PROJECT_PAGES), caption="Project"),
    ]
    tree.write(site_name(FRONT), relinked(text, FRONT) + "".join(tables))
    tree.write("references.md", REFERENCES)
    for path in sorted(files):
        name = site_name(path)
        if not name.endswith(".md") and (PROJECT / path).is_file():
            tree.copy(name, PROJECT / path)


REFERENCES = """# References

```{bibliography}
:all:
```
"""


def stage(outputs: Path) -> None:
    """Put all pages together, in the folder ``site-source`` of another."""
    tree = PageTree(outputs / "site-source")
    stage_text(tree, stage_references(tree, outputs))
    tree.finish()


if __name__ == "__main__":
    stage(Path(sys.argv[1]))
