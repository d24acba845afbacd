"""numba, and what of it kernels are made with: imported when the first is called, by `kernels.binder.compiler`."""

from collections.abc import Hashable
from functools import cache
from typing import Any

import llvmlite.binding as llvm
from numba import njit, types
from numba.core import typed_passes, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager
from numba.extending import NativeValue, models, overload, register_jitable, register_model, unbox

from quatviz.kernels.cache import KernelCache

__all__ = [
    "ConstantType",
    "InlineCompiler",
    "KernelCache",
    "constant_type",
    "njit",
    "overload",
    "register_jitable",
]

_PASSES: Any = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.DeadBranchPrune,
    untyped_passes.GenericRewrites,
    untyped_passes.ReconstructSSA,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.AnnotateTypes,
    typed_passes.NativeLowering,
    typed_passes.NoPythonBackend,
)
"""What is done for a function of scalars and tuples. numba's own list also looks for closures, expressions of arrays, `with`,
`literal_unroll` and functions that are inlined as text, of which there are none here: a fourteenth of the time."""
_ENVIRONMENT = "_ZN08NumbaEnv"
"""How numba begins the names of the variables in which compiled functions find what they need of Python."""


class InlineCompiler(CompilerBase):
    """Compiles what kernels call: the program's own by the passes that it needs, that of packages and scripts by all."""

    def define_pipelines(self) -> list[Any]:
        state = self.state
        state.library = InlinedLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        if str(state.func_id.modname).partition(".")[0] != __name__.partition(".")[0]:
            return [DefaultPassBuilder.define_nopython_pipeline(state)]
        passes = PassManager("kernel")
        for each in _PASSES:
            passes.add_pass(each, each.__name__)
        passes.finalize()
        return [passes]


class InlinedLibrary(JITCodeLibrary):
    """A function that is compiled into those that call it, and becomes machine code there alone: numba makes it of each by
    itself too, which nobody calls. It is optimised before, for its caller may have it in it several times."""

    def _finalize_final_module(self) -> None:
        """Nothing of it is at hand but the variables that numba sets."""
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        names = [each.name for each in self._final_module.global_variables]
        lines = [f"@{name} = common global i8* null" for name in names if name.startswith(_ENVIRONMENT)]
        self._codegen._add_module(llvm.parse_assembly("\n".join(lines)))
        self._finalized = True


class ConstantType(types.Type):
    """numba's type of a value that is a constant of the kernels that are compiled for it: each has its own, by its text."""

    def __init__(self, value: Any) -> None:
        self.value = value
        self.instance_class = type(value)
        super().__init__(name=f"{type(value).__name__}({value})")


register_model(ConstantType)(models.OpaqueModel)


@unbox(ConstantType)
def _unbox(kind, value, context):
    return NativeValue(context.context.get_dummy_value())


@cache
def constant_type(value: Hashable) -> ConstantType:
    """Remembered, for every call of a kernel asks for it."""
    return ConstantType(value)
