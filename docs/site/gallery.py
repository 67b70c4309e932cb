"""Gallery: a page for every arm of robots/ with its picture, its motion in space, its commands and its description."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

from arm_runs import ArmRun, arm_runs, commands
from markdown_pieces import code, plain, prose
from page_tree import PageTree
from PIL import Image
from reading_order import contents
from site_links import PROJECT, relinked, site_name
from space_view import space_view

import flexarm

TABLE = "robots/README.md"
PICTURE, CARD = 1000, 260
"""Widths of pictures [pixels]."""
NAMED_FILE = re.compile(r"(docs/[\w/-]+\.md|(?<![\w/`])\w+\.yaml)")
"""Pages of the guide and other arms, as comments name them."""
COLOURS, CARD_QUALITY = 128, 60


def gallery(tree: PageTree, runs: Path, extra: Path) -> str:
    """Write the pages; return the name of their overview.

    Parameters
    ----------
    tree : PageTree
    runs : Path
        Folder in which results and pictures are kept from build to build.
    extra : Path
        Folder whose files the site has as they are: 3D views.
    """
    views = PageTree(extra)
    pages, cards = [], ""
    for arm, folder, run in arm_runs(runs):
        _draw(folder, run)
        for name in ("picture.png", "card.webp"):
            tree.copy(f"robots/{arm.stem}-{name}", folder / name)
        tree.copy(f"robots/{arm.name}", arm)
        views.copy(f"robots/{arm.stem}-view.html", folder / "view.html")
        tree.write(f"robots/{arm.stem}.md", _page(arm, run))
        pages.append(f"robots/{arm.stem}.md")
        cards += f"[![]({arm.stem}-card.webp)<br>{arm.stem.replace('_', ' ')}]({arm.stem}.md)\n\n"
    views.finish()
    beginning, bar, more = relinked((PROJECT / TABLE).read_text(), TABLE).partition("\n| ")
    shown = f"{beginning}\n::::{{container}} cards\n{cards}::::\n{bar}{more}"
    folders = [
        _folder_page(tree, path.name) for path in sorted((PROJECT / "robots").iterdir()) if path.is_dir()
    ]
    tree.write(site_name(TABLE), shown + contents([*pages, *folders], "robots"))
    return site_name(TABLE)


def _draw(folder: Path, run: ArmRun) -> None:
    """Draw the pictures and the view of a run, unless they are of this run."""
    made = folder / "drawn"
    if made.is_file() and made.read_text() == run.digest:
        return
    result = flexarm.open_result(folder / "result.h5")
    drawn = BytesIO()
    flexarm.plot(result).savefig(drawn, dpi=150)
    with Image.open(drawn) as image:
        colours = image.convert("RGB")
        _resized(colours, PICTURE).quantize(COLOURS).save(folder / "picture.png", optimize=True)
        _resized(colours, CARD).save(folder / "card.webp", quality=CARD_QUALITY)
    (folder / "view.html").write_text(space_view(result))
    made.write_text(run.digest)


def _resized(image: Image.Image, width: int) -> Image.Image:
    return image.resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS)


def _page(arm: Path, run: ArmRun) -> str:
    name, asked = arm.stem, commands(arm)
    others = [line for line in asked if line != run.command]
    moved = [
        code("console", f"$ {run.command}\n{run.printed}"),
        f"The command took {run.seconds:.1f} s in all when this page was made, with the start of the program and, "
        "where the equations were new to the machine, their compilation.\n",
    ]
    further = code("sh", "\n".join(others))
    if asked and run.command not in asked:  # what the arm is there for comes first
        shown = ["## Commands\n", further, "## A simulation\n", *moved]
    else:
        shown = ["## Run\n", *moved, *(["Further commands:\n", further] if others else [])]
    parts = [
        f"# {plain(name)}\n",
        f"{_comment(arm)}\n",
        f"![The arm over time]({name}-picture.png)\n",
        f'<button type="button" data-space-view="{name}-view.html">Turn and play it: load the 3D view</button>\n',
        *shown,
        "## Description\n",
        f"`flexarm examples {name}` copies it; or [load the file]({arm.name}). "
        "[Reference of all keys](/reference/yaml/index.md).\n",
        code("yaml", arm.read_text()),
    ]
    return "\n".join(parts)


def _comment(arm: Path) -> str:
    """Paragraphs of the comment of an arm, in Markdown; arms and pages of the guide that they name become links."""
    comment = re.match(r"(?:#.*\n)*", arm.read_text())
    assert comment is not None
    paragraphs = re.split(r"\n[ \t]*\n", re.sub(r"^# ?", "", comment[0], flags=re.MULTILINE))
    return "\n\n".join(_linked(text) for text in map(_without_commands, paragraphs) if text)


def _linked(text: str) -> str:
    pieces = NAMED_FILE.split(text)
    for number, piece in enumerate(pieces):
        path = piece if piece.startswith("docs/") else f"robots/{piece}"
        named = number % 2 and (PROJECT / path).is_file()
        pieces[number] = f"[{plain(piece)}](/{site_name(path)})" if named else prose(piece)
    return "".join(pieces)


def _without_commands(paragraph: str) -> str:
    text = re.sub(r"^ {2}flexarm .*(?:\\\n.*)*\n?", "", paragraph, flags=re.MULTILINE)
    return re.sub(r"[.;:,]? ?Try$", ".", " ".join(text.split())).rstrip(":")


def _folder_page(tree: PageTree, folder: str) -> str:
    """A page that shows the files of a folder beside the arms."""
    text = f"# {folder.capitalize()}\n"
    for path in sorted((PROJECT / "robots" / folder).iterdir()):
        if not path.is_file():
            continue
        tree.copy(f"robots/{folder}/{path.name}", path)
        text += f"\n## {path.name}\n\n[Load the file]({path.name})\n"
        if path.suffix in (".yaml", ".py"):
            text += "\n" + code(path.suffix[1:].replace("py", "python"), path.read_text())
    tree.write(f"robots/{folder}/index.md", text)
    return f"robots/{folder}/index.md"
