"""The user guide does what it says: every command, description and program of it is run, and its output compared."""

import re
import runpy
import shutil

import pytest
from guide_pages import LANGUAGES, Session, blocks_of, check_output, left_out
from paths import PROJECT
from PIL import Image

from flexarm.cli.main import COMMANDS
from flexarm.description.arm.link.mode_choice import Modes

DOCS = PROJECT / "docs"
GUIDE = sorted((DOCS / "guide").glob("*.md"))
PAGES = [*GUIDE, DOCS / "README.md", DOCS / "architecture.md"]
LINKING = [
    *PAGES,
    DOCS / "speed.md",
    DOCS / "validation.md",
    PROJECT / "README.md",
    PROJECT / "CONTRIBUTING.md",
    PROJECT / "robots" / "README.md",
]

NOT_RUN = {
    "control": 1,
    "exported-steps": 1,
    "jupyter": 1,
    "sections": 1,
    "small-motions": 1,
    "solvers": 1,
    "sweeps": 4,
    "urdf": 4,
}
"""Blocks of each page that need something not every machine has: a cluster, MATLAB, h5netcdf, yourdfpy, rainflow,
gymnasium, gcc, or minutes."""


QUICK = ("elastic-joints", "limits")
"""Pages that the quick tests run: all kinds of blocks, in seconds."""


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=() if page.stem in QUICK else pytest.mark.slow) for page in GUIDE],
    ids=lambda path: path.stem,
)
def test_page_runs_as_printed(page, tmp_path, monkeypatch):
    shutil.copytree(PROJECT / "robots", tmp_path / "robots")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FLEXARM_DEBUG", "1")
    session = Session()
    for block in blocks_of(page):
        if reason := left_out(block):
            print(f"{page.name}, line {block.line}, is not run: {reason}")
            session.skip(block)
            continue
        try:
            session.run(block)
        except Exception as error:
            raise AssertionError(f"{page.relative_to(PROJECT)}, line {block.line}: {error}") from error


def test_only_marked_blocks_are_left_out():
    marked = {
        page.stem: [block for block in blocks_of(page) if {"needs", "not run"} & block.marks.keys()]
        for page in GUIDE
    }
    assert {name: len(blocks) for name, blocks in marked.items() if blocks} == NOT_RUN


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_blocks_are_of_a_language_that_is_run(page):
    fences = re.findall(r"^```(.*)$", page.read_text(), re.MULTILINE)
    assert set(fences[1::2]) <= {""}
    languages = {block.language for block in blocks_of(page) if not block.marks.get("not run")}
    assert languages <= set(LANGUAGES)
    assert len(fences) == 2 * len(blocks_of(page))


def anchors_of(page):
    """What the headings of a page are called in links."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", LINKING, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_links_lead_somewhere(page):
    for target, anchor in re.findall(r"\]\((?!https://)([^)#]+)(?:#([^)]*))?\)", page.read_text()):
        assert (page.parent / target).exists(), target
        assert not anchor or anchor in anchors_of(page.parent / target), (target, anchor)


def test_pictures_are_small_and_used():
    pictures = {path.name for path in (DOCS / "guide" / "pictures").iterdir()}
    used = set(re.findall(r"\]\(pictures/([^)]+)\)", "".join(page.read_text() for page in GUIDE)))
    assert pictures == used
    assert len(pictures) <= 20
    for name in pictures:
        assert (DOCS / "guide" / "pictures" / name).stat().st_size < 120_000, name


def test_drawings_can_be_drawn(tmp_path, monkeypatch):
    for script in sorted((DOCS / "drawings").glob("*.py")):
        names = runpy.run_path(str(script))
        assert names["TARGET"].exists()
        names["drawing"]().savefig(tmp_path / "drawing.png")
        with Image.open(tmp_path / "drawing.png") as drawn, Image.open(names["TARGET"]) as kept:
            assert drawn.width / drawn.height == pytest.approx(kept.width / kept.height, rel=0.01)


def test_every_page_is_linked_from_the_first_one():
    first = (DOCS / "README.md").read_text()
    assert [page.name for page in DOCS.rglob("*.md") if page.name not in first] == []


def test_every_arm_is_in_the_table_of_arms():
    table = (PROJECT / "robots" / "README.md").read_text()
    named = re.findall(r"\[(\w+)\]\(\1\.yaml\)", table)
    assert sorted(named) == sorted(path.stem for path in (PROJECT / "robots").glob("*.yaml"))


def test_every_command_and_every_mode_family_is_in_the_guide():
    text = "".join(page.read_text() for page in GUIDE)
    assert {name for name in COMMANDS if f"flexarm {name}" not in text} == set()
    families = Modes.model_json_schema()["properties"]["family"]["enum"]
    assert {name for name in families if f"`{name}`" not in text} == set()


@pytest.mark.parametrize(
    "page", [DOCS / "architecture.md", PROJECT / "CONTRIBUTING.md"], ids=lambda path: path.stem
)
def test_files_that_are_named_exist(page):
    named = re.findall(r"`((?:flexarm|tests|robots|docs)/[\w./-]*)`", page.read_text())
    assert len(named) > 20
    assert [path for path in named if not (PROJECT / path).exists()] == []


def test_every_folder_of_tests_is_listed():
    listed = re.findall(r"^\| `tests/(\w+)/` \|", (PROJECT / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    folders = {
        path.parent.relative_to(PROJECT / "tests").parts[0] for path in PROJECT.glob("tests/*/**/*.py")
    }
    assert sorted(listed) == sorted(folders)


@pytest.mark.parametrize(
    ("printed", "found", "same"),
    [
        ("2 steps in ... ms", "2 steps  in 3.1 ms", True),
        ("2 steps", "3 steps", False),
        ("tip at 1.234 m", "tip at 1.235 m", True),
        ("tip at 1.234 m", "tip at 1.236 m", False),
        ("kept to 3.7e-12 J", "kept to 3.8e-12 J", True),
        ("kept to 3.7e-12 J", "kept to 3.7e-11 J", False),
        ("a\n...\nc", "a\nb\nc", True),
        ("a ... 1 b ...", "a 1 b", True),
    ],
)
def test_output_is_compared_number_by_number(printed, found, same):
    if same:
        check_output(printed, found)
    else:
        with pytest.raises(AssertionError):
            check_output(printed, found)
