"""Machine code of a program in this process, through llvmlite; no C compiler is needed.

Source: LLVM's MCJIT by way of llvmlite. Verified in tests/systems/symbolic/test_symbolic_code.py.
"""

import ctypes
import hashlib
from dataclasses import dataclass

import llvmlite
import llvmlite.binding as llvm
import numpy as np

from flexwheel.systems.symbolic.emit_llvm import emit_llvm

_ready = False


@dataclass(frozen=True)
class MachineCode:
    """Loaded kernels."""

    addresses: dict  # kernel name -> address of `void f(double *w)`
    engine: object  # keeps the code in memory

    def call(self, name, work):
        """Run one kernel on a work array (float64, aligned as `work_array` makes it)."""
        prototype = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
        prototype(self.addresses[name])(work.ctypes.data)


def work_array(size):
    """Zeroed work array of `size` doubles, aligned to 64 bytes."""
    raw = np.zeros(size + 8)
    skip = (-raw.ctypes.data // 8) % 8
    return raw[skip : skip + size]


def target_words():
    """What machine code depends on besides the program: one text."""
    _initialize()
    features = llvm.get_host_cpu_features().flatten()
    version = ".".join(map(str, llvm.llvm_version_info))
    return f"{llvm.get_default_triple()} {llvm.get_host_cpu_name()} {features} {version} {llvmlite.__version__}"


def object_key(*words):
    """Digest of texts: the key of a compiled object."""
    digest = hashlib.sha256()
    for word in words:
        data = word if isinstance(word, bytes) else word.encode("utf-8")
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()


def compile_program(program, fused=True, level=1):
    """Relocatable object of all kernels.

    Parameters
    ----------
    program : Program
    fused : bool      multiply-add contraction allowed
    level : int       code generator's effort, 0 to 3

    Returns
    -------
    bytes
    """
    _initialize()
    text = emit_llvm(program, fused, opaque_pointers=llvm.llvm_version_info[0] >= 16)
    module = llvm.parse_assembly(text)
    return _machine(level).emit_object(module)


def load_machine_code(code, names) -> MachineCode:
    """Bring an object into the process.

    Parameters
    ----------
    code : bytes           from `compile_program`
    names : list of str    kernels wanted
    """
    _initialize()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine(0))
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return MachineCode({name: engine.get_function_address(name) for name in names}, engine)


def _initialize():
    global _ready
    if not _ready:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        _ready = True


def _machine(level):
    features = llvm.get_host_cpu_features().flatten()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(opt=level, cpu=llvm.get_host_cpu_name(), features=features)
