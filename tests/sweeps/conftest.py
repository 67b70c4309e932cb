"""A worker for tests to whom it does not matter who computes."""

from concurrent.futures import ThreadPoolExecutor

import pytest


@pytest.fixture(scope="session")
def worker():
    """One thread: it starts at once."""
    with ThreadPoolExecutor(1) as executor:
        yield executor
