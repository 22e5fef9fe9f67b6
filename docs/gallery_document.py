"""The pictures of docs/gallery.md from the code that stands beside them: python docs/gallery_document.py [NAME ..].

The page is the source: its blocks of code run in their order in one folder (--work), commands as commands, Python as
Python; a block below a picture has to make a file of the picture's name, which goes, with few colours, to
docs/images/gallery. With names only these are drawn, from the runs that an earlier call left in the folder.
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import NamedTuple

PAGE = Path(__file__).resolve().with_name("gallery.md")
PICTURES = PAGE.parent / "images" / "gallery"
BLOCK = re.compile(r"^!\[[^\]]*\]\(images/gallery/([\w.]+)\)|^```(python|text)\n(.*?)^```", re.S | re.M)
WIDTH, COLOURS = 900, 256  # [pixel] and number of a stored picture


class Entry(NamedTuple):
    """A block of code and the file name of the picture above it, "" for a run."""

    picture: str
    kind: str  # python or text
    code: str


def entries(text=None):
    """Entries of the page, in their order."""
    found, picture = [], ""
    for match in BLOCK.finditer(PAGE.read_text(encoding="utf-8") if text is None else text):
        if match.group(1):
            picture = match.group(1)
        else:
            found.append(Entry(picture, match.group(2), match.group(3)))
            picture = ""
    return found


def make(entry, work):
    """Run an entry in a folder; returns the picture's file there, None of a run."""
    if entry.kind == "python":
        subprocess.run([sys.executable, "-c", entry.code], cwd=work, check=True, env=os.environ | {"MPLBACKEND": "agg"})
    else:
        program = str(Path(sysconfig.get_path("scripts")) / "flexwheel")
        for line in entry.code.replace("\\\n", " ").splitlines():
            name, *words = shlex.split(line)
            assert name == "flexwheel", line
            subprocess.run([program, *words], cwd=work, check=True, stdout=subprocess.DEVNULL)
    if not entry.picture:
        return None
    return max(Path(work).rglob(entry.picture), key=lambda file: file.stat().st_mtime)


def store(picture, folder):
    """Write a picture with few pixels and colours into a folder."""
    from PIL import Image

    with Image.open(picture) as image:
        plain = image.convert("RGB")
        if plain.width > WIDTH:
            plain = plain.resize((WIDTH, round(plain.height * WIDTH / plain.width)), Image.Resampling.LANCZOS)
        few = plain.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        few.save(folder / picture.name, optimize=True)


def main(arguments=None):
    """Draw the pictures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="pictures, without their ending; default: the runs and all pictures")
    parser.add_argument("--work", type=Path, default=Path("out/gallery"), help="folder that the code runs in")
    parser.add_argument("--pictures", type=Path, default=PICTURES, help="folder that takes the pictures")
    options = parser.parse_args(arguments)
    for folder in (options.work, options.pictures):
        folder.mkdir(parents=True, exist_ok=True)
    for entry in entries():
        if not options.names or Path(entry.picture).stem in options.names:
            if (picture := make(entry, options.work)) is not None:
                store(picture, options.pictures)
            print(entry.picture or "run", flush=True)


if __name__ == "__main__":
    main()
