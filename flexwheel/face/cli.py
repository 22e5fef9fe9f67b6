"""The command line: turns every end of a command into an exit code and at most one line.

Nothing heavy is imported before `main` holds Ctrl-C.
"""

import os
import signal
import sys

from flexwheel.base.capacity import collect_seldom
from flexwheel.base.errors import FlexwheelError

EXIT_BUG = 1
EXIT_ERROR = 2
EXIT_INTERRUPTED = 130
LONGEST = 2000  # characters of a message


def make_app():
    """Typer application with every command of flexwheel/commands."""
    from flexwheel.face import app

    return app.make_app()


def main(arguments=None):
    """Run the command line; ends the process with one line and one of these codes where it is not 0.

    2 for an error, 130 after Ctrl-C, 128 + signal after SIGTERM or SIGHUP (143, 129), whatever could still be saved
    then, and 1 for an error of the program itself; FLEXWHEEL_DEBUG=1 shows the traceback of that.
    """
    # matrices are small: threads that wait for each other took five times the CPU time of one, and longer
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    collect_seldom()
    if hasattr(sys.stdout, "reconfigure"):  # a console need not know every letter of a file's name
        sys.stdout.reconfigure(errors="backslashreplace")
    for name in ("stdout", "stderr"):
        if (stream := getattr(sys, name)) is not None and stream.isatty():
            from flexwheel.face.terminal import FittedStream

            setattr(sys, name, FittedStream(stream))
    try:
        message, code = _ended(arguments)
    except KeyboardInterrupt:
        message, code = "interrupted", EXIT_INTERRUPTED
    if message:
        print(f"flexwheel: {_one_line(message)}", file=sys.stderr)
    if code:
        sys.exit(code)


def _ended(arguments):
    """As `_outcome`, with SIGTERM and SIGHUP taken as Ctrl-C and told apart in the end."""
    from flexwheel.run.interrupts import raised_again, termination_as_interrupt

    with termination_as_interrupt() as came:
        try:
            with raised_again() as lost:
                try:
                    message, code = _outcome(arguments)
                except Exception:  # shown by FLEXWHEEL_DEBUG, but for what an interrupt within a library becomes
                    if not lost:
                        raise
                    message, code = "", EXIT_BUG
            if lost and code == EXIT_BUG:  # of a compilation that was interrupted
                message, code = "", EXIT_INTERRUPTED
        except KeyboardInterrupt as error:
            message, code = str(error), EXIT_INTERRUPTED
    if came:
        name = signal.Signals(came[-1]).name
        return f"ended by {name}" + (f": {message}" if message not in ("", name) else ""), 128 + came[-1]
    return ("interrupted" if code == EXIT_INTERRUPTED else message), code


def _outcome(arguments):
    """Message for standard error, and exit code."""
    try:
        code = make_app()(args=arguments, prog_name="flexwheel", standalone_mode=False)
    except FlexwheelError as error:
        return str(error), EXIT_ERROR
    except MemoryError as error:
        return f"not enough memory{f': {error}' if str(error) else ''}", EXIT_ERROR
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return "", EXIT_ERROR
    except OSError as error:
        return ": ".join(str(part) for part in (error.filename, error.strerror or error) if part), EXIT_ERROR
    except Exception as error:
        if hasattr(error, "format_message"):  # typer's usage errors have it, wherever typer keeps their class
            return error.format_message(), EXIT_ERROR
        if isinstance(error, RuntimeError) and str(error).startswith("NetCDF: "):  # while its values were read
            return f"a netCDF file cannot be read, it is damaged: {error}", EXIT_ERROR
        if os.environ.get("FLEXWHEEL_DEBUG"):
            raise
        what = f"{type(error).__name__}: {error}"
        return f"internal error: {what}; please report it with the input (FLEXWHEEL_DEBUG=1 shows where)", EXIT_BUG
    return "", code if isinstance(code, int) else 0


def _one_line(message):
    """Words of a message in one line, at most LONGEST characters, nothing in it that steers a terminal."""
    line = " ".join("".join(c if c.isprintable() or c.isspace() else "?" for c in message).split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 3]}..."


if __name__ == "__main__":
    main()
