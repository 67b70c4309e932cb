"""Simulation of robot arms whose links bend and twist.

>>> import flexarm
>>> arm = flexarm.load_arm("robots/usoro_two_link.yaml")  # doctest: +SKIP
>>> result = flexarm.simulate(arm)  # doctest: +SKIP

The public names stand in ``__init__.pyi``; each is imported when it is first used, so that the command line starts
quickly.
"""

import lazy_loader

__version__ = "0.2.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
