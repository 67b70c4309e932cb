"""Settings of every test: pictures without a screen, the same random cases in every run."""

import logging
import os

os.environ["MPLBACKEND"] = "Agg"

import pytest
from hypothesis import settings

settings.register_profile("flexarm", deadline=None, derandomize=True)
settings.load_profile("flexarm")


@pytest.fixture(autouse=True)
def kept_log_level():
    """A command run in this process with -q or -v changes what the package logs, for itself alone."""
    logger = logging.getLogger("flexarm")
    before = logger.level
    yield
    logger.setLevel(before)
