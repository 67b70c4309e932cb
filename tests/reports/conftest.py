import resource

import pytest
from browser import EXECUTABLE, Browser


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """One browser for all tests, without a network."""
    if EXECUTABLE is None:
        pytest.skip("no chromium to open pages in")
    if resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
        pytest.skip("chromium reserves more address space than this shell may have")
    running = Browser(tmp_path_factory.mktemp("browser"))
    yield running
    running.close()
