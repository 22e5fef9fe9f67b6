"""Functional mock-up units for tests, by the command line."""

from typer.testing import CliRunner

from flexwheel.face.cli import make_app


def written(path, example, fmi, settings):
    arguments = ["fmu", str(example), "--out", str(path), "--fmi", fmi, "--json"]
    done = CliRunner().invoke(make_app(), [*arguments, *(word for key in settings for word in ("--set", key))])
    assert done.exit_code == 0, done.output or done.exception
    return path
