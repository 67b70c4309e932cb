"""Pages of the site as text files, of which only those that have changed are written."""

from __future__ import annotations

import shutil
from pathlib import Path


class PageTree:
    """Folder of source pages; what a build does not write again is removed at its end.

    Files whose content is the same keep their time stamps, so that Sphinx reads only what has changed.

    Parameters
    ----------
    root : Path
    """

    def __init__(self, root: Path):
        self.root = root
        self._written: set[Path] = set()

    def write(self, name: str, text: str) -> None:
        """Write a page, if its text has changed."""
        self._put(name, text.encode())

    def copy(self, name: str, source: Path) -> None:
        """Copy a file, if its content has changed."""
        self._put(name, source.read_bytes())

    def _put(self, name: str, content: bytes) -> None:
        target = self.root / name
        self._written.add(target)
        if not target.is_file() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)

    def names(self) -> list[str]:
        """Files of this build, sorted."""
        return sorted(path.relative_to(self.root).as_posix() for path in self._written)

    def finish(self) -> None:
        """Remove what an earlier build has left."""
        for path in sorted(self.root.rglob("*"), reverse=True):
            if path.is_dir() and not any(path.iterdir()):
                path.rmdir()
            elif path.is_file() and path not in self._written:
                path.unlink()

    def remove(self) -> None:
        """Remove the whole folder."""
        shutil.rmtree(self.root, ignore_errors=True)
