"""Output at 80 columns: no word or figure is broken or lost, tables come in parts with their labels."""

import io
import os
import re
import sys

import pytest

from flexwheel.face.cli import main
from flexwheel.face.terminal import FittedStream, fitted_line, fitted_table
from flexwheel.run import progress as module
from tests.run.test_progress import Clock

HEAD = f"{'stretch':30s}{'what':9s}{'of':20s}" + "".join(
    f"{name:>10s}" for name in ("mean", "0.15 %", "50 %", "99.85 %", "max", "at [m]")
)
ROWS = [
    f"{stretch:30s}{what:9s}{of:20s}" + "".join(f"{value:10.3f}" for value in values)
    for stretch, what, of, *values in (
        ("transition, 10 to 60 m", "sum Y", "front", -5.642, -8.72, -5.28, -3.432, -3.43, 37.2),
        ("transition, 10 to 60 m", "box z", "rear left axle box", 0.179, -2.296, 0.244, 2.873, 2.874, 26.5),
        ("arc, 60 to 260 m", "Q", "front right", 111.207, 108.824, 111.455, 114.288, 114.294, 138.2),
    )
]
TEXTS = [
    "as4_curve              AS4 railcar at 80 km/h through a 300 m curve, flexible front wheelset on flexible track",
    "manchester_s_curve     Manchester benchmark coach on an S-curve without transitions or cant",
]


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("width", [60, 80, 100])
def test_a_wide_table_keeps_every_figure_and_its_labels(width):
    lines = fitted_table([HEAD, *ROWS], width)
    assert max(map(len, lines)) <= width
    parts = [part.split("\n") for part in "\n".join(lines).split("\n\n")]
    assert len(parts) > 1 and all(len(part) == 4 for part in parts)
    for k, row in enumerate(ROWS, 1):
        figures = re.findall(r"-?\d+\.\d+", row)
        assert [f for part in parts for f in re.findall(r"-?\d+\.\d+", part[k])] == figures
        stretch = row[:30].strip()
        assert all(part[k].startswith(stretch) for part in parts)
    heads = " ".join(part[0] for part in parts)
    assert all(word in heads for word in ("mean", "0.15 %", "99.85 %", "at [m]"))


def test_a_last_column_of_words_is_folded_in_itself():
    lines = "\n".join(fitted_table(TEXTS, 70)).split("\n")
    assert max(map(len, lines)) <= 70
    assert [line[:20].strip() for line in lines] == ["as4_curve", "", "manchester_s_curve", ""]
    assert " ".join(line[20:].strip() for line in lines) == " ".join(text[23:] for text in TEXTS)


def test_what_fits_stays():
    narrow = [row[:79] for row in ROWS]
    assert fitted_table(narrow, 80) is narrow
    assert fitted_line("  short", 80) == "  short"
    held = '  "warnings": ["' + "word " * 40 + '"]'
    assert fitted_line(held, 80) == held  # JSON


def test_lines_fold_between_words_and_paths_stay_whole():
    text = "  warning: " + "some words on what was found, " * 5 + "/a/path/without/any/blank" * 5
    lines = fitted_line(text, 80).split("\n")
    assert " ".join(line.strip() for line in lines) == text.strip()
    assert all(line.startswith("    ") for line in lines[1:]) and max(map(len, lines[:-1])) <= 80


def test_the_stream_holds_a_table_until_it_ends(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    terminal = Terminal()
    stream = FittedStream(terminal)
    for row in (HEAD, *ROWS):
        print(row, file=stream)
    assert terminal.getvalue() == ""
    print("the end", file=stream)
    assert terminal.getvalue() == "\n".join([*fitted_table([HEAD, *ROWS], 80), "the end", ""])
    print("asked: ", end="", file=stream, flush=True)
    assert terminal.getvalue().endswith("the end\nasked: ") and stream.isatty()


def test_progress_on_a_terminal_is_one_line(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    clock, stream = Clock(), Terminal()
    monkeypatch.setattr(module, "time", clock)
    with module.progress("import and reduction", stream=stream, ticking=False) as report:
        for fraction in (0.1, 0.4, 0.9, 1.0):
            clock.now += 12.0
            report(fraction, "a note that is longer than what is left of the line at the edge of the terminal")
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "\n", stream.getvalue())
    shown = [line.strip() for line in re.split(r"[\r\n]", text) if "gone" in line]
    assert shown and "36 s gone, about 4 s left" in " ".join(shown) and not any("100 %" in line for line in shown)
    assert all(len(line) <= 80 for line in re.split(r"[\r\n]", text))
    whole = "a note that is longer than what is left of the line".split()
    ends = [line.rstrip("…").split(", ")[-1].split() for line in shown if "a note" in line]
    assert ends and all(words == whole[: len(words)] for words in ends)  # no word is broken


@pytest.mark.skipif(os.name == "nt", reason="no pseudo-terminal")
def test_a_command_at_80_columns():
    import fcntl
    import pty
    import struct
    import subprocess
    import termios

    command = [sys.executable, "-m", "flexwheel.face.cli", "profiles"]
    plain = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 80, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    with subprocess.Popen(command, stdout=slave, env=environment) as process:
        os.close(slave)
        found = b""
        while True:
            try:
                block = os.read(master, 65536)
            except OSError:
                break
            if not block:
                break
            found += block
    os.close(master)
    assert process.returncode == 0
    lines = found.decode().replace("\r\n", "\n").splitlines()
    assert max(map(len, plain.splitlines())) > 80 >= max(map(len, lines))
    assert " ".join(" ".join(lines).split()) == " ".join(plain.split())


def test_a_refusal_folds_between_words(monkeypatch):
    """80 columns; what goes elsewhere is one line."""
    name, said = "a_scenario_that_is_not_there.toml", []
    for stream in (Terminal(), io.StringIO()):
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setenv("COLUMNS", "80")
        with pytest.raises(SystemExit):
            main(["check", name])
        said.append(stream.getvalue().splitlines())
    folded, (whole,) = said
    assert len(whole) > 80 and len(folded) == 2 and max(map(len, folded)) <= 80
    assert " ".join(" ".join(folded).split()) == whole
