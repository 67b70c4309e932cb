"""Pictures of a fit hold what the fit holds."""

import numpy as np
from measured_rig import fitted

from flexarm.plots.diagrams.fits import fit_figures


def lines(figure):
    """Curves of a figure by their gid."""
    return {line.get_gid(): line for axes in figure.axes for line in axes.lines}


def test_measured_and_simulated_columns_are_drawn():
    found = fitted()
    figures = fit_figures(found)
    assert list(figures) == [
        "measured-and-simulated-1", "residuals-1", "measured-and-simulated-2", "residuals-2", "correlations",
    ]  # fmt: skip
    for number, run in ((1, found.runs[0]), (2, found.checks[0][0])):
        drawn = lines(figures[f"measured-and-simulated-{number}"]())
        for c, name in enumerate(("hub", "gauge")):
            np.testing.assert_array_equal(drawn[f"measured {name}"].get_ydata(), run.measured[:, c])
            np.testing.assert_array_equal(drawn[f"simulated {name}"].get_ydata(), run.simulated[:, c])
        left = lines(figures[f"residuals-{number}"]())["residual gauge"].get_ydata()
        np.testing.assert_array_equal(left, run.measured[:, 1] - run.simulated[:, 1])
    assert "held back" in figures["residuals-2"]().get_suptitle()


def test_the_map_of_correlations():
    found = fitted()
    axes = fit_figures(found)["correlations"]().axes[0]
    (image,) = axes.get_images()
    np.testing.assert_array_equal(image.get_array(), found.correlation)
    assert [label.get_text() for label in axes.get_yticklabels()] == list(found.names)
    written = [text.get_text() for text in axes.texts]
    assert written == [f"{value:.2f}" for value in found.correlation.ravel()]
