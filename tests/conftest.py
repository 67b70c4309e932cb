"""Settings of every test: pictures without a screen, the same random cases in every run."""

import gc
import logging
import os

os.environ["MPLBACKEND"] = "Agg"

import pytest
from hypothesis import settings

settings.register_profile("flexarm", deadline=None, derandomize=True)
settings.load_profile("flexarm")
gc.set_threshold(
    10_000
)  # a tenth of the time of all tests; with more the figures of pictures fill the memory


def pytest_collection_finish():
    gc.freeze()  # modules and tests stay to the end: no need to look through them again and again


@pytest.fixture(autouse=True)
def kept_log_level():
    """A command run in this process with -q or -v changes what the package logs, for itself alone."""
    logger = logging.getLogger("flexarm")
    before = logger.level
    yield
    logger.setLevel(before)
