"""Run, view state and lane styles that a scene of a lesson defines."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from quatviz.base import resources
from quatviz.base.errors import InputError
from quatviz.display.panels import PANELS
from quatviz.display.view_state.choices import ANGLE_RANGE_CHOICE, FRAME_CHOICES, SEQUENCE_CHOICE
from quatviz.display.view_state.lane_styles import LaneStyles
from quatviz.display.view_state.view_layout import VIEW_COUNTS, ViewLayout
from quatviz.display.view_state.view_state import ViewState
from quatviz.files.preset import Lane, Preset
from quatviz.files.preset_files import find_preset
from quatviz.files.preset_reading import read_preset
from quatviz.simulation.simulation import Simulation, lane_names
from quatviz.teaching.lessons.model import Lesson, Scene


def preset_of(scene: Scene, folder: Path | None = None) -> Preset:
    """Return the preset for the run of a scene.

    Parameters
    ----------
    scene
        A completed scene.
    folder
        Folder of the lesson. It contains the presets whose names in the lesson end with .toml.

    Raises
    ------
    InputError
        If the preset or a lane of the scene is invalid.
    """
    name = scene.preset or ""
    if Path(name).name != name:
        raise InputError(
            expected="the name of a preset, or of a file beside the lesson",
            found=repr(name),
            remedy="copy the preset into the folder of the lesson",
            key="preset",
            topic="lessons#scene",
        )
    path = folder / name if folder is not None and name.endswith(".toml") else None
    preset = read_preset(path or find_preset(name, resources.preset_folder()))
    try:
        lanes = [Lane.from_string(text) for text in scene.lanes] if scene.lanes else None
    except InputError as refusal:
        raise refusal.with_place(refusal.place, "lanes") from None
    return preset.with_run(
        lanes=lanes,
        duration=scene.duration,
        dt=scene.dt,
        sample_interval=scene.sample_interval,
        integrator=scene.integrator,
    )


def simulation_of(scene: Scene, folder: Path | None = None) -> Simulation:
    """Compute and return the run of a scene."""
    run = Simulation(preset_of(scene, folder))
    run.complete()
    return run


def scene_view_state(scene: Scene, look: ViewState) -> ViewState:
    """Return the view state that a scene defines. `look` is the current view state.

    Cameras are kept unless the scene changes the views. Fields that the scene does not set get their default values.
    """
    layout = ViewLayout(number=scene.views or 1)
    if scene.frame is not None:
        layout = replace(
            layout, from_body=dict.fromkeys(range(1, VIEW_COUNTS[-1] + 1), scene.frame == "body")
        )
    options: dict[str, str] = {}
    if scene.components is not None:
        options |= {choice.name: scene.components for choice in FRAME_CHOICES}
    if scene.sequence is not None:
        options[SEQUENCE_CHOICE.name] = scene.sequence
    if scene.turns is not None:
        options[ANGLE_RANGE_CHOICE.name] = scene.turns
    return replace(
        look,
        panels={name: name in scene.panels for name in PANELS} if scene.panels else {},
        options=options,
        difference=bool(scene.difference),
        items={**dict.fromkeys(scene.show or (), True), **dict.fromkeys(scene.hide or (), False)},
        views=layout,
        cameras=look.cameras if layout == look.views else {},
        magnification=scene.magnify or 0,
        scrolled=(),
    )


def lane_numbers(lesson: Lesson) -> dict[str, int]:
    """Return the style number of each lane of a lesson, by lane name. The number determines color and line pattern.

    A lane has the same number in all scenes, and lanes that are shown together have different numbers. Numbers are as small
    as possible, because the first styles are easiest to distinguish.
    """
    lane_groups = [lane_names(preset.lanes) for preset in presets_of(lesson)]
    numbers: dict[str, int] = {}
    for name in dict.fromkeys(name for names in lane_groups for name in names):
        taken = {numbers.get(other) for names in lane_groups if name in names for other in names}
        numbers[name] = next(number for number in range(len(taken) + 1) if number not in taken)
    return numbers


def lane_styles_of(preset: Preset, numbers: Mapping[str, int]) -> LaneStyles:
    """Return the lane styles for the run of a scene. `numbers` are the style numbers of the lanes, by name."""
    styles, names = LaneStyles.default_for(len(preset.lanes)), lane_names(preset.lanes)
    if not set(names) <= numbers.keys():
        return styles  # the preset beside the lesson has changed meanwhile
    return replace(styles, colours=tuple(numbers[name] for name in names))


def presets_of(lesson: Lesson) -> Iterator[Preset]:
    """Yield the presets of all scenes. Invalid presets are skipped; their errors are reported when the scene is
    shown."""
    folder = lesson.path.parent if lesson.path is not None else None
    for step in lesson.steps:
        for part in step.parts:
            try:
                yield preset_of(part.scene, folder)
            except InputError:
                continue
