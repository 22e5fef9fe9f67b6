"""python -P -m flexwheel.studies.fmi.process FOLDER: the vehicle of a functional mock-up unit, asked by standard input.

FOLDER is that of the unit's resources. Requests and replies: c_sources/model_process.c. Every value is of this
machine's order of bytes. The first reply, unasked, says that the vehicle is ready.
"""

import gc
import os
import struct
import sys
from pathlib import Path

SCENARIO = "scenario.toml"
DONE, PARTLY, REFUSED = 0, 1, 2


def main(folder):
    """Serve until the input ends."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy; threads that wait are a third of the start
    asked, told = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what is printed must not come between the replies

    def reply(outcome, text=b""):
        told.write(struct.pack("=BI", outcome, len(text)) + text)
        told.flush()

    vehicle = None
    gc.disable()
    try:
        from flexwheel.studies.fmi.held_vehicle import HeldVehicle

        vehicle = HeldVehicle(Path(folder) / SCENARIO)
        reply(DONE)
    except Exception as error:  # the importer has no other way to learn of it
        reply(REFUSED, _words(error))
    gc.freeze()  # what was imported and built stays
    gc.enable()
    while vehicle is not None and len(head := asked.read(5)) == 5:
        letter, size = struct.unpack("=cI", head)
        try:
            reply(*answered(vehicle, letter, asked.read(size)))
        except Exception as error:
            reply(REFUSED, _words(error))


def answered(vehicle, letter, body):
    """Outcome and bytes of the reply to a request."""
    import numpy as np

    if letter == b"g":
        return DONE, vehicle.get(np.frombuffer(body, np.uint32)).tobytes()
    if letter == b"s":
        count = len(body) // 12
        vehicle.set(np.frombuffer(body[: 4 * count], np.uint32), np.frombuffer(body[4 * count :], float))
        return DONE, b""
    if letter == b"n":
        done, why = vehicle.take(struct.unpack("=q", body)[0])
        return (PARTLY if why else DONE), struct.pack("=q", done) + why.encode()
    if letter == b"k":
        return DONE, vehicle.keep()
    if letter == b"p":
        vehicle.restore(body)
    if letter == b"b":
        vehicle.settle()
    if letter == b"r":
        vehicle.reset()
    return DONE, b""


def _words(error):
    return f"{type(error).__name__}: {error}".encode()


if __name__ == "__main__":
    main(sys.argv[1])
