"""The run beside a scene."""

from __future__ import annotations

from pathlib import Path

from quatviz import resources
from quatviz.core.errors import Refusal
from quatviz.core.preset import Lane, Preset
from quatviz.core.preset_files import find_preset
from quatviz.core.preset_text import read_preset
from quatviz.lessons.model import Scene
from quatviz.simulation.simulation import Simulation, lane_names


def preset_of(scene: Scene, folder: Path | None = None) -> Preset:
    """What the scene runs, complete. A preset that ends in .toml is a file in `folder`, that of the lesson."""
    name = scene.preset or ""
    if Path(name).name != name:
        raise Refusal(
            "preset",
            expected="the name of a preset, or of a file beside the lesson",
            found=repr(name),
            remedy="copy the preset into the folder of the lesson",
            key="preset",
            topic="lessons#scene",
        )
    beside = folder / name if folder is not None and name.endswith(".toml") else None
    preset = read_preset(beside or find_preset(name, resources.preset_folder()))
    try:
        lanes = [Lane.from_string(text) for text in scene.lanes] if scene.lanes else None
    except Refusal as refusal:
        raise refusal.at(refusal.place, "lanes") from None
    return preset.with_run(
        lanes=lanes,
        duration=scene.duration,
        dt=scene.dt,
        sample_interval=scene.sample_interval,
        integrator=scene.integrator,
    )


def lane_names_of(scene: Scene, folder: Path | None = None) -> list[str]:
    """The lanes' names in a run of the scene."""
    return lane_names(preset_of(scene, folder).lanes)


def simulation_of(scene: Scene, folder: Path | None = None) -> Simulation:
    """The run of the scene, computed to its end."""
    run = Simulation(preset_of(scene, folder))
    run.complete()
    return run
