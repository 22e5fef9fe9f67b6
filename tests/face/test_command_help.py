"""Every command: help within a screen, examples that parse, --json, --quiet, completion, no colours, exit codes."""

import json
import shlex
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from flexwheel.base.command import COMMANDS as DECLARED
from flexwheel.face.cli import main, make_app
from flexwheel.face.command.help_page import TOPICS
from tests.help_examples import prepare, quick_examples

APP = make_app()
GROUP = typer.main.get_command(APP)
COMMANDS = sorted(GROUP.commands)
LINES, WIDTH = 40, 80  # characters: what every terminal has
DOCS = Path(__file__).resolve().parents[2] / "docs" / "commands.md"


def invoke(*arguments, **environment):
    done = CliRunner().invoke(
        APP, list(arguments), env={"COLUMNS": str(WIDTH), "TERMINAL_WIDTH": str(WIDTH)} | environment
    )
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_fits_a_screen(name):
    text = invoke(*([name] if name else []), "--help")
    assert len(text.splitlines()) <= LINES
    assert "\x1b" not in text + invoke(*([name] if name else []), "--help", FORCE_COLOR="1", NO_COLOR="1")
    if not name:
        assert all(command in text for command in COMMANDS) and "Exit codes: 0 done, 2" in text
        assert "other" not in text.split("Commands:")[1], "a command without TOPIC"


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_options_and_documentation(name):
    declared = DECLARED[name]
    assert declared.topic in dict(TOPICS)
    text = invoke(name, "--help")
    assert declared.examples and "Examples:" in text
    command = GROUP.commands[name]
    for line in declared.examples:
        assert line in text
        program, called, *words = shlex.split(line)
        assert (program, called) == ("flexwheel", name)
        command.make_context(name, words)  # raises where an option is unknown or a value of the wrong kind
    options = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    assert {"--json", "--quiet"} <= options
    rare = set(declared.rare)
    assert rare <= options and not any(f"{option} " in text.split("Examples")[0] for option in rare)
    whole = invoke(name, "--help-all")
    assert all(option in whole for option in rare) and (rare or whole == text)
    assert f"`{name}" in DOCS.read_text(encoding="utf-8"), "docs/commands.md does not name it"


def test_quiet_prints_nothing_but_json(capsys):
    words = "--method", "linear", "--a-mm", "6", "--b-mm", "4", "--xi", "0.001"
    for more, expected in (((), True), (("--quiet",), False), (("-q", "--json"), True)):
        main(["creep", *words, *more])
        said = capsys.readouterr()
        assert bool(said.out) == expected and not said.err
    assert "force_x_n" in json.loads(said.out)


def test_json_where_it_was_missing(capsys, tmp_path):
    main(["examples", "--json"])
    assert json.loads(capsys.readouterr().out)["as4_curve"]
    main(["examples", "train_2", "--to", str(tmp_path), "--json"])
    copied = json.loads(capsys.readouterr().out)
    main(["examples", "train_2", "--to", str(tmp_path / "a b"), "--json"])
    assert Path(shlex.split(json.loads(capsys.readouterr().out)["run"])[2]).is_file()
    assert copied["run"].startswith("flexwheel run ") and all(Path(path).is_file() for path in copied["copied"])
    main(["schema", "--json"])
    assert "$schema" in json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shell_completion(monkeypatch, capsys, shell):
    monkeypatch.setenv("_FLEXWHEEL_COMPLETE", f"complete_{shell}")
    monkeypatch.setenv("COMP_WORDS", "flexwheel conv")
    monkeypatch.setenv("COMP_CWORD", "1")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "flexwheel conv")
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    with pytest.raises(SystemExit):
        main([])
    assert "converge" in capsys.readouterr().out


def test_exit_codes_are_documented():
    rows = DOCS.read_text(encoding="utf-8").split("| exit code | means |")[1].split("\n\n")[0]
    assert [code for code in ("0", "1", "2", "130", "143") if f"| {code}" not in rows] == []


@pytest.mark.parametrize("line", quick_examples())
def test_quick_examples_of_the_help_run(line, tmp_path, monkeypatch):
    """The others: `python -m tests.help_examples`."""
    prepare(tmp_path)
    monkeypatch.chdir(tmp_path)
    main(shlex.split(line)[1:])
