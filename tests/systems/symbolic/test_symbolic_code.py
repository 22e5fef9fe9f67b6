"""Generated machine code and C give what the expressions give, scalar and in lanes."""

import ctypes
import shutil
import subprocess

import numpy as np
import pytest

from flexwheel.systems.symbolic.atoms import Graph
from flexwheel.systems.symbolic.calculus import evaluate
from flexwheel.systems.symbolic.compiled_program import compile_program, load_machine_code, work_array
from flexwheel.systems.symbolic.emit_c import emit_c
from flexwheel.systems.symbolic.expression import cos, sin, sqrt, symbol, symbols
from flexwheel.systems.symbolic.program import LANES, PARAMETER_KERNEL, Program, WorkLayout

KERNELS = PARAMETER_KERNEL, "scalar", "vector", "gathered"
ROUNDING = 1e-13  # a few roundings, and fused operations


def a_program():
    g = Graph()
    x, y, p = symbols(g, "x y p")
    u, v = symbols(g, "u v")
    program = Program(g, WorkLayout())
    block = program.layout.block("in", 3)
    program.inputs([x, y, p], block)
    lanes = program.layout.block("lanes", 2, LANES)
    program.inputs([u, v], lanes)
    out = program.layout.block("out", 3)
    wide = program.layout.block("wide", 2, LANES)
    scalar = [sin(x) * cos(p) - y / (1.0 + p * p), -(sqrt(4.0 + x * x * y)), 0.0]
    vector = [u * v - 3.0 / (1.0 + v * v), -sqrt(1.0 + u * u)]
    program.kernel("scalar", [(out.at(k), e) for k, e in enumerate(scalar)])
    program.kernel("vector", [(wide.at(k), e) for k, e in enumerate(vector)], LANES)
    places = block.at(2), lanes.at(1) + 3, lanes.at(0), block.at(0)
    program.input(symbol(g, "w"), places)
    few = program.layout.block("few", 1, len(places))
    program.kernel("gathered", [(few.at(0), symbol(g, "w") * u)], lanes=len(places))
    program.precompute([p], ["scalar"])
    return program, scalar[:2], vector


def filled(program):
    rng = np.random.default_rng(3)
    work = work_array(program.layout.size)
    work[program.layout["in"].offset :][:3] = rng.uniform(0.2, 1.0, 3)
    work[program.layout["lanes"].offset :][: 2 * LANES] = rng.normal(size=2 * LANES)
    return work


def check(program, scalar, vector, work):
    values = dict(zip("xyp", work[program.layout["in"].offset :][:3], strict=True))
    assert work[program.layout["out"].offset :][:2] == pytest.approx(evaluate(scalar, values), rel=ROUNDING)
    lanes = work[program.layout["lanes"].offset :][: 2 * LANES].reshape(2, LANES)
    wide = work[program.layout["wide"].offset :][: 2 * LANES].reshape(2, LANES)
    for lane in range(LANES):
        expected = evaluate(vector, {"u": lanes[0, lane], "v": lanes[1, lane]})
        assert wide[:, lane] == pytest.approx(expected, rel=ROUNDING)
    gathered = np.array([values["p"], lanes[1, 3], lanes[0, 0], values["x"]])  # a place for each lane
    assert work[program.layout["few"].offset :][:4] == pytest.approx(gathered * lanes[0, :4], rel=ROUNDING)


@pytest.mark.parametrize("fused", [True, False])
def test_machine_code(fused):
    program, scalar, vector = a_program()
    code = load_machine_code(compile_program(program, fused), KERNELS)
    work = filled(program)
    for name in KERNELS:
        code.call(name, work)
    check(program, scalar, vector, work)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_c_source(tmp_path):
    program, scalar, vector = a_program()
    source, _ = emit_c(program)
    (tmp_path / "k.c").write_text(source)
    library = tmp_path / "k.so"
    flags = ["-std=c99", "-Wall", "-Werror", "-O1", "-shared", "-fPIC"]
    subprocess.run(["cc", *flags, str(tmp_path / "k.c"), "-o", str(library), "-lm"], check=True)
    loaded = ctypes.CDLL(str(library))
    work = filled(program)
    for name in KERNELS:
        getattr(loaded, name)(ctypes.c_void_p(work.ctypes.data))
    check(program, scalar, vector, work)


def test_symbol_without_place_is_named():
    g = Graph()
    x, stray = symbols(g, "x stray")
    program = Program(g, WorkLayout())
    program.inputs([x], program.layout.block("in", 1))
    program.kernel("f", [(0, x * stray)])
    with pytest.raises(KeyError, match="stray"):
        compile_program(program)
