"""A plug-in that ends the program, lacks its name or takes another's is left out, and told."""

import logging
import re
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import quatviz as qv
from quatviz.base import registry
from quatviz.export import formats
from quatviz.export.formats.base import TableFormat
from quatviz.integrators.base import Integrator

MODULES = {
    "ends_it": "raise SystemExit(3)",
    "lacks_it": """
        from quatviz.integrators._runge_kutta import ExplicitRungeKutta

        class Nameless(ExplicitRungeKutta):
            title = "Nameless"
        """,
    "takes_it": """
        from quatviz.integrators.rk4 import RK4

        class Another(RK4):
            title = "In its place"
        """,
    "is_well": """
        from quatviz.integrators.rk4 import RK4

        class Well(RK4):
            name = "well"
        """,
}
FORMAT = """
from quatviz.export.formats.base import TableFormat

class Exits(TableFormat):
    name = "{name}"
    title = "Exits"
    suffixes = (".w_{name}", "{ending}")

    def write(self, table, path):
        raise SystemExit(5)

    read = read_preset_text = lambda self, path: self.write(None, path)
"""
COMMAND = '"""`quatviz list`: another."""'


@pytest.fixture
def points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def points_of(family: str) -> tuple[EntryPoint, ...]:
        names = MODULES if family == "integrators" else ["list"]
        return tuple(EntryPoint(name, f"quatviz_test_{name}", f"quatviz.{family}") for name in names)

    for name, text in MODULES.items():
        lines = [line.removeprefix(" " * 8) for line in text.splitlines()]
        (tmp_path / f"quatviz_test_{name}.py").write_text("\n".join(lines))
    (tmp_path / "quatviz_test_list.py").write_text(COMMAND)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "plugin_points", points_of)


def test_they_are_left_out(points: None, caplog: pytest.LogCaptureFixture) -> None:
    found: registry.Registry[type[Integrator]] = registry.Registry("quatviz.integrators", Integrator)
    with caplog.at_level(logging.WARNING):
        assert "well" in found
    assert found["rk4"].title != "In its place"
    told = dict(zip(("ends_it", "lacks_it", "takes_it"), caplog.messages, strict=True))
    for name, message in told.items():
        assert message.startswith(
            f"the plug-in {name} = quatviz_test_{name} of quatviz_test_{name} was left out: "
        )
    assert re.search(r"SystemExit: 3 \(.*quatviz_test_ends_it.py, line 1\)$", told["ends_it"])
    assert "has no attribute 'name'" in told["lacks_it"]
    assert told["takes_it"].endswith("the integrators have 'rk4' already; give it another name")
    assert [found.package(name) for name in ("well", "rk4")] == [("quatviz_test_is_well", ""), None]


def test_no_command_takes_the_place_of_another(points: None, caplog: pytest.LogCaptureFixture) -> None:
    found = registry.Commands("quatviz.commands")
    assert found["list"].module == "quatviz.commands.list"
    assert caplog.messages[-1].endswith("the commands have 'list' already; give it another name")


def test_no_format_takes_the_files_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    names = ["quatviz_test_tables", "quatviz_test_exits"]
    for name, ending in zip(names, (".csv", ".exits"), strict=True):
        (tmp_path / f"{name}.py").write_text(FORMAT.format(name=name, ending=ending))
    monkeypatch.syspath_prepend(tmp_path)
    points = [EntryPoint(name, name, "quatviz.formats") for name in names]
    monkeypatch.setattr(registry, "plugin_points", lambda family: points)
    found: registry.Registry[type[TableFormat]] = registry.Registry("quatviz.export.formats", TableFormat)
    assert names[0] not in found
    assert caplog.messages[-1].endswith("the formats have '.csv' already; give it another name")
    monkeypatch.setattr(formats, "FORMATS", found)
    run = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=0.02)
    (tmp_path / "run.exits").write_text("before")
    with pytest.raises(qv.InputError, match=r"SystemExit: 5"):
        run.write(tmp_path / "run.exits")
    assert (tmp_path / "run.exits").read_text() == "before"
    with pytest.raises(qv.InputError, match=r"SystemExit: 5"):
        qv.load_run(tmp_path / "run.exits")
