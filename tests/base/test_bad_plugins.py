"""A plug-in that exits the program, lacks its name or uses a taken one is ignored and reported."""

import logging
import re
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import quatviz as qv
from quatviz.base import registry
from quatviz.commands import doctor
from quatviz.commands.support.diagnostics import SystemCheck
from quatviz.export import formats
from quatviz.export.formats.base import TableFormat
from quatviz.physics.integrators.base import Integrator
from quatviz.recordings import readers
from quatviz.recordings.readers.base import Reader

MODULES = {
    "ends_it": "raise SystemExit(3)",
    "lacks_it": """
        from quatviz.physics.integrators._runge_kutta import ExplicitRungeKutta

        class Nameless(ExplicitRungeKutta):
            title = "Nameless"
        """,
    "steers_it": """
        from quatviz.physics.integrators.rk4 import RK4

        class Steering(RK4):
            name = "steering"
            title = "\\x1b]0;title\\x07"
        """,
    "takes_it": """
        from quatviz.physics.integrators.rk4 import RK4

        class Another(RK4):
            title = "In its place"
        """,
    "is_well": """
        from quatviz.physics.integrators.rk4 import RK4

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
    monkeypatch.setattr(registry, "plugin_entry_points", points_of)


def test_broken_plugins_are_ignored(points: None, caplog: pytest.LogCaptureFixture) -> None:
    extensions: registry.Registry[type[Integrator]] = registry.Registry(
        "quatviz.physics.integrators", Integrator
    )
    with caplog.at_level(logging.WARNING):
        assert "well" in extensions
    assert extensions["rk4"].title != "In its place"
    messages = dict(zip(("ends_it", "lacks_it", "steers_it", "takes_it"), caplog.messages, strict=True))
    for name, message in messages.items():
        assert message.startswith(
            f"the plug-in {name} = quatviz_test_{name} of quatviz_test_{name} was left out: "
        )
    assert re.search(r"SystemExit: 3 \(.*quatviz_test_ends_it.py, line 1\)$", messages["ends_it"])
    assert "has no attribute 'name'" in messages["lacks_it"]
    assert "contains control characters" in messages["steers_it"]
    assert "\x1b" not in messages["steers_it"]
    assert messages["takes_it"].endswith("the integrators have 'rk4' already; give it another name")
    assert [extensions.plugin_package(name) for name in ("well", "rk4")] == [
        ("quatviz_test_is_well", ""),
        None,
    ]


def test_doctor_reports_a_broken_plugin_without_control_characters(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The name of an entry point may contain control characters."""
    check = SystemCheck(
        "package red", "1.0", ok=False, needed=False, remedy="the plug-in \x1b[31mred was left out"
    )
    monkeypatch.setattr(doctor, "system_checks", lambda: [check])
    assert doctor.main([]) == 0
    output = capsys.readouterr().out
    assert "plug-in \\x1b[31mred was left out" in output
    assert "\x1b" not in output


def test_plugin_command_does_not_replace_another(points: None, caplog: pytest.LogCaptureFixture) -> None:
    extensions = registry.CommandRegistry("quatviz.commands")
    assert extensions["list"].module == "quatviz.commands.list"
    assert caplog.messages[-1].endswith("the commands have 'list' already; give it another name")


def test_plugin_format_does_not_claim_other_extensions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    names = ["quatviz_test_tables", "quatviz_test_exits"]
    for name, ending in zip(names, (".csv", ".exits"), strict=True):
        (tmp_path / f"{name}.py").write_text(FORMAT.format(name=name, ending=ending))
    monkeypatch.syspath_prepend(tmp_path)
    points = [EntryPoint(name, name, "quatviz.formats") for name in names]
    monkeypatch.setattr(registry, "plugin_entry_points", lambda family: points)
    extensions: registry.Registry[type[TableFormat]] = registry.Registry(
        "quatviz.export.formats", TableFormat, ending_attribute="suffixes"
    )
    assert names[0] not in extensions
    assert caplog.messages[-1].endswith("the formats have '.csv' already; give it another name")
    monkeypatch.setattr(formats, "FORMATS", extensions)
    run = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"], duration=0.02)
    (tmp_path / "run.exits").write_text("before")
    with pytest.raises(qv.InputError, match=r"SystemExit: 5"):
        run.write(tmp_path / "run.exits")
    assert (tmp_path / "run.exits").read_text() == "before"
    with pytest.raises(qv.InputError, match=r"SystemExit: 5"):
        qv.load_run(tmp_path / "run.exits")


READER = """
from quatviz.recordings.readers.base import Reader

class Greedy(Reader):
    name = "{name}"
    title = "Greedy"
    magic = b"t,"
    {claim}

    def read(self, path, part):
        raise SystemExit(5)
"""
CLAIMS = {
    "has_none": ("", "has no attribute 'suffixes'"),
    "a_text": ('suffixes = ".rec"', "suffixes must be a tuple of lower-case endings"),
    "no_dots": ('suffixes = ("rec",)', "suffixes must be a tuple of lower-case endings"),
    "capitals": ('suffixes = (".REC",)', "suffixes must be a tuple of lower-case endings"),
    "no_texts": ("suffixes = (3,)", "TypeError"),
    "taken": ('suffixes = (".rec", ".tsv")', "the readers have '.tsv' already"),
    "greedy": ('suffixes = (".greedy",)', ""),
    "second": ('suffixes = (".greedy",)', "the readers have '.greedy' already"),
}


def test_plugin_reader_does_not_claim_other_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name, (claim, _) in CLAIMS.items():
        (tmp_path / f"quatviz_test_{name}.py").write_text(READER.format(name=name, claim=claim))
    monkeypatch.syspath_prepend(tmp_path)
    points = [EntryPoint(name, f"quatviz_test_{name}", "quatviz.readers") for name in CLAIMS]
    monkeypatch.setattr(registry, "plugin_entry_points", lambda family: points)
    extensions: registry.Registry[type[Reader]] = registry.Registry(
        "quatviz.recordings.readers", Reader, ending_attribute="suffixes"
    )
    assert [name for name in CLAIMS if name in extensions] == ["greedy"]
    for (_, fragment), message in zip(
        (plugin_claim for plugin_claim in CLAIMS.values() if plugin_claim[1]), caplog.messages, strict=True
    ):
        assert fragment in message
    assert extensions.entries_by_ending[".tsv"].name == "delimited"
    assert extensions.entries_by_ending[".greedy"].name == "greedy"
    monkeypatch.setattr(readers, "READERS", extensions)
    text = "t,q_w,q_x,q_y,q_z\n0,1,0,0,0\n0.1,1,0,0,0\n0.2,1,0,0,0\n"
    for ending, reads in ((".csv", True), (".greedy", False), (".other", False)):
        path = tmp_path / f"throw{ending}"
        path.write_text(text)
        if reads:
            assert "q_w" in readers.read_columns(path).columns
        else:
            with pytest.raises(qv.InputError, match=r"SystemExit: 5"):
                readers.read_columns(path)
