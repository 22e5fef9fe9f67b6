"""Pages checked by axe-core for what WCAG 2.2 AA asks, in both themes, and every control reached by the Tab key.

    npm pack axe-core && tar xzf axe-core-*.tgz
    python benchmarks/page_accessibility.py package/axe.min.js out/as4/run.html [MORE.html ...]

All parts of the panel are opened, so that axe sees every control. What it finds is printed with the element; what it
cannot decide (contrast over the scene's picture) is counted. Ends with 1 where axe finds something, a control is not
reached or the page says something in the console.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

from tests import browser as driven
from tests.browser import Browser

ASKED = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = """axe.run(document, { runOnly: %s }).then((r) => ({ passes: r.passes.length,
    found: r.violations.flatMap((v) => v.nodes.map((n) => [v.id, v.impact, n.target.join(' '), n.failureSummary])),
    open: r.incomplete.flatMap((v) => v.nodes.map((n) => [v.id, n.target.join(' ')])) }))"""
OPEN = "for (const d of document.querySelectorAll('details')) d.open = true"
KINDS = "button, input, select, summary, canvas[tabindex]"
CONTROLS = f"[...document.querySelectorAll('{KINDS}')].filter((e) => e.checkVisibility() && !e.disabled)"
WATCH = """document.activeElement?.blur(), window.reached = new Set(),
    document.addEventListener('focusin', (e) => window.reached.add(e.target)), flexwheel.app.play?.(false)"""


def unreached(browser):
    """(number of controls, names of those that Tab does not reach)."""
    browser.run(WATCH)
    count = browser.run(f"{CONTROLS}.length")
    for _ in range(count + 3):
        browser.key("Tab", 9)
    left = f"{CONTROLS}.filter((e) => !window.reached.has(e)).map((e) => e.id || e.textContent)"
    return count, browser.run(left)


def checked(axe, page):
    """Whether a page passes; prints what was found."""
    good = True
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(profile)
        try:
            browser.size(1400, 900)
            browser.open(page)
            browser.run(OPEN)
            count, left = unreached(browser)
            print(f"{page}: {count} controls, not reached by Tab: {left}")
            browser.call("Runtime.evaluate", expression=axe)
            for theme in ("light", "dark"):
                browser.run(f"flexwheel.app.theme({json.dumps(theme == 'dark')})")
                told = browser.run(RUN % json.dumps(ASKED))
                unsure = sorted({rule for rule, _ in told["open"]})
                print(f"  {theme}: {told['passes']} rules pass, {len(told['found'])} findings, not decided: {unsure}")
                for rule, impact, where, why in told["found"]:
                    print(f"    {rule} ({impact}): {where}: {why.splitlines()[-1].strip()}")
                good &= not told["found"]
            good &= not left and not browser.messages
            print(f"  messages {len(browser.messages)}")
        finally:
            browser.close()
    return good


def main():
    """Check pages; 1 where one does not pass."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("axe", type=Path, help="axe.min.js")
    parser.add_argument("pages", nargs="+", type=Path)
    given = parser.parse_args()
    driven.PATIENCE = 600.0  # a busy machine
    axe = given.axe.read_text(encoding="utf-8")
    if not all([checked(axe, page) for page in given.pages]):
        sys.exit(1)


if __name__ == "__main__":
    main()
