"""The service worker opens pages of this place only."""

import pytest

from tests.edge.web.javascript import needs_node, run

pytestmark = needs_node
SCRIPT = """
const heard = {}, shown = [];
globalThis.self = {
  addEventListener: (kind, listener) => (heard[kind] = listener),
  location: { origin: "https://games.example" },
  registration: { showNotification: (title, { data }) => shown.push(data.path) },
};
await import("./sw.js");
heard.push({ data: { json: () => ({ title: "a", text: "b", path: input }) }, waitUntil() {} });
const output = shown;
"""


@pytest.mark.parametrize("path", ["/", "/t/12", "/t/12#word", "/unsubscribe?a=b"])
def test_path_of_this_place_is_opened(path, tmp_path):
    assert [path] == run(tmp_path, SCRIPT, path)


@pytest.mark.parametrize(
    "path",
    [
        "//evil.example/",
        "/\\evil.example/",
        "\\\\evil.example",
        "/\t/evil.example",
        "/\n\\evil.example",
        "https://evil.example/",
        "javascript:alert(1)",
        "http://games.example/",
        "http://[",
        None,
        7,
    ],
)
def test_anything_else_opens_the_first_page(path, tmp_path):
    assert ["/"] == run(tmp_path, SCRIPT, path)
