"""The site: references name everything there is, pages stand in an order, links are found; and it builds (slow)."""

import importlib
import os
import re
import subprocess
import sys

import api_reference
import arm_runs
import check_site
import pytest
import reading_order
import site_links
from command_reference import command_reference
from dataset_reference import dataset_reference
from guide_sections import guide_sections
from key_mentions import explained_in, shown_by
from page_tree import PageTree
from paths import PROJECT
from reports.browser import EXECUTABLE, Browser
from schemas import schemas
from yaml_reference import yaml_reference

import flexarm
from flexarm.cli.main import COMMANDS, main
from flexarm.results import attributes, schema

SITE = PROJECT / "docs" / "site"


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Text of all generated pages by name, but for the gallery."""
    tree = PageTree(tmp_path_factory.mktemp("site"))
    for write in (yaml_reference, command_reference, dataset_reference, api_reference.api_reference):
        write(tree)
    return {name: (tree.root / name).read_text() for name in tree.names()}


def entries(pages, folder, directive):
    """What a directive of the generated pages describes."""
    text = "".join(text for name, text in pages.items() if name.startswith(folder))
    return re.findall(rf"^`+{{{directive}}} (.*)$", text, re.MULTILINE)


def keys_of(node):
    """Number of keys that a JSON Schema describes, found without the generator."""
    if isinstance(node, list):
        return sum(keys_of(item) for item in node)
    if not isinstance(node, dict):
        return 0
    own = len(node["properties"]) if isinstance(node.get("properties"), dict) else 0
    return own + sum(keys_of(item) for item in node.values())


def test_the_builder_finds_all_that_it_imports():
    assert callable(importlib.import_module("stage").gallery)


def test_every_key_of_the_schemas_has_an_entry(pages):
    found = entries(pages, "reference/yaml/", "yamlkey")
    assert len(set(found)) == len(found) == sum(keys_of(each.model("")) for each in schemas().values())
    for path in (
        "links[].EI",
        "drive[].pd.ki",
        "contact.walls[].normal",
        "trajectory: line.to",
        "sweep: vary",
    ):
        assert path in found


def test_entries_of_keys_say_type_unit_default_and_where_to_read(pages):
    text = pages["reference/yaml/run.md"]
    assert "whole number" in text
    for page in (text for name, text in pages.items() if name.startswith("reference/yaml/")):
        for entry in page.split("```{yamlkey} ")[1:]:
            assert entry.splitlines()[1].strip(), "every key has a meaning"
            assert "Guide: [" in entry.partition("```")[0], "every key leads to a section of the guide"
    duration = text.partition("run.duration\n")[2].partition("```")[0]
    assert "number > 0" in duration
    assert "in s" in duration
    assert "required" in duration
    assert "default `1e-09`" in text.partition("run.rtol\n")[2].partition("```")[0]
    assert "/guide/" in duration
    assert "/robots/" in duration


def test_mentions_of_keys_are_those_of_their_own_model():
    sections = {section.target for section in explained_in(("arm", "Friction", "smoothing"))}
    assert "/guide/contact.md#a-joint-that-sticks" in sections
    assert "falling_two_link_in_circle" in shown_by(("arm", "CircleWall", "circle"))
    assert "spin_up_beam" not in shown_by(("arm", "Move", "to"))


def test_every_command_and_option_has_an_entry(pages):
    assert {f"reference/commands/{name}.md" for name in COMMANDS} <= pages.keys()
    for name in COMMANDS:
        found = " ".join(entries(pages, f"reference/commands/{name}.md", "option"))
        for option in main.get_command(None, name).params:
            assert max(option.opts, key=len) in found or option.human_readable_name in found, (name, option)


def test_every_dataset_and_attribute_has_an_entry(pages):
    tables = [table for name, table in vars(schema).items() if name.isupper() and isinstance(table, dict)]
    names = {key for table in tables for key, entry in table.items() if isinstance(entry, schema.Dataset)}
    found = entries(pages, "reference/results.md", "dataset")
    assert sorted(found) == sorted(names)
    assert {
        name for name in attributes.ATTRIBUTES if f"`{name}`" not in pages["reference/results.md"]
    } == set()


def test_every_public_name_has_a_page(pages):
    assert {name for name in flexarm.__all__ if f"reference/python/{name}.rst" not in pages} == set()
    assert sorted(api_reference.public_names()) == flexarm.__all__
    for name in flexarm.__all__:
        assert f"flexarm.{name}\n" in pages[f"reference/python/{name}.rst"]


def test_public_members_without_a_docstring_are_found():
    class Documented:
        """Something.

        Attributes
        ----------
        known : int
        """

        known: int
        unknown: int

        def said(self):
            """Say."""

        def unsaid(self): ...

    found = api_reference.undocumented("Documented", Documented)
    assert sorted(found) == ["Documented.unknown", "Documented.unsaid"]
    assert api_reference.undocumented("nothing", lambda: None) == ["nothing"]


def test_every_page_has_its_place_in_the_reading_order(monkeypatch, tmp_path):
    order = reading_order.reading_order()
    names = {path.relative_to(PROJECT).as_posix() for path in (PROJECT / "docs").rglob("*.md")}
    ordered = [page.source for pages in order.values() for page in pages]
    assert sorted([*ordered, "docs/README.md"]) == sorted(names)
    assert order["guide"][0] == reading_order.Entry(
        "A first arm", "guide/first-arm.md", "docs/guide/first-arm.md"
    )
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "README.md").write_text("[one](one.md)")
    (tmp_path / "docs" / "two.md").write_text("# Two")
    monkeypatch.setattr(reading_order, "PROJECT", tmp_path)
    with pytest.raises(reading_order.UnorderedPagesError, match=r"docs/two\.md"):
        reading_order.reading_order()


@pytest.mark.parametrize(
    ("link", "source", "moved"),
    [
        ("guide/first-arm.md", "docs/README.md", "guide/first-arm.md"),
        ("docs/guide/first-arm.md#parameters", "README.md", "guide/first-arm.md#parameters"),
        ("../../robots/README.md", "docs/guide/first-arm.md", "../robots/index.md"),
        ("../../robots/scara.yaml", "docs/guide/joints.md", "../robots/scara.md"),
        ("trajectories", "robots/README.md", "trajectories/index.md"),
        ("matrices/lattice_boom.py", "robots/README.md", "matrices/lattice_boom.py"),
        ("docs/flexible-pendulum/stroboscope.png", "README.md", "flexible-pendulum/stroboscope.png"),
        ("https://example.org/a.md", "README.md", "https://example.org/a.md"),
        ("#speed", "README.md", "#speed"),
    ],
)
def test_links_lead_to_where_the_site_has_their_targets(link, source, moved):
    assert site_links.relinked(f"see [it]({link}).", source) == f"see [it]({moved})."


def test_code_is_left_as_it_is():
    text = "a\n\n```python\nf[0](README.md)\n```\n"
    assert site_links.relinked(text, "docs/README.md") == text


def test_headings_in_code_are_no_sections():
    titles = [section.title for section in guide_sections()]
    assert "A first arm: Parameters" in titles
    assert not any(title.endswith(".yaml") for title in titles)


@pytest.mark.parametrize("page", sorted((PROJECT / "docs").rglob("*.md")), ids=lambda path: path.stem)
def test_pictures_of_a_page_leave_it_small(page):
    """The page itself takes up to a third of what is allowed."""
    pictures = [page.parent / name for name in set(re.findall(r"!\[.*?\]\((.+?)\)", page.read_text()))]
    size = sum(path.stat().st_size for path in pictures if path.suffix not in check_site.FILMS)
    assert size < 2 / 3 * check_site.LARGEST, "draw pictures with fewer colours"


def test_only_changed_pages_are_written(tmp_path):
    tree = PageTree(tmp_path)
    tree.write("a.md", "one")
    tree.write("b/c.md", "two")
    os.utime(tmp_path / "a.md", (1, 1))
    again = PageTree(tmp_path)
    again.write("a.md", "one")
    again.finish()
    assert (tmp_path / "a.md").stat().st_mtime == 1
    assert not (tmp_path / "b").exists()


def test_every_arm_of_the_gallery_is_run_as_its_comment_says():
    commands = {path.stem: arm_runs.run_command(path) for path in (PROJECT / "robots").glob("*.yaml")}
    for name, command in commands.items():
        assert re.match(rf"flexarm (simulate|inverse|payload) robots/{name}\.yaml", command)
        assert "#" not in command
    assert "--trajectory" in commands["spatial_six_joint"]
    assert commands["korayem_1994_pinned_as_published"].endswith("robots/trajectories/korayem_1994.yaml")


def test_faults_of_a_site_are_found(tmp_path):
    (tmp_path / "a.html").write_text(
        '<a href="b.html#here"></a><a href="b.html#there"></a><a href="c.html"></a><a href="https://x.org/"></a>'
        '<img src="big.png"><script src="https://x.org/y.js"></script>'
    )
    (tmp_path / "b.html").write_text('<p id="here">')
    (tmp_path / "big.png").write_bytes(bytes(check_site.LARGEST))
    assert check_site.faults(tmp_path) == [
        "a.html: no anchor b.html#there",
        "a.html: no file c.html",
        "a.html: loads https://x.org/y.js from the network",
        f"a.html: {check_site.LARGEST // 1000} kB with its pictures, at most {check_site.LARGEST // 1000}",
    ]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built from nothing."""
    for module in ("sphinx", "furo", "myst_parser", "numpydoc", "sphinxcontrib.bibtex", "mathjax"):
        pytest.importorskip(module, reason=f"{module} is not installed (flexarm[docs])")
    outputs = tmp_path_factory.mktemp("outputs")
    for command in (
        [str(SITE / "stage.py"), str(outputs)],
        [
            "-m",
            "sphinx",
            "-c",
            str(SITE),
            "-W",
            "--keep-going",
            "-q",
            str(outputs / "site-source"),
            str(outputs / "site"),
        ],
    ):
        done = subprocess.run([sys.executable, *command], capture_output=True, text=True, cwd=PROJECT)
        assert done.returncode == 0, done.stdout + done.stderr
    return outputs / "site"


@pytest.mark.slow
def test_site_builds_without_a_warning_and_without_faults(site):
    assert check_site.faults(site) == []
    references = (site / "references.html").read_text()
    keys = re.findall(r"^@\w+\{([^,]+),", (PROJECT / "docs" / "references.bib").read_text(), re.MULTILINE)
    assert {key for key in keys if f">{key}<" not in references} == set()
    assert 'href="references.html#' in (site / "papers.html").read_text()


@pytest.mark.slow
@pytest.mark.skipif(EXECUTABLE is None, reason="Chromium is not installed")
def test_pages_fit_into_windows_and_views_are_loaded_when_asked_for(site, tmp_path):
    browser = Browser(tmp_path)
    try:
        for page in (
            "index",
            "papers",
            "robots/index",
            "robots/whip",
            "reference/yaml/links",
            "reference/python/Result",
        ):
            for width in (400, 800, 1400):
                browser.open(site / f"{page}.html", width=width)
                assert browser.value("document.documentElement.scrollWidth") <= width, (page, width)
        browser.open(site / "robots" / "whip.html")
        assert browser.value("document.querySelectorAll('iframe').length") == 0
        browser.click("button[data-space-view]")
        browser.value(
            "new Promise((done) => document.querySelector('iframe').addEventListener('load', done))"
        )
        assert any(request.endswith("whip-view.html") for request in browser.requests)
        assert all(request.startswith(("file:", "data:")) for request in browser.requests)
        assert browser.complaints == []
    finally:
        browser.close()
