#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pages for a browser, in headless Chromium: screenshots, and what must hold.

    screenshots.py TREADLE [--tool=PAGEHTML] [--keep=DIR] [--only=NAME,...] [--whole]

TREADLE is the treadle that was built; PAGEHTML (./pagehtml) makes pages of what pages.py
prints. With --keep the screenshots stay in DIR: NAME-WIDTH-light.png and so on; --whole takes
the whole page, not what fits a screen. Exit: 77 (skipped) if there is no Chromium, 1 if a page complains,
loads anything, is wider than the screen, is drawn badly, or takes too long or too much.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

import browser
import pages

# Figures and counts are those of one worker.
os.environ.setdefault("TREADLE_JOBS", "1")

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SIZES = {"desktop": (1400, 900), "phone": (390, 844)}
MOST_MS, MOST_BYTES = 2000, 5 << 20

# Cards, labels and nodes that lie over each other, and texts that stick out of the screen.
OVERLAPS = """(() => {
    const found = [];
    const boxes = s => [...document.querySelectorAll(s)].map(n => [n, n.getBoundingClientRect()]);
    const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    for (const s of ['.card, div.turn', '.g-node > rect', '.facts > section', '.tools > *', '.plot', '.tiles > div']) {
        const all = boxes(s).filter(([, r]) => r.width > 0);
        all.forEach(([n, r], i) => all.slice(i + 1).forEach(([m, q]) => {
            if (meet(r, q)) found.push(s + ': "' + n.textContent.slice(0, 40) + '" over "' + m.textContent.slice(0, 40) + '"');
        }));
    }
    for (const [n, r] of boxes('.card'))
        if (n.scrollHeight > n.clientHeight + 1) found.push('cut: ' + n.textContent.slice(0, 60));
    return found.slice(0, 5);
})()"""

# WCAG contrast of text against what is behind it, of every kind of text on the page.
CONTRAST = """(() => {
    const parse = c => c.match(/[\\d.]+/g).map(Number);
    const lum = c => c.slice(0, 3).map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = n => {
        for (; n; n = n.parentElement) {
            const c = parse(getComputedStyle(n).backgroundColor);
            if (c.length < 4 || c[3] > 0.99) return c;
        }
        return [255, 255, 255];
    };
    const low = new Set();
    for (const n of document.querySelectorAll('#app *')) {
        if (n.closest('svg') || n.closest('[aria-hidden]') || ![...n.childNodes].some(c => c.nodeType === 3 && c.data.trim())) continue;
        const style = getComputedStyle(n);
        if (n.getBoundingClientRect().width === 0) continue;
        const a = lum(parse(style.color)), b = lum(behind(n));
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < 4.5) low.add(n.className + ' ' + ratio.toFixed(1));
    }
    return [...low];
})()"""

NAMELESS = """[...document.querySelectorAll('button, a, select, summary, [role=button], [role=listbox], [role=region]')]
    .filter(n => !(n.getAttribute('aria-label') || n.textContent.trim())).map(n => n.outerHTML.slice(0, 80))"""


class Checks:
    def __init__(self):
        self.failures = []
        self.times = []  # of the long page

    def hold(self, truth, text):
        if not truth:
            self.failures.append(text)
            print("FAILED: " + text)


def selected(tab):
    return tab.eval("(document.querySelector('.card[aria-selected=true]') || {}).id || ''")


def check_look(checks, tab, name):
    """What must hold of every page at every width."""
    tab.settle()
    for complaint in tab.complaints():
        checks.hold(False, "%s: %s" % (name, complaint))
    width = tab.eval("document.documentElement.scrollWidth - innerWidth")
    checks.hold(width <= 0, "%s: %s pixels wider than the screen" % (name, width))
    for check in (OVERLAPS, CONTRAST, NAMELESS):
        found = tab.eval(check)
        checks.hold(not found, "%s: %s" % (name, found))
    checks.hold(tab.eval("window.evil") is None, name + ": a name was run as a script")


def check_use(checks, tab, name):
    """Keys, clicks and filters of the page of a finding."""
    tab.key("f")
    n_steps = tab.eval("document.querySelectorAll('.card').length")
    checks.hold(n_steps > 0, name + ": no steps are drawn")
    checks.hold(tab.eval("document.querySelector('.card.fails') !== null"), name + ": no failing step")
    checks.hold(tab.eval("document.querySelector('.code-line[aria-current]') !== null"), name + ": no line is marked")
    last = selected(tab)
    tab.key("k")
    checks.hold(selected(tab) not in ("", last), name + ": k does not go to the step before")
    tab.key("f")
    checks.hold(selected(tab) == last, name + ": f does not go to the failure")
    tab.eval("document.querySelector('.lanes').focus()")
    tab.key("ArrowUp")
    checks.hold(selected(tab) != last, name + ": the arrow key does not go to the step before")
    shown = tab.eval("document.querySelector('.shown').textContent")
    tab.key("e")
    more = tab.eval("document.querySelector('.shown').textContent")
    checks.hold(int(more.split(" ")[0].replace(",", "")) >= int(shown.split(" ")[0].replace(",", "")),
                "%s: everything is less than what matters: %s, %s" % (name, shown, more))
    check_look(checks, tab, name + " with everything")
    tab.eval("document.querySelector('.card span.object') && document.querySelector('.card span.object').click()")
    tab.settle()
    checks.hold(tab.eval("document.querySelectorAll('.chip').length") == 1, name + ": a variable is no filter")
    tab.key("Escape")
    checks.hold(tab.eval("document.querySelectorAll('.chip').length") == 0, name + ": Escape leaves a filter")
    tab.eval("document.querySelector('.theme').click()")
    checks.hold(tab.eval("document.documentElement.dataset.theme") == "light", name + ": the button has no effect")
    # The next page must not remember it.
    tab.eval("localStorage.clear()")


def check_deadlock(checks, tab, name):
    """Who waits for whom: a box per thread, a box per lock, a wire for each line."""
    for part, n in ((".w-box", 3), (".w-object", 2), (".waits-graph .wire", 6), (".w-line", 6)):
        seen = tab.eval("document.querySelectorAll('%s').length" % part)
        checks.hold(seen == n, "%s: %d of %d %s" % (name, seen, n, part))
    text = tab.eval("document.querySelector('.waits-graph').textContent")
    for words in ("holds a->lock as writer xfer.c:17", "wants b->lock as reader xfer.c:18", "joins T1", "last signal a->lock xfer.c:38"):
        checks.hold(words in text, "%s: the graph does not say '%s'" % (name, words))
    tab.eval("document.querySelector('.w-line.wants').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    checks.hold("xfer.c:18" in tab.eval("document.querySelector('.where').textContent"), name + ": a line does not select its step")


def check_bank(checks, tab, name):
    """Bytes as text, the calls of a step, a variable through the steps."""
    table = tab.eval("document.querySelector('.inputs').textContent")
    checks.hold('"GET \\x00"' in table and "5 bytes" in table, "%s: bytes are no text: %s" % (name, table))
    tab.key("f")
    checks.hold("called at" in tab.eval("document.querySelector('.stack-of').textContent"), name + ": no calls of the step")
    tab.eval("[...document.querySelectorAll('.card span.object')].find(n => n.textContent === 'balance').click()")
    tab.settle()
    values = tab.eval("[...document.querySelectorAll('.watch button')].map(b => b.textContent)")
    checks.hold(len(values) > 3 and any("= " in v for v in values) and any("-> " in v for v in values),
                "%s: the variable is not watched: %s" % (name, values))
    check_look(checks, tab, name + " watched")
    tab.key("Escape")
    checks.hold(tab.eval("document.querySelectorAll('.watch button').length") == 0, name + ": Escape leaves the variable watched")


def check_lanes(checks, tab, name):
    """A lane for each of up to 6 threads, each with its colour."""
    checks.hold(tab.eval("document.querySelector('.lane-heads.flow') === null"), name + ": the lanes are no columns")
    lefts = tab.eval("[...new Set([...document.querySelectorAll('.lane-head')].map(n => n.getBoundingClientRect().left))].length")
    colours = tab.eval("[...new Set([...document.querySelectorAll('.lane-head')].map(n => getComputedStyle(n).borderBottomColor))].length")
    checks.hold(lefts == 6 and colours == 6, "%s: %d lanes, %d colours" % (name, lefts, colours))


def check_editor(checks, tab, name):
    tab.key("f")
    href = tab.eval("(document.querySelector('.where a') || {}).href || ''")
    checks.hold(href.startswith("vscode://file/") and href.endswith("real.c:41"), "%s: the editor's link is '%s'" % (name, href))


OWN_CHECKS = {"deadlock": check_deadlock, "bank": check_bank, "real": check_editor}


def check_session(checks, tab, name):
    """All that is folded away."""
    tab.eval("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    tab.settle()
    check_look(checks, tab, name + " unfolded")
    for part in (".lanes .card", ".plot .curve", ".code-line.part", ".code-line.none", ".code-line.full", ".table td"):
        checks.hold(tab.eval("document.querySelectorAll('%s').length" % part) > 0, "%s: no %s" % (name, part))


def check_speed(checks, tab, path):
    ms, size = tab.settle(), os.path.getsize(path)
    print("%s: drawn after %d ms, %.2f MB" % (os.path.basename(path), ms, size / 1e6))
    checks.times.append(ms)
    checks.hold(size < MOST_BYTES, "%s has %d bytes" % (path, size))
    # However long the run is, only what is in view is there.
    n_nodes = tab.eval("document.querySelectorAll('*').length")
    checks.hold(n_nodes < 6000, "%s: %d nodes" % (path, n_nodes))


def real_page(treadle, work):
    """What a user gets for examples/bank."""
    def call(*words):
        return subprocess.run(words, cwd=work, capture_output=True, text=True, timeout=120)
    shutil.copy(os.path.join(ROOT, "examples", "bank", "bank.c"), os.path.join(work, "real.c"))
    call(treadle, "cc", "-g", "-pthread", "real.c", "-o", "real")
    call(treadle, "run", "--out=out", "./real", "30", "71")
    found = [f for f in os.listdir(os.path.join(work, "out")) if f.endswith(".treadle")]
    return os.path.join(work, call(treadle, "show", "--html", "--editor=vscode", "out/" + found[0]).stdout.strip())


def make_pages(treadle, tool, work, only):
    """name -> path of an HTML file"""
    made, kept = {}, []
    for name, make in pages.PAGES.items():
        source, out = os.path.join(work, name + ".json"), os.path.join(work, name + ".html")
        with open(source, "w", encoding="utf-8") as f:
            json.dump(make(), f)
        subprocess.run([tool, "finding", out, source], check=True, timeout=60)
        made[name] = out
        kept.append(source)
    bank = os.path.join(work, "bank.c")
    with open(bank, "w", encoding="utf-8") as f:
        f.write(pages.BANK)
    made["real"] = real_page(treadle, work)
    made["session"] = os.path.join(work, "session.html")
    subprocess.run([tool, "session", made["session"], bank, kept[0], kept[1], kept[2]], check=True, timeout=60)
    return {n: p for n, p in made.items() if not only or n in only}


def visit(chrome, checks, args, name, path):
    for size, (width, height) in SIZES.items():
        for dark in (False, True):
            view = "%s-%s-%s" % (name, size, "dark" if dark else "light")
            tab = browser.Tab(chrome, "file://" + path, width, height, dark)
            if name == "many":
                check_speed(checks, tab, path)
            check_look(checks, tab, view)
            if args.keep:
                keep(tab, args, view, width)
            if name in OWN_CHECKS:
                OWN_CHECKS[name](checks, tab, view)
            if name == "six" and size == "desktop":
                check_lanes(checks, tab, view)
            # Colours have nothing to do with keys: each is tried once.
            if name == "session" and dark == (size == "phone"):
                check_session(checks, tab, view)
                if args.keep:
                    keep(tab, args, view + "-unfolded", width)
            elif name != "empty" and dark == (size == "phone"):
                check_use(checks, tab, view)
            tab.close()


def keep(tab, args, view, width):
    if args.whole:
        height = min(4000, tab.eval("document.documentElement.scrollHeight"))
        tab.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        tab.settle()
    tab.screenshot(os.path.join(args.keep, view + ".png"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("treadle")
    parser.add_argument("--tool", default="./pagehtml")
    parser.add_argument("--keep")
    parser.add_argument("--only", default="")
    parser.add_argument("--whole", action="store_true")
    args = parser.parse_args()
    path = browser.find()
    if path is None:
        print("there is no Chromium: skipped")
        return 77
    if args.keep:
        os.makedirs(args.keep, exist_ok=True)
    checks, work = Checks(), tempfile.mkdtemp(prefix="treadle-html.")
    chrome = browser.Browser(path)
    try:
        for name, html in make_pages(os.path.abspath(args.treadle), args.tool, work, set(filter(None, args.only.split(",")))).items():
            visit(chrome, checks, args, name, html)
    finally:
        chrome.close()
        shutil.rmtree(work, ignore_errors=True)
    # A busy machine can make any one of them late.
    if checks.times:
        checks.hold(min(checks.times) < MOST_MS, "the long page took %d ms" % min(checks.times))
    print("%d failures" % len(checks.failures))
    return 1 if checks.failures else 0


if __name__ == "__main__":
    sys.exit(main())
