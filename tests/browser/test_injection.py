"""Text that people write stays text on the page: it isn't run, and is never the server's own line."""

import asyncio
import re
import sys

import pytest

from tests.browser.conftest import each, shared
from tests.browser.looks import WIDER
from tests.browser.people import WORD, program
from tests.browser.player import log_in, types, until
from tests.browser.servers import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

TEXTS = {
    "script": "<script>window.broken=1</script><img src=x onerror=window.broken=1>",
    "tags": "</div></main><svg onload=window.broken=1><button>Fold</button>",
    "markup": "[press](javascript:window.broken=1) **bold** &lt;b&gt; `x` {{1+1}} ${window.broken=1}",
    "json": '"}]}\\r\\n{"line": "Your turn: fold", "kind": "turn"}',
    "long": "w" * 500,
    "backwards": "\u202edlof :nrut ruoY\u2066 \u05e9\u05dc\u05d5\u05dd",
    "turn": "Your turn: fold now",
}
FAULTS = """(text) => {
  const found = [];
  if (window.broken) found.push("something was run");
  if (document.querySelector("img, iframe, object, a[href^=javascript], svg[onload], script:not([src])"))
    found.push("an element was made");
  for (const one of document.querySelectorAll("#log > *, #alert, [role=status], h1, h2, title, button"))
    if (one.textContent.trim().startsWith(text.slice(0, 20))) found.push(`the server's: ${one.outerHTML.slice(0, 99)}`);
  return found;
}"""
"""The faults of a page that shows a text written by someone."""
FIELDS = {
    "talk": (["{}"], []),
    "emote": (["/me {}"], []),
    "private talk": (["warden;{}"], []),
    "blurb": (["/here {:.30}"], []),
    "why away": (["/away {:.30}"], ["/who"]),
    "info": (["/info set {}"], ["/info mallory"]),
    "memo": (["/memo set plan {}"], ["/memo mallory plan"]),
    "memo's name": (["/memo set {:.16} plan"], ["/memo mallory"]),
    "name": (["/rename {}"], []),
    "name of a room": (["/create {}"], ["/rooms"]),
    "title of a room": (["/create cafe", "/retitle cafe {}"], ["/rooms"]),
    "title of a new room": (["/destroy den", "/create den {}"], ["/rooms", "/what den"]),
    "report": (["/report warden {}"], ["/reports"]),
    "word for the deal": (["/cut {}"], []),
    "kibitz": (["/kibitz {}"], []),
    "option of a table": (["/new ohell max={}"], []),
    "game": (["/quick {}"], ["/tables"]),
    "formula": (["/formula {}"], []),
    "feedback": (["/feedback {}"], ["/feedback"]),
}
"""The lines that someone types in each field, and those that the reader types to see it."""
WATCHED = ("word for the deal", "kibitz")
"""Fields of a table, which the reader watches."""
TIMES = "(text) => document.body.innerText.split(text).length"
"""How often a text is on the page, and once more."""
REFUSED = ("name", "name of a room", "option of a table", "game", "formula")
"""Fields whose grammar lets no such text through, so nobody else sees it."""


@each
async def warden(staffed, visit):
    """A page whose reader is a moderator and the sysop, and who sees what people write."""
    page = await visit(staffed.url)
    await log_in(page, "warden", WORD)
    return page


@shared
async def staffed(place):
    """The server, whose warden has an account and may see everything."""
    async with program(place, "warden", WORD, WORD), program(place, "mallory", WORD, WORD):
        pass
    command = (sys.executable, "-m", "lilygames", "people", "role", "warden", "sysop", "--data", place.data)
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.DEVNULL)
    assert 0 == await process.wait()
    return place


@pytest.mark.parametrize("field", FIELDS)
async def test_text_that_people_write_stays_text_and_is_theirs(staffed, warden, field):
    theirs, ours = FIELDS[field]
    async with program(staffed, "mallory", WORD) as mallory:
        shown = False
        if field in WATCHED:
            await mallory.do("/new ohell")
            sits = last_line(mallory, r"you sit at (\S+?)[;) ]")
            await types(warden, f"/watch {sits[1]}")
            await until(warden, "() => document.querySelector('#log').innerText.includes('re watching')")
        for kind, text in TEXTS.items():
            before = await warden.evaluate(TIMES, text[:12])
            await mallory.do(*(line.format(text) for line in theirs))
            await types(warden, *ours, f"mallory;{kind}")
            await mallory.until(lambda packet: packet.get("talk", {}).get("talker") == "warden")  # it's answered, too
            await mallory.do(f"warden;the end of {kind}")
            await until(warden, "(end) => document.body.innerText.includes(end)", f"the end of {kind}")
            assert [] == [*await warden.evaluate(FAULTS, text), *await warden.evaluate(WIDER)], text
            shown = shown or before < await warden.evaluate(TIMES, text[:12])
        assert shown or field in REFUSED
        await mallory.do("/info clear", "/here", *["/leave"] * (field in WATCHED))


def last_line(someone, pattern):
    """Return the match of a pattern in the last line of those that someone was shown."""
    rows = (packet["line"] for packet in reversed(someone.heard) if "line" in packet)
    return next(filter(None, (re.search(pattern, row) for row in rows)))
