import pytest
from browser import EXECUTABLE, Browser


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """One browser for all tests, without a network."""
    if EXECUTABLE is None:
        pytest.skip("no chromium to open pages in")
    running = Browser(tmp_path_factory.mktemp("browser"))
    yield running
    running.close()
