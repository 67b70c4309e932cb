"""Every source that is cited by its key stands in the references."""

from __future__ import annotations

import re

from paths import PROJECT

CITED = re.compile(r"\[([A-Z]\w*?(?:19|20)\d\d[a-z]?)\b")


def test_every_source_cited_is_in_the_references():
    known = set(
        re.findall(r"^@\w+\{([^,]+),", (PROJECT / "docs" / "references.bib").read_text(), re.MULTILINE)
    )
    pages = [*(PROJECT / "flexarm").rglob("*.py"), *(PROJECT / "docs").rglob("*.md")]
    cited = {key: page.name for page in pages for key in CITED.findall(page.read_text())}
    assert len(cited) > 50
    assert not {key: page for key, page in cited.items() if key not in known}
