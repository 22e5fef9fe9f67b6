"""A report as PDF: the HTML file printed by a browser of this machine, so that there is one layout."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from flexwheel.base.errors import FlexwheelError

BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "msedge",
)
PATIENCE = 180.0  # [s]
SETTLE = 15_000  # [ms] of the page's own clock for its figures


def browser():
    """Path of a browser that prints without a window.

    Raises
    ------
    FlexwheelError      none: how to print from any browser
    """
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise FlexwheelError(
            "--pdf: no chromium, chrome or edge is on PATH; leave --pdf out, open the HTML file in any browser and "
            "print it to a file (A4, 'Save as PDF')"
        )
    return found


def printed(program, page, target):
    """Print an HTML file into a PDF file.

    Raises
    ------
    FlexwheelError      the browser fails, takes too long or writes nothing
    """
    with tempfile.TemporaryDirectory(prefix="flexwheel-print-") as folder:
        made = Path(folder) / "report.pdf"
        words = [program, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile",
                 f"--virtual-time-budget={SETTLE}", "--no-pdf-header-footer", f"--print-to-pdf={made}",
                 Path(page).resolve().as_uri()]  # fmt: skip
        try:
            done = subprocess.run(words, capture_output=True, timeout=PATIENCE)
        except (subprocess.TimeoutExpired, OSError) as error:
            why = f"did not print within {PATIENCE:g} s" if isinstance(error, subprocess.TimeoutExpired) else error
            raise FlexwheelError(f"--pdf: {program}: {why}; {page} is written: print it in a browser") from None
        if not made.is_file() or not made.read_bytes().startswith(b"%PDF"):
            tail = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
            raise FlexwheelError(f"--pdf: {program} wrote no PDF: {' '.join(tail)[:200]}")
        shutil.copyfile(made, target)
