"""The page in a real browser: every picture is shown, nothing is asked of the network, nothing complained of."""

import pytest
from pages import falling_link

PROBE = """({
  widths: [...document.images].map((image) => image.naturalWidth),
  overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  title: document.title,
})"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_shows_everything_and_asks_for_nothing(browser, tmp_path, scheme):
    text, path = falling_link()[1], tmp_path / "page.html"
    path.write_text(text, encoding="utf-8")
    browser.open(path, width=360, height=740, scheme=scheme)
    browser.drawn()
    seen = browser.value(PROBE)
    assert len(seen["widths"]) == text.count("<img ")
    assert min(seen["widths"]) > 0
    assert seen["overflow"] <= 0
    assert seen["title"] == "shafei-falling-link: flight"
    assert [name for name in browser.requests if not name.startswith("data:")] == [path.as_uri()]
    assert browser.complaints == []


def test_only_what_the_page_came_with_may_run(browser, tmp_path):
    """A script that somebody slips into a page is stopped by the page's own policy."""
    path = tmp_path / "page.html"
    text = falling_link()[1].replace("</body>", "<script>document.title = 'caught'</script></body>")
    path.write_text(text, encoding="utf-8")
    browser.open(path)
    assert browser.value("document.title") == "shafei-falling-link: flight"
    assert browser.value("spaceView !== null")
    assert len(browser.complaints) == 1
    assert "Content Security Policy" in browser.complaints[0]
