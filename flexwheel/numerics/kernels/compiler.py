"""How numba is driven: machine code is made once, of the kernel that Python or an address calls.

numba makes machine code of every function it compiles, with a wrapper for Python, and takes the optimised code of a
callee into each of its callers, where it is optimised again. Here a kernel that another kernel asks for is typed and
lowered, no more (`InnerLibrary`). A kernel called from Python or by address takes in the code of all that it reaches
(`RootLibrary`); that is optimised, turned into machine code and kept. Garbage is not collected meanwhile, and seldom
between kernels.
"""

import gc
import threading
from contextlib import ExitStack, contextmanager

from llvmlite.binding import Linkage
from numba.core import postproc
from numba.core.caching import NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags
from numba.core.compiler_lock import global_compiler_lock
from numba.core.inline_closurecall import InlineWorker
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NopythonRewrites
from numba.core.types import BaseFunction

from flexwheel.numerics.kernels.cache import one_at_a_time

_NOT_KEPT = NullCache()


class _Asking(threading.local):
    kernel = False  # whether it is a kernel that asks for another, not Python


_asking = _Asking()


@contextmanager
def _asked_by(kernel):
    before, _asking.kernel = _asking.kernel, kernel
    try:
        yield
    finally:
        _asking.kernel = before


def _with_room(call, *arguments):
    """call(*arguments), with room for the frames of what it calls.

    Python keeps frames in pieces of 16 kB, and takes a piece from the system and gives it back whenever calls cross its
    end: of a first run 600,000 times, 6 s. A piece is twice as large as a frame that needs more.
    """
    return call(*arguments)


_with_room.__code__ = _with_room.__code__.replace(co_stacksize=2**16)


class KernelDispatcher(CPUDispatcher):
    """A kernel, as `Dispatcher` of numba."""

    def get_call_template(self, args, kws):
        with _asked_by(True):
            return super().get_call_template(args, kws)

    def compile(self, sig):
        if _asking.kernel:
            kept, self._cache = self._cache, _NOT_KEPT
            try:
                return super().compile(sig)
            finally:
                self._cache = kept
        found = self.overloads.get(tuple(sig))
        if found is not None:
            if not isinstance(found.library, InnerLibrary):
                return found.entry_point
            del self.overloads[tuple(sig)]
        with one_at_a_time(self), _work_kept():
            return _with_room(super().compile, sig)

    def typeof_pyval(self, val):
        return getattr(val, "_numba_type_", None) or super().typeof_pyval(val)  # a handle's; numba would ask it last

    def add_overload(self, cres):
        if isinstance(cres.library, InnerLibrary):  # nothing that Python could call
            self.overloads[tuple(cres.signature.args)] = cres
        else:
            super().add_overload(cres)

    def _get_dispatcher_for_current_target(self):
        return self


_signatures = {}  # (function, context, arguments): with what they stand for, so that no other object gets their place
_pasted = {}  # function: its code as numba's first passes leave it


def _signature_once(plain):
    def get_call_type(function, context, args, kws):
        if kws:
            return plain(function, context, args, kws)
        asked = id(function), id(context), tuple(args)
        if asked not in _signatures:
            _signatures[asked] = function, context, plain(function, context, args, kws)
        return _signatures[asked][2]

    return get_call_type


def _first_passes_once(plain):
    def run_untyped_passes(worker, function, enable_ssa=False):
        if enable_ssa or function.__closure__:
            return plain(worker, function, enable_ssa)
        if function not in _pasted:
            _pasted[function] = plain(worker, function)
        return _pasted[function]

    return run_untyped_passes


def _without_live_variables(plain):
    def run(processor, emit_dels=False, extend_lifetimes=False):
        code = processor.func_ir
        if emit_dels or code.is_generator:
            return plain(processor, emit_dels, extend_lifetimes)
        code.blocks = postproc.transforms.canonicalize_cfg(code.blocks)
        code.variable_lifetime, code.generator_info = postproc.VariableLifetime(code.blocks), None

    return run


_ONCE = (
    (BaseFunction, "get_call_type", _signature_once),
    (InlineWorker, "run_untyped_passes", _first_passes_once),
    (postproc.PostProcessor, "run", _without_live_variables),
)
_MOST_WAITING = 4_000_000  # objects that compilation leaves, circles among them: some 300 MB
_waiting = [0]


def _enable_collection():
    """Collect garbage again, but not at once, which takes a tenth of the compilation: what there is counts as old."""
    _waiting[0] += gc.get_count()[0]
    if _waiting[0] > _MOST_WAITING:
        _waiting[0] = 0
        gc.collect()
    elif gc.get_freeze_count() == 0:
        gc.freeze()
        gc.unfreeze()
    gc.enable()


@contextmanager
def _work_kept():
    """numba tries a function's implementations one by one, analyses a function that is pasted anew at every call and
    finds, behind every pass, the variables that generators and objects of Python need; and Python looks for garbage.
    Whoever pastes a function's code takes a copy."""
    with global_compiler_lock, ExitStack() as stack:
        if gc.isenabled():
            gc.disable()
            stack.callback(_enable_collection)
        for owner, name, once in _ONCE:
            plain = getattr(owner, name)
            stack.callback(setattr, owner, name, plain)
            setattr(owner, name, once(plain))
        yield


class KernelCompiler(Compiler):
    """numba's compiler with the library that a kernel's caller calls for."""

    def __init__(self, typingctx, targetctx, library, args, return_type, flags, locals):
        library = (InnerLibrary if _asking.kernel else RootLibrary)(targetctx.codegen(), "kernel")
        library.enable_object_caching()
        flags = _KernelFlags(flags)
        if _asking.kernel:
            flags.no_cpython_wrapper = True
        super().__init__(typingctx, targetctx, library, args, return_type, flags, locals)

    def define_pipelines(self):
        (pipeline,) = super().define_pipelines()
        pipeline.passes = [each for each in pipeline.passes if each[0] is not NopythonRewrites]  # of arrays it makes
        return [pipeline]


class _Library(JITCodeLibrary):
    """A library that makes no machine code of its callees."""

    def reached(self):
        """Libraries of all kernels and functions that this one calls, directly or through kernels; callers first."""
        found, waiting = {}, [self]
        while waiting:
            for library in waiting.pop()._linking_libraries:
                if library not in found:
                    found[library] = None
                    if isinstance(library, InnerLibrary):
                        waiting.append(library)
        return found

    def take_in(self, module):
        """Link the code of all that is reached into a module; names of the kernels' functions among it."""
        names = []
        for library in self.reached():
            inner = isinstance(library, InnerLibrary)
            code = library._final_module if inner else library._get_module_for_linking()
            names += _exported(code) if inner else []
            module.link_in(code, preserve=True)
        return names

    def _optimize_functions(self, ll_module):
        ll_module.data_layout = self._codegen._data_layout  # once, with all that is taken in


class InnerLibrary(_Library):
    """Code of one kernel for its callers, not optimised and without that of the kernels it calls."""

    @property
    def codegen(self):
        return _NoEnvironment(self._codegen)

    def finalize(self):
        self._finalized = True

    def get_pointer_to_function(self, name):
        self._ensure_finalized()
        return 0

    def _get_module_for_linking(self):
        """For a caller that numba compiles in its own way: with all that is reached."""
        module = self._final_module.clone()
        self.take_in(module)
        for name in _exported(module):
            module.get_function(name).linkage = Linkage.linkonce_odr
        return module


class RootLibrary(_Library):
    """Code of one kernel with that of all it reaches, and machine code."""

    def finalize(self):
        for name in self.take_in(self._final_module):
            self._final_module.get_function(name).linkage = Linkage.internal
        self._linking_libraries = []
        super().finalize()

    def _optimize_final_module(self):
        passes, builder = self._codegen._module_pass_manager()  # numba's first ones are for counts of references
        passes.run(self._final_module, builder)


def _exported(module):
    return [f.name for f in module.functions if not f.is_declaration and f.linkage == Linkage.external]


class _NoEnvironment:
    """Codegen of a library without machine code: no place for the environment that objects of Python would need."""

    def __init__(self, codegen):
        self._codegen = codegen

    def __getattr__(self, name):
        return getattr(self._codegen, name)

    def set_env(self, env_name, env):
        pass


class _KernelFlags(Flags):
    """Compiler flags; a copy, which numba makes to look up implementations by, is one object for equal flags."""

    _copies = {}

    def copy(self):
        text = repr(self)
        if text not in self._copies:
            self._copies[text] = _FixedFlags(self)
            self._copies[text].digest = hash(text)
        return self._copies[text]


class _FixedFlags(Flags):
    """numba hashes the names of the flags, which are always the same, and compares forty values at every look-up."""

    def __hash__(self):
        return self.digest

    def __eq__(self, other):
        return self is other if isinstance(other, _FixedFlags) else super().__eq__(other)

    def copy(self):
        return Flags(self)
