"""Where the project and its arms are."""

from pathlib import Path

PROJECT = Path(__file__).parents[1]
ROBOTS = PROJECT / "robots"
