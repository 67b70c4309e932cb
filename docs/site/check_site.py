"""What a finished site must keep to: links and pictures that are there, nothing from the network, small pages."""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LARGEST = 300_000
"""Size [bytes] of a page with its pictures; films, 3D views and what all pages share (style, scripts) apart."""
FILMS = (".gif", ".mp4")
LOADED = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src", "video": "src"}


class Page(HTMLParser):
    """Links, loaded files and anchors of a page."""

    def __init__(self, path: Path):
        super().__init__()
        self.path = path
        self.links: list[str] = []
        self.loaded: list[tuple[str, str]] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag leads to."""
        found = {name: value for name, value in attrs if value is not None}
        if "id" in found:
            self.anchors.add(found["id"])
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if "data-space-view" in found:
            self.links.append(found["data-space-view"])
        if (
            tag in LOADED
            and LOADED[tag] in found
            and found.get("rel") not in ("canonical", "search", "index")
        ):
            self.loaded.append((tag, found[LOADED[tag]]))


def faults(site: Path) -> list[str]:
    """Everything that is wrong with a site, one line each."""
    views = set(site.glob("robots/*-view.html"))
    pages = {path: Page(path) for path in sorted(site.rglob("*.html")) if path not in views}
    found = []
    for path, page in pages.items():
        name = path.relative_to(site)
        for target in [*page.links, *(target for _, target in page.loaded)]:
            if fault := _link_fault(path, target, pages):
                found.append(f"{name}: {fault}")
        found += [
            f"{name}: loads {each} from the network" for _, each in page.loaded if urlsplit(each).netloc
        ]
        if (size := page_size(page)) > LARGEST:
            found.append(f"{name}: {size // 1000} kB with its pictures, at most {LARGEST // 1000}")
    return found


def page_size(page: Page) -> int:
    """Size of a page with its pictures, without films [bytes]."""
    pictures = {target for tag, target in page.loaded if tag == "img" and not urlsplit(target).scheme}
    pictures -= {target for target in pictures if target.endswith(FILMS)}
    files = [(page.path.parent / unquote(target)).resolve() for target in pictures]
    return page.path.stat().st_size + sum(file.stat().st_size for file in files if file.is_file())


def _link_fault(path: Path, target: str, pages: dict[Path, Page]) -> str:
    parts = urlsplit(target)
    if parts.scheme or parts.netloc:
        return ""
    file = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not file.exists():
        return f"no file {target}"
    if parts.fragment and file in pages and unquote(parts.fragment) not in pages[file].anchors:
        return f"no anchor {target}"
    return ""


if __name__ == "__main__":
    if wrong := faults(Path(sys.argv[1]).resolve()):
        sys.exit("\n".join(wrong))
