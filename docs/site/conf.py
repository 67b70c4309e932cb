"""Settings of Sphinx; `make site` has it read the pages that stage.py has put together."""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from numpydoc.xref import DEFAULT_LINKS  # noqa: E402
from sphinx.application import Sphinx  # noqa: E402

import flexarm  # noqa: E402

project = "flexarm"
version = release = flexarm.__version__
language = "en"
smartquotes = False
copyright = "the authors of flexarm"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "numpydoc",
    "sphinxcontrib.bibtex",
    "citations",
    "fresh_contents",
    "reference_entries",
]

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_fence_as_directive = ["math"]
myst_heading_anchors = 4

bibtex_bibfiles = [str(HERE.parent / "references.bib")]
bibtex_default_style = "keys"

# signatures as they are typed; shapes and units stand in the docstrings
autodoc_typehints = "none"
autodoc_member_order = "bysource"
default_role = "literal"
numpydoc_show_class_members = False
numpydoc_xref_param_type = True
numpydoc_xref_aliases = {name: f"flexarm.{name}" for name in flexarm.__all__}
numpydoc_xref_ignore = "all"
DEFAULT_LINKS.clear()  # links to the documentation of Python would need the network
maximum_signature_line_length = 80
python_use_unqualified_type_names = True
toc_object_entries = False

html_theme = "furo"
html_title = f"flexarm {version}"
html_static_path = [str(HERE / "static"), str(files("mathjax") / "static" / "mathjax" / "es5" / "tex-svg.js")]
html_css_files = ["site.css"]
html_js_files = ["space_view.js"]
html_copy_source = False
html_show_copyright = False
html_theme_options = {"navigation_with_keys": True, "top_of_page_buttons": []}
mathjax_path = "tex-svg.js"
pygments_style = "friendly"
pygments_dark_style = "github-dark"


def setup(app: Sphinx) -> None:
    """Give the site the files that stage.py has put beside its pages."""
    app.config.html_extra_path = [str(Path(app.srcdir).parent / "site-extra")]
