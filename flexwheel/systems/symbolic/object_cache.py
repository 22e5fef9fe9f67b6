"""Compiled objects on disk, in a folder private to the user, checked by digest before they are loaded.

The folder is FLEXWHEEL_CACHE, else $XDG_CACHE_HOME/flexwheel, else ~/.cache/flexwheel, and in it `objects` with
access for its owner only. A file is one line of text (format, key, digest, length of the description) followed by a
JSON description and the object; the digest covers both. What is not a plain file of this owner, is open to
others, belongs to another key or has another digest is not loaded: it is made anew. Nothing is unpickled or evaluated.

Verified in tests/systems/symbolic/test_symbolic_cache.py.
"""

import hashlib
import json
import os
import tempfile
from pathlib import Path

from flexwheel.base.cache_root import cache_root, open_private, own_folder

FORMAT = "flexwheel-object-2"
LARGEST = 64 * 1024 * 1024


def object_folder():
    """Folder of compiled objects; it need not exist yet."""
    return cache_root() / "objects"


def load_object(key, folder=None):
    """(description, object) of a key.

    Returns
    -------
    (dict, bytes), or None when there is none that may be trusted
    """
    folder = Path(folder) if folder is not None else object_folder()
    try:
        with open_private(folder / f"{key}.obj") as stream:
            if os.fstat(stream.fileno()).st_size > LARGEST:
                return None
            head = stream.readline(400)
            body = stream.read(LARGEST)
        form, found, digest, length = head.decode("ascii").split()
        if form != FORMAT or found != key or digest != hashlib.sha256(body).hexdigest():
            return None
        description = json.loads(body[: int(length)].decode("utf-8"))
        return description, body[int(length) :]
    except (OSError, ValueError):
        return None


def save_object(key, description, code, folder=None):
    """Keep an object; returns whether it could be kept. The file appears whole or not at all."""
    folder = Path(folder) if folder is not None else object_folder()
    words = json.dumps(description).encode("utf-8")
    body = words + code
    head = f"{FORMAT} {key} {hashlib.sha256(body).hexdigest()} {len(words)}\n".encode("ascii")
    temporary = None
    try:
        own_folder(folder)
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=".", suffix=".part")
        with os.fdopen(handle, "wb") as stream:
            stream.write(head + body)
        os.replace(temporary, folder / f"{key}.obj")
        return True
    except OSError:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
        return False
