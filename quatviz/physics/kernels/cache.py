"""The cache of compiled kernels on disk. A kernel is never loaded after its source has changed.

numba's own cache checks only the file that defines a function, and its folder is a global setting of numba. Here each
function that Python calls has a `KernelCache`. The name of a kernel's file is a hash of everything that the kernel can
depend on: the types of its arguments, and the code of the modules that define these types and the function, with all
modules that they import. Modules are hashed as compiled code without docstrings, so that comments, docstrings and the
path of a checkout do not matter, and several checkouts share their kernels.

Kernels are in modules of their own, which import nothing else of quatviz: `kernel.py` in the folder of a formulation,
integrator or load, `_kernels` beside these folders, and this package. An edit of titles, help, messages or costs therefore
recompiles nothing.

Loading a kernel unpickles it, which can run any code. Therefore only files are loaded that nobody but this user and the
administrator can have written.

Importing this module changes nothing on disk. Writing a kernel creates the folder and deletes files that were not used
for a month.
"""

import contextlib
import dis
import hashlib
import importlib
import importlib.util
import inspect
import logging
import os
import pickle
import shutil
import stat
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.machinery import ModuleSpec
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import CodeType
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np
from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompileResult, compile_result
from numba.core.runtime import _nrt_python  # type: ignore[attr-defined]
from numba.core.serialize import dumps

from quatviz.base import resources
from quatviz.base.errors import InputError, phrase
from quatviz.base.registry import plugin_entry_points
from quatviz.physics.kernels.generated_modules import generated_code

log = logging.getLogger(__name__)

KERNEL_FAMILIES = ("formulations", "integrators", "loads")
"""Families of parts that have kernels, of quatviz and of plug-ins."""

_FORMAT = "3"
"""Version of the file format and of the file names. It is part of the hash."""
_MAX_UNUSED_DAYS = 30
_DIGEST_BYTES = 32
_MAX_KERNEL_BYTES = 1 << 26
"""Size [bytes] above which a file is not read. The largest kernels have a few hundred thousand bytes."""
_FILE_MODE = 0o644
"""Permissions of a kernel file, independent of the `umask`: only this user can write to it."""
_PROBE_BYTES = 1 << 20
"""Free space [bytes] that `prepare_folder` requires, which is enough for several kernels."""
_LOAD_CONST, _STORE_NAME, _IMPORT_NAME, _IMPORT_FROM = (
    dis.opmap[name] for name in ("LOAD_CONST", "STORE_NAME", "IMPORT_NAME", "IMPORT_FROM")
)
_CO_HAS_DOCSTRING = getattr(inspect, "CO_HAS_DOCSTRING", 0)
"""Flag with which Python 3.14 and later mark the code of functions that have a docstring; 0 in earlier
versions, where the first constant of a function is its docstring if it is text.
"""
_PROSE_NAMES = (
    "__doc__",
    "title",
    "summary",
    "source",
    "help",
    "action_text",
    "potential_text",
    "stabilised_by",
)
"""Class attributes that contain text for people. They are left out of the hash, since no kernel can depend on them."""


def folder() -> Path:
    """Return the user's folder of cached kernels, which may not exist yet."""
    return resources.kernel_folder()


def resolve_path(name: str) -> Path:
    """Return the path of a kernel file: in the user's folder if it exists there, otherwise in the folder
    shipped with the program if it exists there. If it does not exist yet, return the path in the user's
    folder where it would be created.
    """
    own, shipped = folder() / name, resources.shipped_kernel_folder()
    if shipped is None or own.exists() or not (shipped / name).exists():
        return own
    return shipped / name


def prepare_folder() -> Path:
    """Create the user's folder of cached kernels and return it.

    Raises
    ------
    InputError
        If the folder cannot be created, has too little free space for a kernel, or if other users own it or
        can write to it.
    """
    path = folder()
    try:
        _make_private_folder(path)
        if reason := _untrusted_reason(path.stat()):
            raise _untrusted_error(path, reason)
        probe = path / f".probe-{uuid.uuid4().hex}"
        try:
            probe.write_bytes(bytes(_PROBE_BYTES))
        finally:
            probe.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(
            phrase("the kernel cache {folder}", folder=path),
            expected="a folder that can be written, for compiled kernels",
            found=error.strerror or str(error),
            remedy="free some space and make it writable, or set the environment variable QUATVIZ_CACHE_DIR to another folder",
            topic="errors#kernel-cache",
        ) from error
    return path


@contextlib.contextmanager
def writable_cache() -> Iterator[InputError | None]:
    """Return a context in which kernels can be cached even if the user's folder of kernels cannot be written.

    In this case the process and its children use a temporary copy of the folder. The context yields the error that
    `prepare_folder` raised, or None if the folder can be written.
    """
    try:
        prepare_folder()
    except InputError as write_error:
        error, previous = write_error, os.environ.get(resources.CACHE_FOLDER_VARIABLE)
    else:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="quatviz-") as temporary:
        with contextlib.suppress(OSError):
            if not _untrusted_reason(folder().stat()):
                shutil.copytree(folder(), Path(temporary) / folder().name, copy_function=os.symlink)
        os.environ[resources.CACHE_FOLDER_VARIABLE] = temporary
        try:
            yield error
        finally:
            del os.environ[resources.CACHE_FOLDER_VARIABLE]
            if previous is not None:
                os.environ[resources.CACHE_FOLDER_VARIABLE] = previous


def cached_kernels() -> tuple[int, list[Path]]:
    """Return the number of kernel files and a list of the damaged ones, which are compiled again when needed."""
    folders = (folder(), resources.shipped_kernel_folder())
    names = {
        path.name for kernel_dir in folders if kernel_dir is not None for path in kernel_dir.glob("*.kernel")
    }
    return len(names), [path for path in map(resolve_path, sorted(names)) if _read(path) is None]


def require_compiler() -> None:
    """Raise `InputError` if numba is configured not to compile, since kernels are selected at compile time."""
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        raise InputError(
            "the environment variable NUMBA_DISABLE_JIT",
            expected="compilation by numba enabled, since kernels are selected at compile time",
            found="compilation disabled",
            remedy="unset that variable",
            topic="errors#kernel-cache",
        )


def import_compiler() -> None:
    """Import everything that numba needs to compile.

    Otherwise numba would import it at the first compilation.
    """
    from numba.core.registry import cpu_target

    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()


class KernelCache:
    """The cache of one function on disk. It replaces numba's own cache and has the five methods that a numba
    dispatcher calls.

    A file is written completely or not at all, and has a checksum: damaged files are compiled again. Processes that
    write the same kernel write the same file.

    The names of the external symbols that a kernel calls are stored with it. If all of them are available in the
    process, the kernel is loaded without the modules with which numba compiles, whose import takes half a second.

    Parameters
    ----------
    function
        The function that is compiled.
    modules_of
        Function that returns, for the type of an argument, the names of the modules of the kernels that this type selects.
    modules
        Names of further modules whose functions `function` uses.
    names
        Names of the functions in `modules` that `function` uses.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        modules_of: Callable[[type], Iterable[str]],
        modules: Iterable[str] = (),
        names: Iterable[str] = (),
    ) -> None:
        self._function = function
        self._modules_of = modules_of
        self._names = tuple(names)
        self._modules = {function.__module__, *modules}

    @property
    def cache_path(self) -> str:
        return str(folder())

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Return the kernel for these types of arguments, or None if it must be compiled."""
        path = self.path_of(signature)
        if path is None:
            return None
        data = _read(path)
        if data is None:
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        symbols, kernel = pickle.loads(data)
        _register_runtime()
        if not all(map(llvm.address_of_symbol, symbols)):
            target_context.refresh()
        return _load(target_context, *kernel)

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Write a kernel that was just compiled. If the file cannot be written, log a warning and go on without it."""
        path, kernel_dir = self.path_of(signature), folder()
        if path is None or compiled.library.has_dynamic_globals or compiled.lifted:
            return
        try:
            _make_private_folder(kernel_dir)
            _write(kernel_dir / path.name, dumps((_external_symbols(compiled.library), compiled._reduce())))
            _delete_unused()
        except OSError as error:
            _warn_unwritable(kernel_dir, error.strerror or str(error))

    def enable(self) -> None:
        """Do nothing: the cache is always enabled."""

    def disable(self) -> None:
        """Do nothing: the cache is always enabled."""

    def flush(self) -> None:
        """Do nothing: there is no state in memory."""

    def path_of(self, signature: Any) -> Path | None:
        """Return the path of the kernel for these argument types, see `resolve_path`.

        Return None if a type is not defined in a module that can be imported, as in a notebook.
        """
        arguments = getattr(signature, "args", signature)
        classes = sorted(
            set(_argument_classes(arguments)), key=lambda cls: (cls.__module__, cls.__qualname__)
        )
        name = f"{self._function.__module__}.{self._function.__qualname__}"
        modules = self._modules.union(*(self._modules_of(cls) for cls in classes))
        code = fingerprint(modules)
        if code is None:
            return None
        key = [
            name,
            code,
            str(arguments),
            *self._names,
            *(f"{cls.__module__}.{cls.__qualname__}" for cls in classes),
        ]
        return resolve_path(f"{name}-{hashlib.sha256('|'.join(key).encode()).hexdigest()[:40]}.kernel")


@cache
def _register_runtime() -> None:
    """Give LLVM the addresses of numba's runtime functions, which loaded kernels call.

    numba's own initialization does this too, but it also compiles functions that only newly compiled kernels need, and
    reads 25 MB of the compiler into memory. It runs when the first kernel is compiled.
    """
    for name, address in _nrt_python.c_helpers.items():
        llvm.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)


class _LoadedLibrary(JITCodeLibrary):
    """Machine code of a kernel from the cache.

    The LLVM code of the kernel is parsed only if a function that calls the kernel is compiled. numba parses it whenever it
    loads a kernel, which takes four fifths of the time and of the memory.
    """

    def __init__(self, codegen: Any, name: str, object_code: bytes, bitcode: bytes, fndesc: Any) -> None:
        super().__init__(codegen, name)
        self._bitcode = bitcode
        self.enable_object_caching()
        self._set_compiled_object(object_code)
        self._finalize_final_module()
        names = (
            fndesc.llvm_func_name,
            fndesc.llvm_cpython_wrapper_name,
            fndesc.llvm_cfunc_wrapper_name,
            fndesc.env_name,
        )
        codegen._engine._defined_symbols.update(name for name in names if name.encode() in object_code)

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None:
            self._shared_module = llvm.parse_bitcode(self._bitcode)
            self._codegen._engine._load_defined_symbols(self._shared_module)
        return self._shared_module


def _load(
    target_context: Any,
    library_data: tuple[str, str, tuple[bytes, bytes]],
    fndesc: Any,
    environment: Any,
    signature: Any,
    objectmode: bool,
    lifted: Any,
    type_annotation: Any,
    reload_init: Any,
    referenced_envs: Any,
) -> CompileResult:
    """Return the kernel that numba's `CompileResult._reduce` has divided into these arguments.

    The function differs from `CompileResult._rebuild` only by the use of `_LoadedLibrary`.
    """
    for initialize in reload_init:
        initialize()
    name, _, (object_code, bitcode) = library_data
    library = _LoadedLibrary(target_context.codegen(), name, object_code, bitcode, fndesc)
    result = compile_result(
        target_context=target_context,
        typing_context=target_context.typing_context,
        library=library,
        environment=environment,
        entry_point=target_context.get_executable(library, fndesc, environment),
        fndesc=fndesc,
        type_annotation=type_annotation,
        signature=signature,
        objectmode=objectmode,
        lifted=lifted,
        reload_init=reload_init,
        referenced_envs=referenced_envs,
    )
    for referenced in referenced_envs:
        library.codegen.set_env(referenced.env_name, referenced)
    return result


@cache
def _warn_unwritable(path: Path, reason: str) -> None:
    """Log once that kernels cannot be cached and are compiled at every start."""
    log.warning("compiled kernels cannot be cached in %s: %s", path, reason)


def _external_symbols(library: Any) -> tuple[str, ...]:
    """Return the names of the symbols of Python, the C library and numba that a compiled kernel uses."""
    module = llvm.parse_bitcode(library._get_module_for_linking().as_bitcode())
    declarations = (
        declaration
        for declaration in (*module.functions, *module.global_variables)
        if declaration.is_declaration
    )
    return tuple(
        sorted(declaration.name for declaration in declarations if not declaration.name.startswith("llvm."))
    )


def fingerprint(modules: Iterable[str]) -> str | None:
    """Return a hash of the code of `modules` and of all modules that they import, of the versions of the compiler, and of
    this processor. Return None if one of the modules cannot be imported.

    A module is read once per process: later edits of its source have no effect, as in Python itself.
    """
    return _fingerprint(frozenset(modules))


@cache
def _fingerprint(modules: frozenset[str]) -> str | None:
    hashes = closure(modules)
    if any(hashes[module] is None for module in modules):
        return None
    digest = hashlib.sha256(f"{_FORMAT}\n{sys.version}\n{_compiler_text()}\n".encode())
    for name, code in sorted(hashes.items()):
        digest.update(f"{name} {code}\n".encode())
    return digest.hexdigest()


def closure(modules: Iterable[str]) -> dict[str, str | None]:
    """Return every module that `modules` import, transitively, with the hash of its code.

    Installed libraries are represented by their versions, and their imports are not followed.
    """
    hashes: dict[str, str | None] = {}
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        if name not in hashes:
            hashes[name], imported = _read_module(name)
            waiting += imported
    return hashes


@cache
def _read_module(name: str) -> tuple[str | None, tuple[str, ...]]:
    """Return two values: the hash of a module's code, None if it has no code, and the names of the modules that it
    imports. For an installed library they are its version and no names."""
    if (generated := generated_code(name)) is not None:
        return hashlib.sha256(generated.text.encode()).hexdigest(), generated.imports
    top = name.partition(".")[0]
    if (release := _release(top)) is not None:
        return release, ()
    spec = _spec_of(name)
    if (
        spec is None or not spec.has_location or spec.name != name
    ):  # a program runs as `__main__`, whatever its module is called
        return None, ()
    loader: Any = spec.loader
    code = loader.get_code(name) if hasattr(loader, "get_code") else None
    if code is None:  # an extension
        return hashlib.sha256(Path(str(spec.origin)).read_bytes()).hexdigest(), ()
    imported = {module for code_object in _code_objects(code) for module in _imports(code_object, spec)}
    return hashlib.sha256(_code_text(code).encode()).hexdigest(), tuple(sorted(imported))


@cache
def _release(top: str) -> str | None:
    """Return the version of the installed library `top`, or "python" for a package of the standard library.

    Return None for any other package, such as quatviz and plug-ins, whose imports are followed.
    """
    if top in sys.stdlib_module_names:
        return "python"
    if top == __name__.partition(".")[0] or top in _plugin_packages():
        return None
    try:
        return version(top)
    except PackageNotFoundError:
        return None


@cache
def _plugin_packages() -> frozenset[str]:
    """Return the packages of plug-ins that have kernels."""
    points = (point for family in KERNEL_FAMILIES for point in plugin_entry_points(family))
    return frozenset(point.module.partition(".")[0] for point in points)


def _spec_of(name: str) -> ModuleSpec | None:
    if name in sys.modules:
        return getattr(sys.modules[name], "__spec__", None)  # a notebook's __main__ has none
    try:
        return importlib.util.find_spec(name)
    except (ImportError, ValueError, AttributeError):
        return None


def _code_objects(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of a module and of all functions and classes in it."""
    yield code
    for value in code.co_consts:
        if isinstance(value, CodeType):
            yield from _code_objects(value)


def _imports(code: CodeType, spec: ModuleSpec) -> Iterator[str]:
    """Yield the names of the modules that the import statements of a module's code refer to."""
    bytecode = code.co_code
    if _IMPORT_NAME not in bytecode[::2]:
        return
    high_bits, base, constants = 0, "", [None, None]
    # `dis` creates an object for each instruction, which takes ten times as long.
    for opcode, operand in zip(bytecode[::2], bytecode[1::2], strict=True):
        argument = high_bits | operand
        high_bits = argument << 8 if opcode == dis.EXTENDED_ARG else 0
        if opcode == _LOAD_CONST:
            constants = [constants[-1], code.co_consts[argument]]
        elif opcode == _IMPORT_NAME:
            name, level = code.co_names[argument], constants[0] if isinstance(constants[0], int) else 0
            base = importlib.util.resolve_name("." * level + name, spec.parent) if level else name
            yield base
        elif opcode == _IMPORT_FROM and _is_module(base, code.co_names[argument]):
            yield f"{base}.{code.co_names[argument]}"


def _is_module(package: str, name: str) -> bool:
    """Return True if `name` is a module of `package`, and not a function or class in it."""
    if f"{package}.{name}" in sys.modules:
        return True
    if package in sys.modules and hasattr(sys.modules[package], name):
        return False
    owner = _spec_of(package)
    return (
        owner is not None
        and owner.submodule_search_locations is not None
        and _spec_of(f"{package}.{name}") is not None
    )


def _code_text(value: object) -> str:
    """Return code as text: instructions, names and constants, without line numbers, file names and docstrings."""
    if isinstance(value, CodeType):
        prose = _prose_constants(value)
        constants = ("''" if index in prose else _code_text(c) for index, c in enumerate(value.co_consts))
        parts = (value.co_name, value.co_flags, value.co_argcount, value.co_kwonlyargcount, value.co_names)
        names = (
            value.co_varnames,
            value.co_freevars,
            value.co_cellvars,
            value.co_code,
            value.co_exceptiontable,
        )
        return f"{parts} {names} ({', '.join(constants)})"
    if isinstance(value, (tuple, frozenset)):
        texts = map(_code_text, value)
        return (
            f"{type(value).__name__}({', '.join(sorted(texts) if isinstance(value, frozenset) else texts)})"
        )
    return repr(value)


def _prose_constants(code: CodeType) -> set[int]:
    """Return the indices of the constants, in the code of a function, class or module, that are docstrings or other
    text for people.

    The docstring of a function is its first constant. Classes and modules assign their docstring to `__doc__`, and
    classes assign other text for people to the `_PROSE_NAMES`. A constant that other code uses too is not included.
    """
    if code.co_flags & inspect.CO_OPTIMIZED:
        has_docstring = (
            bool(code.co_flags & _CO_HAS_DOCSTRING) if _CO_HAS_DOCSTRING else not code.co_name.startswith("<")
        )
        return {0} if has_docstring and code.co_consts and isinstance(code.co_consts[0], str) else set()
    prose_names = _PROSE_NAMES if "__qualname__" in code.co_names else ("__doc__",)
    assigned, loads = set(), Counter[int]()
    high_bits, constant = 0, -1
    for opcode, operand in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        argument = high_bits | operand
        high_bits = argument << 8 if opcode == dis.EXTENDED_ARG else 0
        if opcode == _LOAD_CONST:
            loads[argument] += 1
        elif opcode == _STORE_NAME and code.co_names[argument] in prose_names and constant >= 0:
            assigned.add(constant)
        if opcode != dis.EXTENDED_ARG:
            constant = argument if opcode == _LOAD_CONST else -1
    return {index for index in assigned if loads[index] == 1 and isinstance(code.co_consts[index], str)}


@cache
def processor() -> tuple[str, str, str]:
    """Return system, name and features of the processor that numba compiles for."""
    from numba.core.registry import cpu_target

    system, name, features = cpu_target.target_context.codegen().magic_tuple()
    return system, name, features


@cache
def _compiler_text() -> str:
    return f"{numba.__version__} {llvmlite.__version__} {np.__version__} {processor()}"


def _argument_classes(arguments: Iterable[Any]) -> Iterator[type]:
    """Yield the Python classes by which kernels are selected: the classes of those arguments, and elements of
    arguments, that are named tuples or tableaux.
    """
    for argument in arguments:
        if hasattr(argument, "instance_class"):
            yield argument.instance_class
        if isinstance(argument, types.BaseTuple):
            yield from _argument_classes(tuple(argument))  # type: ignore[arg-type]


def _read(path: Path) -> bytes | None:
    """Return the data of a kernel file.

    Return None if the file does not exist, has a wrong checksum, or may have been written by another user.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return None
        with path.open("rb") as file:
            # Check the open file, which can no longer be replaced.
            status = os.fstat(file.fileno())
            for checked, reason in (
                (path.parent, _untrusted_reason(path.parent.stat())),
                (path, _untrusted_reason(status)),
            ):
                if reason:
                    _warn_untrusted(checked, reason)
                    return None
            if status.st_size > _MAX_KERNEL_BYTES:
                return None
            content = file.read()
    except OSError:
        return None
    checksum, data = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
    return data if hashlib.sha256(data).digest() == checksum else None


def _untrusted_reason(status: os.stat_result) -> str:
    """Return why a file or folder may have been written by another user, or "" if only this user and the
    administrator can write it.
    """
    if not hasattr(os, "getuid"):
        return ""  # Windows has neither numeric owners nor these permission bits
    if status.st_uid not in (0, os.getuid()):
        return "it belongs to another user"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "other users can write to it"
    return ""


def _untrusted_error(path: Path, reason: str) -> InputError:
    return InputError(
        phrase("the kernel cache {folder}", folder=path),
        expected="a folder that only you can write to, because the code in it is executed",
        found=reason,
        remedy=phrase(
            "`chmod go-w {folder}` if you trust the files in it, or set the environment variable QUATVIZ_CACHE_DIR to another "
            "folder",
            folder=path,
        ),
        topic="errors#kernel-cache",
    )


@cache
def _warn_untrusted(path: Path, reason: str) -> None:
    """Log once why a cached kernel is not loaded but compiled again."""
    log.warning("compiled code in %s is not used, because %s", path, reason)


def _make_private_folder(path: Path) -> None:
    """Create the folder of kernels so that only this user can write to it.

    If the folder exists at the default path and the `umask` left it writable for the user's group, that permission
    is removed. A folder that the user chose may be shared on purpose and keeps its permissions.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = path.stat()
    if (
        hasattr(os, "getuid")
        and status.st_uid == os.getuid()
        and _untrusted_reason(status)
        and not os.environ.get(resources.CACHE_FOLDER_VARIABLE)
    ):
        path.chmod(stat.S_IMODE(status.st_mode) & ~(stat.S_IWGRP | stat.S_IWOTH))


def _write(path: Path, data: bytes) -> None:
    unfinished = path.with_name(f".{path.name}-{uuid.uuid4().hex}")
    try:
        unfinished.write_bytes(hashlib.sha256(data).digest() + data)
        unfinished.chmod(_FILE_MODE)
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def _delete_unused() -> None:
    """Delete kernel files that were not used for a month, such as kernels of sources that have changed since."""
    limit = time.time() - _MAX_UNUSED_DAYS * 86400
    for path in folder().iterdir():
        with contextlib.suppress(OSError):  # another process deletes it too
            if path.stat().st_mtime < limit:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
