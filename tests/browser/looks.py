"""The page as people see it: widths, colours, and what axe and the boxes say about them."""

from functools import cache

WIDTHS = [(320, 640), (360, 740), (640, 400), (800, 600), (1280, 800)]
LOOKS = [{"color_scheme": "light"}, {"color_scheme": "dark"}, {"color_scheme": "dark", "forced_colors": "active"}]
PLAIN = {"color_scheme": "light", "forced_colors": "none"}

COVERED = """() => {
  const found = [];
  for (const index of document.querySelectorAll("#act .held .index, #act .held kbd")) {
    const box = index.getBoundingClientRect();
    if (!box.width || index.closest("[transform]")) continue; // the index at the bottom is upside down
    const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    const whose = index.closest(".held");
    if (!at || whose.contains(at) || at.closest("dialog")) continue;
    found.push(`${whose.textContent} under ${at.outerHTML.slice(0, 80)}`);
  }
  return found;
}"""
"""The indices of cards in the hand that something covers. Those outside the window can't be covered."""
WIDER = """() => {
  const wide = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= wide) return [];
  return [...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > wide + 1)
    .map((one) => one.outerHTML.slice(0, 80));
}"""
"""The elements that make the page wider than the window."""

DESKS = [(1000, 600), (1280, 720)]
"""The smallest sizes at which the seats stand around the table."""
OVERLAPPING = """(most) => {
  const found = [], name = (one) => `${one.getAttribute("class")} ${one.textContent.trim().slice(0, 30)}`;
  const seen = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  const parts = seen(".felt .plate, .felt .slot > :not(.empty), .felt .middle > *, #act .moves button");
  const boxes = parts.map((one) => one.getBoundingClientRect());
  for (const [at, one] of boxes.entries())
    for (const [before, other] of boxes.slice(0, at).entries()) {
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      const same = !parts[before].closest("#act") === !parts[at].closest("#act"); // the moves may stick over the table
      if (wide > most && high > most && same)
        found.push(`${name(parts[before])} and ${name(parts[at])}: ${Math.round(wide)} x ${Math.round(high)}`);
    }
  for (const one of seen(".felt .plate > :not(strong), #act .moves button, #act h2"))
    if (one.scrollWidth > one.clientWidth + 1 && one.clientWidth) found.push(`cut off: ${name(one)}`);
  return found;
}"""
"""The parts of the table and moves that lie on each other, and texts that don't fit their boxes.

The argument is how many pixels two parts may share; if it's negative, they need so many between them.
"""


@cache
def _axe():
    from axe_playwright_python.async_playwright import Axe  # noqa: PLC0415 - of the browser dependency group

    return Axe()


async def faults(page, *, contrast=True):
    """Return what axe finds serious or critical, a row for each element.

    It measures no colours of drawings, so it leaves out the cards; they say nothing to a screen reader.
    """
    rules = {"color-contrast": {"enabled": contrast}}
    options = {"resultTypes": ["violations"], "rules": rules}
    found = (await _axe().run(page, {"exclude": [["svg.card"]]}, options)).response["violations"]
    return [
        f"{rule['id']}: {' '.join(map(str, node['target']))}: {node['html'][:120]} {node['failureSummary'][-160:]}"
        for rule in found
        if rule["impact"] in {"serious", "critical"}
        for node in rule["nodes"]
    ]


async def misfits(page):
    """Return what is too wide, or covers a card's index, in each width."""
    before, found = page.viewport_size, []
    for width, height in WIDTHS:
        await page.set_viewport_size({"width": width, "height": height})
        for what in (COVERED, WIDER):
            found += [f"{width}x{height}: {row}" for row in await page.evaluate(what)]
    await page.set_viewport_size(before)
    return found


async def overlaps(page, sizes=(WIDTHS[0], WIDTHS[-1]), most=3):
    """Return which parts of the table cover each other, on a phone and on a desk."""
    before, found = page.viewport_size, []
    for width, height in sizes:
        await page.set_viewport_size({"width": width, "height": height})
        found += [f"{width}x{height}: {row}" for row in await page.evaluate(OVERLAPPING, most)]
    await page.set_viewport_size(before)
    return found


async def touches(page):
    """Return which parts of the table touch each other on a small desk."""
    return await overlaps(page, DESKS, -1)


async def faults_in_each_look(page):
    """Return what axe finds in light, dark and forced colours, wide and narrow.

    Forced colours are the reader's own, and axe measures the contrast of those that they replace.
    """
    found, before = [], page.viewport_size
    for look in LOOKS:
        await page.emulate_media(**{**PLAIN, **look})
        for width, height in (WIDTHS[0], WIDTHS[-1]):
            await page.set_viewport_size({"width": width, "height": height})
            found += [f"{look}, {width} px: {row}" for row in await faults(page, contrast="forced_colors" not in look)]
    await page.emulate_media(**PLAIN)
    await page.set_viewport_size(before)
    return found
