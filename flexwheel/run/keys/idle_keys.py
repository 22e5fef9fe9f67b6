"""Keys that nothing reads beside another key's value, such as a window's margin on a full-length track.

Each key's declaration says beside what it is read (`section.Only`). A key that a user gives in vain is refused; only
where an override (`--set track.model=rigid`) made it idle is it a warning, so that a file need not be stripped to try a
variant.
"""

from pydantic import BaseModel

from flexwheel.base.errors import ScenarioError
from flexwheel.run.keys.section import Only, Section


def idle_keys(scenario, given=True):
    """Keys that nothing reads.

    Parameters
    ----------
    scenario : Section      a whole scenario of any kind
    given : bool            only those that were given

    Returns
    -------
    list of (path, decides, text)    path is a tuple of str and int; text says beside what nothing reads the key
    """
    return list(_walk(scenario, scenario, (), (), given))


def idle_lines(scenario) -> list[str]:
    """A line for every value beside which given keys are idle."""
    lines = {}
    for path, _, text in idle_keys(scenario):
        lines.setdefault(text, []).append(".".join(str(part) for part in path))
    return [f"{', '.join(keys)}: {text}" for text, keys in lines.items()]


def refuse_idle(scenario, overrides, says):
    """Refuse a key that is idle whatever the overrides are, or that an override itself gives.

    Parameters
    ----------
    scenario : Section
    overrides : sequence of str      "key=value"
    says : callable(path, text)      sentence about a key, with file and line

    Raises
    ------
    ScenarioError
    """
    names = [override.partition("=")[0].strip() for override in overrides]
    for path, decides, text in idle_keys(scenario):
        key = ".".join(str(part) for part in path)
        own = any(_touch(key, name) for name in names)
        if own or not any(_touch(decides, name) for name in names):
            raise ScenarioError(says(path, f"is {text}"))


def rules_of(section: type[Section], name: str) -> list[Only]:
    """Rules of a key: its own, and that of its section unless the key is the one that decides there."""
    own = [item for item in section.model_fields[name].metadata if isinstance(item, Only)]
    whole = section.ONLY
    return own if whole is None or whole.decides == f".{name}" else [whole, *own]


def remedy(rule: Only, decides: str) -> str:
    """What to do for a key of the rule to be read; `decides` is its deciding key from the top."""
    return rule.remedy or f"set {decides} = {' or '.join(_shown(v) for v in rule.read)}"


def _walk(root, section, where, held, given):
    """Idle keys of a section; `held`: (deciding key, value, rule) of those that do not hold for the section itself."""
    for name in type(section).model_fields:
        if given and name not in section.model_fields_set:
            continue
        broken = held or tuple(_broken(root, section, where, name))
        yield from _inner(root, getattr(section, name), (*where, name), broken, given)


def _inner(root, value, where, broken, given):
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, tuple | list) else ()
    sections = [(key, item) for key, item in items if isinstance(item, Section)]
    if isinstance(value, Section):
        yield from _walk(root, value, where, broken, given)
    elif sections:
        for key, item in sections:
            yield from _walk(root, item, (*where, key), broken, given)
    elif broken and value != () and value not in broken[0][2].nothing:  # an empty list asks for nothing
        decides, found, rule = broken[0]
        yield where, decides, _text(rule, decides, found)


def _broken(root, section, where, name):
    """(deciding key, its value, rule) of every rule of a key that does not hold."""
    for rule in rules_of(type(section), name):
        if rule.decides.startswith("."):
            decides = ".".join(str(part) for part in where) + rule.decides if where else rule.decides[1:]
            value = getattr(section, rule.decides[1:])
        else:
            decides, value = rule.decides, root
            for part in rule.decides.split("."):
                value = getattr(value, part, _NONE)
        if value is _NONE or (rule.read(value) if callable(rule.read) else value in rule.read):
            continue
        yield decides, value, rule


_NONE = object()


def _text(rule, decides, value):
    word = "" if isinstance(value, BaseModel | dict | tuple) else f" = {_shown(value)}"
    if value is None:
        word = " left out"
    return f"not read with {decides}{word}; remove it, or {remedy(rule, decides)}"


def _shown(value):
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _touch(a, b):
    """Whether one of two dotted keys is the other or lies within it."""
    return a == b or a.startswith(b + ".") or b.startswith(a + ".")
