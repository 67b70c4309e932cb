"""Settings of every test: pictures without a screen, the same random cases in every run."""

import os

os.environ["MPLBACKEND"] = "Agg"

from hypothesis import settings

settings.register_profile("flexarm", deadline=None, derandomize=True)
settings.load_profile("flexarm")
