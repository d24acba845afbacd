"""Break one sign or one factor in the source of a formulation, and see `verify` fail.

Each case edits a copy of the source tree and runs a narrow part of the verification there, in a process of its own. The
cache of kernels is everybody's, and so must tell a mutated source from the right one. Three cases run always; all of
them, in some minutes, with

    QUATVIZ_EVERY_MUTATION=1 python -m pytest tests/verification/test_mutations.py

That every formulation has a case, and that every edit finds its text, is checked always. The cases stand in
`mutation_table.py`.
"""

import inspect
import io
import itertools
import os
import re
import shutil
import subprocess
import sys
import tokenize
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from mutation_table import FORMULATION_MUTATIONS, LOAD_MUTATIONS, Mutation

from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.loads import LOADS

ROOT = Path(__file__).resolve().parents[2]
PASSED, SEEN = 0, 1


class Case(NamedTuple):
    """A mutation, and the name and class of the formulation or load that it is listed under."""

    name: str
    kind: Any
    mutation: Mutation

    @property
    def formulation(self) -> str:
        """Through which it is seen."""
        return self.mutation.formulation or self.name

    @property
    def path(self) -> Path:
        """The file to edit, from the root of the checkout."""
        if self.mutation.file:
            return Path("quatviz", self.mutation.file)
        own = Path(inspect.getfile(self.kind)).relative_to(ROOT)
        kernel = own.with_name("kernel.py")
        return kernel if own.name == "__init__.py" and (ROOT / kernel).exists() else own

    def edited(self, text: str) -> str:
        """The file with the mutation: its text must stand there once, what strings say apart."""
        places = [
            match.start()
            for match in re.finditer(re.escape(self.mutation.old), text)
            if not any(start <= match.start() < end for start, end in strings(text))
        ]
        assert len(places) == 1, (self.mutation, self.path)
        return text[: places[0]] + self.mutation.new + text[places[0] + len(self.mutation.old) :]


def strings(text: str) -> list[tuple[int, int]]:
    """Where each string of a source begins and ends."""
    starts = [0, *itertools.accumulate(map(len, text.splitlines(keepends=True)))]
    return [
        (starts[token.start[0] - 1] + token.start[1], starts[token.end[0] - 1] + token.end[1])
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.STRING
    ]


TABLES: list[tuple[Any, dict[str, tuple[Mutation, ...]]]] = [
    (FORMULATIONS, FORMULATION_MUTATIONS),
    (LOADS, LOAD_MUTATIONS),
]
CASES = [
    Case(name, registry[name], mutation)
    for registry, table in TABLES
    for name, mutations in table.items()
    for mutation in mutations
]
QUICK = ("hamilton", "hamilton_canonical", "lagrange_full")
"""The first mutation of each is seen always."""
ALWAYS = [next(case for case in CASES if case.name == name) for name in QUICK]
CHOSEN = CASES if os.environ.get("QUATVIZ_EVERY_MUTATION") else ALWAYS
WORST = """
from dataclasses import replace
from quatviz.base import resources
from quatviz.files.preset_reading import read_preset
from quatviz.verification.parts.agreement import check_preset
preset = replace(read_preset(resources.preset_folder() / "t_handle.toml"), events=())
lanes = ("lagrange_projected", "newton_euler")
checks = lambda: check_preset(preset, "preset", 10.0, ("lagrange_projected",), lanes)"""
"""Two forms where agreement allows most."""
USUAL = """
from functools import partial
from quatviz.verification.parts.derivatives import check_formulation
checks = partial(check_formulation, {formulation!r})"""
ELSEWHERE = "from quatviz.verification.parts.{part} import {function} as checks"


def narrow(case: Case) -> str:
    """What imports the part of the verification that sees a mutation, as `checks`."""
    part, _, function = case.mutation.detected_by.partition(".")
    return (
        ELSEWHERE.format(part=part, function=function) if part else USUAL.format(formulation=case.formulation)
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The source without its window, in a folder of its own, with what Python has compiled of it."""
    shutil.copytree(ROOT / "quatviz", tmp_path / "quatviz", ignore=shutil.ignore_patterns("ui", "bench"))
    for name in ("assets", "presets", "pyproject.toml"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def verified(folder: Path, checks: str) -> int:
    """The exit status of a narrow verification there; `checks` imports it."""
    code = f"""{checks}
found = list(checks())
assert len(found) > 1
raise SystemExit({PASSED} if all(check.ok for check in found) else {SEEN})"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode


def test_every_formulation_has_a_mutation() -> None:
    assert set(FORMULATIONS) <= set(FORMULATION_MUTATIONS)
    for case in CASES:
        text = (ROOT / case.path).read_text("utf-8")
        assert case.edited(text) != text


def test_copy_without_a_mutation_passes(copy: Path) -> None:
    assert verified(copy, USUAL.format(formulation="hamilton_canonical")) == PASSED


@pytest.mark.parametrize("case", CHOSEN, ids=lambda case: f"{case.name}: {case.mutation.new}")
def test_mutation_is_detected(case: Case, copy: Path) -> None:
    path = copy / case.path
    path.write_text(case.edited(path.read_text("utf-8")), "utf-8")
    assert verified(copy, narrow(case)) == SEEN


def test_agreement_sees_a_hundred_thousandth_of_a_term(copy: Path) -> None:
    """Lanes halve their steps until they have converged, so that even where they begin a thousandth of a radian apart the
    tolerance stays small."""
    results: dict[str, Any] = {}
    exec(WORST, results)
    assert all(check.ok for check in results["checks"]())
    name = "lagrange_projected"
    case = Case(name, FORMULATIONS[name], Mutation("-2.0 * g[1]", "-2.00002 * g[1]"))
    path = copy / case.path
    path.write_text(case.edited(path.read_text("utf-8")), "utf-8")
    assert verified(copy, WORST) == SEEN
