"""A package adds one extension of each kind through entry points, and so does a file in a checkout.

Four of them are what `quatviz new` writes.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT, run_python
from plugin_package import GROUPS, install

from quatviz.base.errors import InputError
from quatviz.cli import main
from quatviz.commands.new import EXTENSION_TYPES, write_skeleton

LISTS = """
import contextlib, io, json
import quatviz as qv
from quatviz.cli import main
from quatviz.commands import COMMANDS
from quatviz.commands.outputs import OUTPUTS
from quatviz.physics.events import EVENTS, event_templates
from quatviz.physics.exact import SOLUTIONS
from quatviz.export.documents import EXHIBITS
from quatviz.export.formats import FORMATS
from quatviz.physics.formulations import FORMULATIONS, equations
from quatviz.teaching.help import pages, search
from quatviz.teaching.help.generated import formulation_notes
from quatviz.physics.integrators import INTEGRATORS
from quatviz.verification.judging.mistakes import MISTAKES
from quatviz.physics.loads import LOADS
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.physics.shapes import SHAPES
from quatviz.analysis.studies.measures import MEASURES
from quatviz.analysis.sweeps.boundaries import BOUNDARIES
from quatviz.analysis.sweeps.measures import MEASURES as SWEEP_MEASURES
from quatviz.verification.parts import PARTS
from quatviz.display.panels import PANELS
from quatviz.display.scene.items import ITEMS
from quatviz.ui.tools import TOOLS

def output_of(*arguments):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main(arguments) == 0
    return out.getvalue()

families = {
    "formulations": FORMULATIONS, "integrators": INTEGRATORS, "loads": LOADS, "quantities": QUANTITIES, "shapes": SHAPES,
    "events": EVENTS, "exact": SOLUTIONS, "measures": MEASURES,
    "sweep_measures": SWEEP_MEASURES, "boundaries": BOUNDARIES, "formats": FORMATS, "outputs": OUTPUTS, "commands": COMMANDS,
    "panels": PANELS, "items": ITEMS, "parts": PARTS, "documents": EXHIBITS, "mistakes": MISTAKES,
    "tools": TOOLS,
}
text = {name: page.text for name, page in pages().items()}
lists = {
    "names": {family: list(registry) for family, registry in families.items()},
    "qv": [qv.Magnet.name, qv.Brake.name, "Magnet" in dir(qv)],
    "listed": "".join(output_of("list", *family) for family in ((), ("shapes",), ("measures",), ("panels",), ("tools",))),
    "hello": output_of("hello", "there"),
    "card": [len(equation.terms) for equation in equations("gibbs_vector")],
    "notes": sorted(formulation_notes("gibbs_vector")),
    "offers": list(event_templates()),
    "help": text,
    "found": [hit.section.topic for hit in search("compass needle")],
    "help command": output_of("help", "loads"),
    "packages": {row["id"]: row["package"] for row in json.loads(output_of("list", "quantities", "--json"))},
    "doctor": [check for check in json.loads(output_of("doctor", "--json")) if "outside" in check["name"]],
}
"""

RUN = """
import dataclasses
import numpy as np
top = qv.load_preset("outside_top")
pushed = dataclasses.replace(
    top, events=[qv.Brake(at=0.5)],
    loads=[*top.loads, qv.Magnet(moment_of_magnet=[1, 0, 0], field=[0, 0, 2])],
)
lanes = ["gibbs_vector", "newton_euler", qv.Lane("newton_euler", integrator="two_stages", name="two")]
made = qv.simulate(pushed, lanes=lanes, dt=1e-3, duration=0.6)
start = qv.Initial(euler_parameters=[1, 0, 0, 0], angular_velocity=[0, 0, 0])
still = qv.Preset(body=qv.Body(inertia=[1, 2, 3], shape="wedge"), initial=start)
exact = qv.simulate(still, lanes=["exact"], duration=1.0)["exact"]
arguments = ["run", "outside_top", "--lane", "newton_euler", "--dt", "1e-3", "--duration", "0.1", "-o", "top.tsv"]
assert main(arguments) == 0
assert main(["run", "top.tsv"]) == 0
assert main(["verify", "sums"]) == 0
made.write("all.tsv", ["h", "spin_angle"])
assert len(qv.load_preset("all.tsv").lanes) == 3
assert main(["render", "top.tsv", "-o", "top.sentence"]) == 0
swept = qv.sweep(still, {"initial.angular_velocity[0]": [1.0, 2.0]}, lanes="newton_euler", measure="fastest", duration=0.1)
run = {
    "swept": swept["fastest"].values.tolist(),
    "status": [lane.status for lane in made.lanes],
    "apart": float(made.orientation_error("gibbs_vector", "newton_euler").max()),
    "rough": float(made.orientation_error("two", "newton_euler").max()),
    "braked": float(np.linalg.norm(made["newton_euler"].omega[50]) / np.linalg.norm(made["newton_euler"].omega[49])),
    "exact": exact.status,
    "angle": float(np.ptp(made["newton_euler"].spin_angle[:50])),
    "versions": [run.versions.get("outside") for run in (made, qv.load_run("all.tsv"))],
    "versions of a table": json.loads(qv.load_run("top.tsv").to_dataframe().attrs["versions"]).get("outside"),
    "page": "quatviz 0.1.0 with outside 1.0" in made.view().html.replace('", "', " "),
    "sentence": open("top.sentence").read(),
}
"""

CHECKS = """
from quatviz.base import resources
from quatviz.files.preset_files import find_preset
from quatviz.files.preset_reading import read_preset
from quatviz.verification.parts import orders
from quatviz.verification.parts.agreement import LOADS, check_preset
from quatviz.verification.parts.derivatives import check_formulation
orders.QUICK_LANES = ("newton_euler",)
orders.INTEGRATORS = {"two_stages": orders.INTEGRATORS["two_stages"]}
preset = read_preset(find_preset("intermediate_axis", resources.preset_folder()))
mistakes = {
    "derivatives": list(check_formulation("gibbs_vector")),
    "orders": list(orders.ConvergenceOrders().checks(False)),
    "agreement": list(check_preset(preset, "preset", 1.0, (), ("gibbs_vector", "newton_euler"))),
}
checks = {
    "loads": [load.name for load in LOADS["every load"]],
    "checks": {name: [check.as_dict() for check in checks] for name, checks in mistakes.items()},
}
print(json.dumps({"lists": lists, "run": run, "checks": checks}))
"""
"""What is left of the process runs with one integrator and one form: it comes last."""

WINDOW = """
import json, os
os.environ["QUATVIZ_SETTINGS_DIR"] = os.getcwd()
import quatviz as qv
from quatviz.app import WindowController, make_application
from PySide6.QtCore import QDeadlineTimer
from PySide6.QtGui import QAction
application = make_application()
session = WindowController(qv.load_preset("torque_free").with_run(lanes=["exact"]))
session.open()
window = session.window
limit = QDeadlineTimer(120_000)
while not (window.board.panels and window.scene.stage.items) and not limit.hasExpired():
    application.processEvents()
texts = {action.text().replace("&", "") for action in window.findChildren(QAction)}
window.action_registry["lane_names"].trigger()
lanes = session.tool_windows.window("lane_names")
window.side.lane_list.add_button.click()
from quatviz.ui.tools.add_lane.dialog import AddLaneDialog
dialog = window.findChildren(AddLaneDialog)[-1]
texts |= {dialog.check_list.item_of(name).text() for name in dialog.check_list.names}
dialog.reject()
print(json.dumps({
    "panels": [panel.name for panel in window.board.panels],
    "items": list(window.scene.stage.items),
    "texts": sorted(texts),
    "lanes": [lanes.item(row).text() for row in range(lanes.count())],
    "title": lanes.windowTitle(),
}))
window.close()
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which one plug-in of each kind is installed."""
    folder = tmp_path_factory.mktemp("site")
    install(folder, GROUPS)
    return folder


@pytest.fixture(scope="module")
def output(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return what one process reports on the plug-in: in lists, in a run, in checks."""
    output = run_python(LISTS + RUN + CHECKS, tmp_path_factory.mktemp("run"), installed)
    return json.loads(output.splitlines()[-1])


def test_plugins_are_in_lists_and_help(output: dict[str, Any]) -> None:
    output = output["lists"]
    assert {group: name for group, name in GROUPS.items() if name not in output["names"][group]} == {}
    assert output["qv"] == ["magnet", "brake", True]
    listed = (
        "gibbs_vector",
        "two_stages",
        "magnet",
        "brake",
        "outside_top",
        "wedge",
        "mean_orientation",
        "spin_energy",
        "lane_names",
    )
    for name in listed:
        assert name in output["listed"]
    assert output["hello"] == "hello from outside there\n"
    assert output["card"] == [3, 4]
    assert {"Source", "State", "Singularity", "Lambda", "Errata"} <= set(output["notes"])
    assert "brake" in output["offers"]
    help_text = output["help"]
    assert "## gibbs_vector: Gibbs vector\n\n$$J" in help_text["formulations"]
    assert "| `gibbs_vector` | 60 | 1.1 | 110 | 1.3 | - | - | - |" in help_text["formulations"]
    assert "## two_stages: Two stages\n\n$$y_1" in help_text["integrators"]
    assert "| `two_stages` | 2 | 31 | 0.5 | 41 | 0.5 |" in help_text["integrators"]
    assert "| `magnet` | $m \\times A^T B$ | none |" in help_text["loads"]
    assert "`wedge`" in help_text["loads"]
    assert "| rest from outside | neither rotation nor loads | constants |" in help_text["exact"]
    assert "| `mean_orientation` | rad | the mean angle, from outside |" in help_text["scripting"]
    assert "| `fastest` | the largest rate, from outside | rad/s |" in help_text["sweeps"]
    assert "    quatviz hello                               says hello from outside" in help_text["scripting"]
    for group, name in GROUPS.items():
        assert f"`{name}`" in help_text["extending"], group
    assert "loads#magnet" in output["found"]
    assert "magnet" in output["help command"]
    assert (output["packages"]["spin_angle"], output["packages"]["h"]) == ("outside 1.0", "")
    (message,) = output["doctor"]
    assert message["ok"]
    for group, name in GROUPS.items():
        assert f"{group}: {name}" in message["value"]


def test_checks_include_plugins(output: dict[str, Any]) -> None:
    output = output["checks"]
    assert "magnet" in output["loads"]
    for name, checks in output["checks"].items():
        assert checks, name
        assert [check for check in checks if not check["ok"]] == []


def test_run_accepts_plugins(output: dict[str, Any]) -> None:
    output = output["run"]
    assert output["status"] == ["ok", "ok", "ok"]
    assert output["apart"] < 1e-6
    assert 1e-9 < output["rough"] < 1e-4
    assert output["braked"] == pytest.approx(0.5, abs=0.01)
    assert output["exact"] == "ok"
    assert output["swept"] == [[1.0, 2.0]]
    assert output["sentence"] == "lanes: newton_euler\n"


def test_window_contains_plugins(installed: Path, tmp_path: Path) -> None:
    contents = json.loads(run_python(WINDOW, tmp_path, installed).splitlines()[-1])
    assert "spin_energy" in contents["panels"]
    assert "second_stem" in contents["items"]
    assert {"Gibbs vector", "Magnet", "Brake from outside here", "Lane names…"} <= set(contents["texts"])
    assert (contents["title"], contents["lanes"]) == ("Lane names", ["exact"])


TAKER = """
import inspect
from quatviz.base.registry import load_registry
own = next(iter(load_registry("{group}").values()))
if inspect.isclass(own):
    class Taker(own): ...
"""
"""A part of another package by the name of the first of quatviz's own: where parts are values, that one itself."""

TAKEN = """
from quatviz.base.registry import skip_reason, plugin_entry_points, load_registry
for group in {groups}:
    registry = load_registry(group)
    (point,) = plugin_entry_points(group)
    part = next(iter(registry.values()))
    kind = part if isinstance(part, type) else type(part)
    assert kind.__module__.startswith("quatviz."), group
    assert skip_reason(point).endswith(f"have {{part.name!r}} already; give it another name"), (group, skip_reason(point))
"""


def test_plugins_do_not_replace_built_in_extensions(tmp_path: Path) -> None:
    site, points = tmp_path / "site", []
    (site / "taker-1.0.dist-info").mkdir(parents=True)
    groups = [group for group in GROUPS if group != "commands"]
    for group in groups:
        (site / f"taker_{group}.py").write_text(TAKER.format(group=group))
        points.append(f"[quatviz.{group}]\ntaker = taker_{group}\n")
    (site / "taker-1.0.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: taker\nVersion: 1.0\n")
    (site / "taker-1.0.dist-info/entry_points.txt").write_text("\n".join(points))
    run_python(TAKEN.format(groups=groups), tmp_path, site)


def test_broken_plugin_is_ignored(installed: Path, tmp_path: Path) -> None:
    site = shutil.copytree(installed, tmp_path / "site")
    (site / "quatviz_gibbs_vector.py").write_text("raise RuntimeError('broken')")
    code = "import quatviz.physics.formulations as f; print('gibbs_vector' in f.FORMULATIONS, 'hamilton' in f.FORMULATIONS)"
    assert run_python(code, tmp_path, site).split() == ["False", "True"]


MUTATION = '\nFORMULATION_MUTATIONS["gibbs_vector"] = (Mutation("1.0, cross(g, omega))", "-1.0, cross(g, omega))"),)\n'


def test_formulation_in_a_checkout_needs_one_file(tmp_path: Path) -> None:
    """A copy of the tree with one additional file and an entry in the table of mutations passes the tests of formulations."""
    for name in ("quatviz", "tests"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("assets", "presets", "pyproject.toml", "README.md"):
        (tmp_path / name).symlink_to(ROOT / name)
    write_skeleton("formulation", "gibbs_vector", tmp_path / "begun")
    shutil.move(
        tmp_path / "begun/quatviz_gibbs_vector.py", tmp_path / "quatviz/physics/formulations/gibbs_vector.py"
    )
    with (tmp_path / "tests/verification/mutation_table.py").open("a") as table:
        table.write(MUTATION)
    code = (
        "import sys, pytest\n"
        "from quatviz.verification.parts.derivatives import check_formulation\n"
        "checks = list(check_formulation('gibbs_vector'))\n"
        "assert len(checks) > 10 and all(check.ok for check in checks)\n"
        "raise SystemExit(pytest.main(sys.argv[1:]))"
    )
    tests = [
        "tests/teaching/test_help_formulations.py",
        "tests/physics/test_cards.py",
        "tests/test_structure.py",
        "tests/verification/test_mutations.py",
    ]
    chosen = "gibbs_vector or formulations or (every and formulation) or (table and every)"
    arguments = ["-q", "-n0", "-p", "no:cacheprovider", "-k", chosen, *tests]
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    assert "gibbs_vector" not in done.stdout


def test_new_extensions_pass_their_own_tests(tmp_path: Path) -> None:
    """With `quatviz new`, `pip install` and `pytest`, for all kinds at once, because each new load
    recompiles kernels."""
    folders = [tmp_path / f"begun_{extension_type}" for extension_type in EXTENSION_TYPES]
    for extension_type, folder in zip(EXTENSION_TYPES, folders, strict=True):
        assert main(["new", extension_type, folder.name, "-o", str(folder)]) == 0
        with pytest.raises(InputError):
            write_skeleton(extension_type, folder.name, folder)
    packages = [str(folder) for folder in folders if (folder / "pyproject.toml").exists()]
    options = [
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
        "--target",
        str(tmp_path / "site"),
    ]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, *packages], check=True)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", *map(str, folders)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (tmp_path / "site", ROOT)))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    passed = {line.partition("::")[0] for line in done.stdout.splitlines() if line.startswith("PASSED")}
    assert {name.rpartition("/")[2] for name in passed} == {f"test_{folder.name}.py" for folder in folders}


@pytest.mark.parametrize("name", ["Bad", "two__scores", "9th", "rk4"])
def test_invalid_extension_name_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        write_skeleton("integrator", name, tmp_path / "there")
    assert not (tmp_path / "there").exists()
