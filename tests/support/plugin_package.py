"""Installation of a plug-in package with one extension of each family."""

import shutil
from collections.abc import Mapping
from pathlib import Path

from quatviz.commands.new import write_skeleton

OUTSIDE = Path(__file__).parent / "outside"
GROUPS = {
    "formulations": "gibbs_vector",
    "integrators": "two_stages",
    "loads": "magnet",
    "quantities": "spin_angle",
    "shapes": "wedge",
    "events": "brake",
    "exact": "at_rest",
    "measures": "mean_orientation",
    "sweep_measures": "fastest",
    "boundaries": "half_speed",
    "formats": "tabs",
    "outputs": "spoken",
    "commands": "hello",
    "panels": "spin_energy",
    "items": "second_stem",
    "parts": "sums",
    "documents": "figure_9",
    "mistakes": "third_of_torque",
    "tools": "lane_names",
}
"""Name of the extension by entry point group."""
TEMPLATES = {
    "formulation": "gibbs_vector",
    "integrator": "two_stages",
    "load": "magnet",
    "quantity": "spin_angle",
    "panel": "spin_energy",
    "tool": "lane_names",
}
"""Extensions that are written by `quatviz new`. The others are modules of the package `outside`."""


def install(folder: Path, groups: Mapping[str, str]) -> None:
    """Install a package with these extensions in `folder`, as pip does."""
    shutil.copytree(OUTSIDE, folder / "outside", ignore=shutil.ignore_patterns("__pycache__"))
    modules = {name: f"outside.{name}" for name in groups.values()}
    for extension_type, name in TEMPLATES.items():
        if name in modules:
            write_skeleton(extension_type, name, folder / "templates" / name)
            modules[name] = f"quatviz_{name}"
            shutil.move(folder / "templates" / name / f"quatviz_{name}.py", folder)
    shutil.rmtree(folder / "templates", ignore_errors=True)
    (preset,) = (
        path for path in write_skeleton("preset", "outside_top", folder / "top") if path.suffix == ".toml"
    )
    shutil.move(preset, folder / "outside")
    shutil.rmtree(folder / "top")
    info = folder / "outside-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: outside\nVersion: 1.0\n")
    points = [f"[quatviz.{group}]\n{name} = {modules[name]}\n" for group, name in groups.items()]
    (info / "entry_points.txt").write_text("\n".join([*points, "[quatviz.presets]\noutside = outside\n"]))
