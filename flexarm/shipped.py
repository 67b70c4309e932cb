"""Arms and trajectories that come with flexarm: where they are in an installed wheel and in a checkout."""

from __future__ import annotations

from pathlib import Path

from flexarm.errors import ResultError

_PACKAGE = Path(__file__).parent
_PLACES = (_PACKAGE / "_robots", _PACKAGE.parent / "robots")
"""In a wheel, which carries its own copy, and in a checkout."""


def shipped_folder() -> Path:
    """Find the folder of the shipped arms; trajectories are in its folder `trajectories`.

    Raises
    ------
    ResultError
        If this installation has none.
    """
    for place in _PLACES:
        if place.is_dir():
            return place
    raise ResultError(f"{_PLACES[0]}: the arms that come with flexarm are missing; install flexarm again")


def shipped_arms() -> dict[str, Path]:
    """Return the shipped arms: name, as of the file -> the file."""
    return _descriptions(shipped_folder())


def shipped_trajectories() -> dict[str, Path]:
    """Return the shipped trajectories: name, as of the file -> the file."""
    return _descriptions(shipped_folder() / "trajectories")


def _descriptions(folder: Path) -> dict[str, Path]:
    return {path.stem: path for path in sorted(folder.glob("*.yaml"))}


def summary(path: Path) -> str:
    """Read the first paragraph of the comment at the head of a description."""
    words: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        text = line.removeprefix("#").strip()
        if not line.startswith("#") or not text:
            break
        words.append(text)
    return " ".join(words)
