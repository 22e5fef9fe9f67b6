"""Every control of pages operated by mouse and keys in a browser: which change nothing that is seen, and what it says.

    python benchmarks/page_controls.py out/as4/run.html [MORE.html ...] [--shots FOLDER] [--window 1400 900] [--first 1]

Buttons, summaries and boxes are clicked, lists stepped through by arrow keys to every entry, sliders by keys to both
ends, numbers typed. A control is idle where neither the window's picture nor its words nor what scripts read of the
view change. Pictures of the window at 1400 and 800 px, light and dark, go to the folder.
"""

import argparse
import hashlib
import tempfile
import time
from pathlib import Path

from tests import browser as driven
from tests.browser import Browser

KINDS = "button, input, select, summary"
CONTROLS = f"[...document.querySelectorAll('{KINDS}')]"
NAMED = """(() => { const e = %s; return [e.tagName, e.type || '', e.checkVisibility(), e.options?.length || 0,
    e.id || e.getAttribute('aria-label') || e.textContent.slice(0, 60)]; })()"""
STATE = """JSON.stringify([Object.entries(flexwheel.app.view).filter(([k]) => !['stamp', 'phase', 'node'].includes(k)),
    flexwheel.app.k, flexwheel.app.playing, flexwheel.app.scenes.map((s) => s.track), document.body.className,
    document.documentElement.className, document.body.innerText, flexwheel.app.film.last?.size,
    [...document.querySelectorAll('details')].map((d) => d.open)])"""
SETTLE = """new Promise((done) => { const { app } = flexwheel, moves = () => app.playing || app.film.running;
    const wait = () => (app.stage.coarse && !moves() ? setTimeout(wait, 20)
        : requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(moves()), 160)))); wait(); })"""
TRIES = 20  # pictures until two are alike
UNDO = {"play", "film"}  # clicked again, so that nothing moves while the next is tried


def seen(browser):
    """What is seen, once it is drawn, and what scripts read."""
    before = None
    for _ in range(TRIES):
        moves = browser.run(SETTLE)
        picture = hashlib.md5(browser.call("Page.captureScreenshot")["data"].encode()).hexdigest()
        if moves or picture == before:
            break
        before = picture
    return browser.run(STATE), picture


def operate(browser, number):
    """Work the control of a number; returns (name, states it went through)."""
    element = f"{CONTROLS}[{number}]"
    tag, kind, visible, options, name = browser.run(NAMED % element)
    if not visible:
        return name, None
    states = [seen(browser)]
    if tag == "SELECT":
        browser.run(f"{element}.focus()")
        browser.key("Home", 36)
        for _ in range(options - 1):
            browser.key("ArrowDown", 40)
            states.append(seen(browser))
        browser.key("Home", 36)
        states.append(seen(browser))
    elif kind == "range":
        browser.run(f"{element}.focus()")
        kept = browser.run(f"{element}.value")
        for name_of_key, code in (("Home", 36), ("ArrowRight", 39), ("End", 35)):
            browser.key(name_of_key, code)
            states.append(seen(browser))
        browser.run(f"(() => {{ const e = {element}; e.value = {kept}; e.oninput({{ target: e }}); }})()")
    elif kind == "number":
        browser.run(f"{element}.focus()"), browser.run(f"{element}.select()")
        browser.call("Input.insertText", text="17")
        browser.key("Tab", 9)
        states.append(seen(browser))
    else:
        browser.click_on(element)
        states.append(seen(browser))
        if kind == "checkbox" or tag == "SUMMARY" or name in UNDO:
            browser.click_on(element)
            states.append(seen(browser))
        browser.run("flexwheel.app.play(false)")
    return name, states


def walk(page, shots, window, first):
    """Operate the controls of a page from a number on; prints each, and what is idle, not visible or says something."""
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(profile)
        try:
            browser.size(*window)
            ready = browser.open(page)
            print(f"{page}: {page.stat().st_size / 1e6:.1f} MB, ready after {ready:.1f} s", flush=True)
            if shots:
                pictures(browser, shots, page.parent.name)
                browser.size(*window)
            browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
            count, hidden, idle = browser.run(f"{CONTROLS}.length"), [], []
            for number in range(first - 1, count):
                told, begun = len(browser.messages), time.monotonic()
                name, states = operate(browser, number)
                if states is None:
                    hidden.append(name)
                    continue
                steps, spent = len(states) - 1, time.monotonic() - begun
                print(f"  {number + 1:3d} of {count}: {name}, {steps} steps, {spent:.1f} s", flush=True)
                same = [k for k in range(1, len(states)) if states[k] == states[k - 1]]
                if len(same) == len(states) - 1:
                    idle.append(name)
                elif same:
                    print(f"  {name}: steps {same} of {len(states) - 1} change nothing")
                if len(browser.messages) > told:
                    print(f"  {name}: {browser.messages[told:]}")
            print(
                f"  {count - first + 1 - len(hidden)} of {count} controls worked, idle: {idle}, not visible: {hidden}"
            )
            print(f"  messages {len(browser.messages)}, asked of a network {len(browser.asked) - 1}")
        finally:
            browser.close()


def pictures(browser, folder, name):
    """The window at two widths, light and dark."""
    folder.mkdir(parents=True, exist_ok=True)
    for width, height in ((800, 900), (1400, 900)):
        browser.size(width, height)
        for theme in ("dark", "light"):
            browser.run(f"flexwheel.app.theme({str(theme == 'dark').lower()})")
            browser.run(SETTLE)
            browser.screenshot(folder / f"{name}_{width}_{theme}.png")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="+", type=Path)
    parser.add_argument("--shots", type=Path)
    parser.add_argument("--window", type=int, nargs=2, default=(1400, 900), help="[px]; a smaller one is drawn sooner")
    parser.add_argument("--first", type=int, default=1, help="number of the control to begin with")
    given = parser.parse_args()
    driven.PATIENCE = 600.0  # a busy machine
    for page in given.pages:
        walk(page, given.shots, given.window, given.first)


if __name__ == "__main__":
    main()
