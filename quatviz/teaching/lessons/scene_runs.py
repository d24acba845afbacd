"""What stands beside the words of a scene: its run, and how that is shown."""

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
    """What the scene runs, complete. A preset that ends in .toml is a file in `folder`, that of the lesson."""
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
    """The run of the scene, computed to its end."""
    run = Simulation(preset_of(scene, folder))
    run.complete()
    return run


def scene_view_state(scene: Scene, look: ViewState) -> ViewState:
    """How the scene is shown where a run was shown as `look` has it; cameras stay, unless the views are others. What a scene does
    not choose is as at a first start, whatever was chosen for the run before."""
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
    """The number of each lane of a lesson, by name, which its colour and its dashes go by: one lane has one number in all scenes,
    and lanes that are seen together have others. They are as low as that allows, for low ones are told apart best."""
    lane_groups = [lane_names(preset.lanes) for preset in presets_of(lesson)]
    numbers: dict[str, int] = {}
    for name in dict.fromkeys(name for names in lane_groups for name in names):
        taken = {numbers.get(other) for names in lane_groups if name in names for other in names}
        numbers[name] = next(number for number in range(len(taken) + 1) if number not in taken)
    return numbers


def lane_styles_of(preset: Preset, numbers: Mapping[str, int]) -> LaneStyles:
    """How the lanes of a scene's run look that have these `numbers`."""
    styles, names = LaneStyles.default_for(len(preset.lanes)), lane_names(preset.lanes)
    if not set(names) <= numbers.keys():
        return styles  # a preset beside the lesson was written anew meanwhile
    return replace(styles, colours=tuple(numbers[name] for name in names))


def presets_of(lesson: Lesson) -> Iterator[Preset]:
    """What the scenes run, one after the other; one that is refused says so when it is shown."""
    folder = lesson.path.parent if lesson.path is not None else None
    for step in lesson.steps:
        for part in step.parts:
            try:
                yield preset_of(part.scene, folder)
            except InputError:
                continue
