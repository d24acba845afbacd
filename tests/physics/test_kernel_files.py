"""The cache key of a compiled kernel covers all code of kernel modules, and neither texts nor other modules."""

import ast
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers import ROOT, run_python

from quatviz.base.errors import InputError
from quatviz.physics.formulations import FORMULATIONS, make_formulation
from quatviz.physics.formulations.base import BodyParameters
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.kernels import binder, blocks, cache
from quatviz.physics.loads import LOADS
from quatviz.physics.loads.base import kernel_modules

PACKAGE = ROOT / "quatviz"
FAMILIES = ("formulations", "integrators", "loads")
METADATA = {"title", "summary", "help", "measured", "source", "action_text", "potential_text", "Performance"}
WITH_CLASS: set[str] = {"lsoda", "radau"}
"""Integrators of SciPy, whose methods are Python: the module of their type is no module of kernels."""


def is_kernel_module(name: str) -> bool:
    """Return True for kernel modules: `kernel.py`, modules in `_kernels`, and the modules they are compiled with."""
    parts = name.split(".")
    return (
        name == "quatviz.base.expression_codes"
        or name.startswith("quatviz.physics.kernels")
        or parts[-1] == "kernel"
        or "_kernels" in parts
    )


def own_modules(modules: set[str]) -> set[str]:
    """Return the modules of quatviz that a key covers."""
    return {name for name in cache.closure(modules) if name.partition(".")[0] == "quatviz"}


def block_modules(formulation: str, integrator: str) -> set[str]:
    """Return the modules of quatviz that the key of a lane's loop over steps covers."""
    form, method_class = make_formulation(formulation), INTEGRATORS[integrator]
    method = method_class().method(form)
    modules = {method_class.block.__module__, blocks.__name__}
    return own_modules(modules | binder.modules_of(form.parameter_type) | binder.modules_of(type(method)))


def kernel_files() -> Iterator[Path]:
    for family in FAMILIES:
        folder = PACKAGE / "physics" / family
        yield from (*folder.glob("*/kernel.py"), *folder.glob("_kernels/*.py"))


def test_simplest_lane_key_covers_at_most_a_dozen_modules() -> None:
    assert len(block_modules("newton_euler", "rk4")) <= 12


def test_curve_reduction_kernels_do_not_depend_on_folders() -> None:
    assert "quatviz.base.resources" not in own_modules({"quatviz.physics.kernels.extremes"})


@pytest.mark.parametrize("formulation", [name for name, form in FORMULATIONS.items() if form.kernels])
def test_formulation_key_covers_only_kernel_modules(formulation: str) -> None:
    assert [name for name in block_modules(formulation, "rk4") if not is_kernel_module(name)] == []


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_integrator_key_covers_only_kernel_modules(integrator: str) -> None:
    for formulation in ("newton_euler", "lagrange_full"):
        try:
            modules = block_modules(formulation, integrator)
        except InputError:
            continue
        assert (not all(map(is_kernel_module, modules))) is (integrator in WITH_CLASS)


def test_load_sum_key_covers_only_kernel_modules() -> None:
    classes = [load_class for load_class in LOADS.values() if load_class.torque_kernel is not None]
    modules = own_modules({"quatviz.physics.loads._kernels.load_sum", *kernel_modules(classes)})
    assert [name for name in modules if not is_kernel_module(name)] == []
    for name in ("damping", "spring"):
        assert f"quatviz.physics.loads.{name}.kernel" in modules


def test_fit_and_sweep_keys_cover_only_kernel_modules_and_their_own() -> None:
    sweeps = "quatviz.analysis.sweeps"
    own_parts: dict[str, set[str]] = {
        "quatviz.analysis.fitting.kernel": set(),
        f"{sweeps}.packed": {f"{sweeps}.packed", f"{sweeps}.side_by_side"},
    }
    for module, own in own_parts.items():
        assert {name for name in own_modules({module}) if not is_kernel_module(name)} == own


def test_kernel_modules_import_only_kernels_and_contain_no_texts() -> None:
    files = list(kernel_files())
    assert len(files) > 30
    for path in files:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.ImportFrom(module=str(module)) if module.startswith("quatviz."):
                    assert is_kernel_module(module), (path, module)
                case (
                    ast.Name(id=name, ctx=ast.Store()) | ast.FunctionDef(name=name) | ast.ClassDef(name=name)
                ):
                    assert name not in METADATA, (path, name)


def test_kernels_chosen_by_a_class_add_its_module_to_the_key() -> None:
    """Otherwise another choice among functions of the same modules would get the old code."""

    class Parameters(BodyParameters):
        """A type without kernels of its own module."""

    Parameters.__module__ = "quatviz.physics.formulations.hamilton.kernel"
    chosen = binder.Kernels(rhs=binder.rhs)
    binder.bind(Parameters, chosen, "of_the_class")
    assert "of_the_class" in binder.modules_of(Parameters)
    hamilton = FORMULATIONS["hamilton"]
    assert hamilton.__module__ not in binder.modules_of(hamilton.parameter_type)
    with pytest.raises(TypeError):
        binder.bind(hamilton.parameter_type, chosen, "of_the_class")


NAMES = """
import quatviz as qv
from quatviz.physics.kernels.cache import KernelCache

class Named(BaseException):
    pass

def load_overload(cache, signature, target_context):
    raise Named(cache.path_of(signature).name)

KernelCache.load_overload = load_overload
for name in ("torque_free", "attitude_control"):
    try:
        qv.simulate(qv.load_preset(name), lanes=["newton_euler"], duration=0.01)
    except Named as named:
        print(named)
"""
"""Prints the names of the files of the loop over steps, and of the sum over loads."""

CODE = [
    ("physics/formulations/newton_euler/kernel.py", "(j3 - j1) * w3", "(j1 - j3) * w3", (True, False)),
    ("physics/kernels/algebra.py", "e3 * v1 + e0 * v2 - e1 * v3", "e3 * v1 + e0 * v2 + e1 * v3", (True, True)),
    ("physics/loads/_kernels/packed.py", "s00 * e0 + s01 * e1 + s02 * e2", "s00 * e0 - s01 * e1 + s02 * e2", (True, True)),
    ("physics/loads/damping/kernel.py", "combined3(-1.0, times", "combined3(1.0, times", (False, True)),
    ("physics/kernels/binder.py", '"fastmath": {"contract"}', '"fastmath": False', (True, True)),
    ("physics/integrators/rk4.py", '[0, "1/2"]', '[0, "1/3"]', (True, False)),
    ("physics/loads/spring/__init__.py", "torque_kernel = torque", "torque_kernel = gradient", (False, True)),
]  # fmt: skip
"""Edits, and whether the loop over steps and the sum over loads get other names."""


def with_other_prose(text: str) -> str:
    """Return a source with other docstrings, messages and measured costs."""
    lines = text.splitlines(keepends=True)
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Expr(value=ast.Constant(value=str()), end_lineno=int(line), end_col_offset=int(column)):
                before, after = lines[line - 1][: column - 3], lines[line - 1][column - 3 :]
                if after.startswith('"""'):
                    lines[line - 1] = f"{before} Edited.{after}"
    text = "".join(lines).replace('phrase("', 'phrase("Edited ').replace("**Order**", "**Edited order**")
    return re.sub(r"Performance\((\d+)", r"Performance(1\1", text)


def test_only_code_edits_change_kernel_names(tmp_path: Path) -> None:
    for name in ("quatviz", "presets"):
        shutil.copytree(ROOT / name, tmp_path / name)

    def edit(path: str, old: str, new: str) -> str:
        source = tmp_path / "quatviz" / path
        text = source.read_text("utf-8")
        assert old in text, (path, old)
        source.write_text(text.replace(old, new), "utf-8")
        return text

    def names() -> list[str]:
        # Python detects edits by time in seconds and length, and an edit may change neither.
        return run_python(NAMES, tmp_path, tmp_path, PYTHONDONTWRITEBYTECODE="1").split()

    first = names()
    assert len(first) == 2
    package = tmp_path / "quatviz"
    for source in (*(package / "physics").rglob("*.py"), *(package / "base").rglob("*.py")):
        source.write_text(with_other_prose(source.read_text("utf-8")), "utf-8")
    assert "Edited." in (tmp_path / "quatviz/physics/kernels/algebra.py").read_text("utf-8")
    assert names() == first
    for path, old, new, changes in CODE:
        text = edit(path, old, new)
        assert tuple(name != before for name, before in zip(names(), first, strict=True)) == changes, path
        (tmp_path / "quatviz" / path).write_text(text, "utf-8")
