"""The notebooks of docs/ run from top to bottom, and their objects and pictures are shown."""

import os

import pytest
from paths import PROJECT

NOTEBOOKS = sorted((PROJECT / "docs" / "notebooks").glob("*.ipynb"))
TIMEOUT = 300  # s for a cell, on a busy machine

pytestmark = pytest.mark.filterwarnings("ignore")  # of the notebook's machinery


def test_there_are_notebooks():
    assert NOTEBOOKS


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs_and_shows_what_it_says(path, tmp_path):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "outputs are not kept in the repository"
    environment = {**os.environ, "HOME": str(tmp_path), "IPYTHONDIR": str(tmp_path / "ipython")}
    client = nbclient.NotebookClient(
        notebook, timeout=TIMEOUT, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute(env=environment)
    shown = [set(output.get("data", {})) for cell in notebook.cells for output in cell.get("outputs", [])]
    assert sum("image/png" in kinds for kinds in shown) >= 4
    assert sum("text/html" in kinds for kinds in shown) >= 4
