"""The table of all actions of the main window: texts, shortcuts, callbacks and states.

Menus, shortcuts, the list of keys, the help's list of keys and the command palette are made from this table. Tools add their own
actions, see `quatviz.ui.tools`. Callbacks reach dialogs, tool windows and lessons through the window's `tools`.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import Qt

from quatviz.base.translation import tr
from quatviz.display.document.document import Document
from quatviz.display.document.lane_laws import LANE_LAWS_TEXT
from quatviz.display.view_state.arrangement import PanelLayout
from quatviz.display.view_state.camera import VIEW_DIRECTIONS
from quatviz.display.view_state.choices import AXES_CHOICE, SCALAR_CHOICE
from quatviz.display.view_state.theme import INTERFACE_SCALES, THEMES
from quatviz.display.view_state.view_layout import VIEW_COUNTS
from quatviz.display.view_state.view_state import ViewState
from quatviz.physics.events import event_templates
from quatviz.physics.formulations import formulation_class
from quatviz.simulation.commands import (
    ClearRange,
    Play,
    Seek,
    SetLoop,
    SetPlaybackRate,
    StepSamples,
    StepTimeSteps,
    Toggle,
    ToggleLoop,
)
from quatviz.simulation.simulation import lane_names
from quatviz.teaching.help.actions import Action, DynamicMenu, Menu, ToolRows
from quatviz.teaching.lessons.presentation import Votes
from quatviz.ui.plots.board import add_panel_toggles, add_reference_lane_toggles
from quatviz.ui.scene.view_grid import add_item_toggles, add_lane_toggles
from quatviz.ui.tools import TOOLS
from quatviz.ui.tools.base import insert_tools
from quatviz.ui.transport.transport_bar import SPEEDS
from quatviz.ui.window.main_window import MainWindow

A = Action[MainWindow]


def _shows(test: Callable[[ViewState], bool]) -> Callable[[MainWindow], bool]:
    """Return a function that tells whether an action is checked, by applying `test` to the view state of the window."""
    return lambda window: test(window.store.state)


def _update(fields: Callable[[ViewState], dict[str, Any]]) -> Callable[[MainWindow], None]:
    """Return an action callback that sets fields of the view state. `fields` returns their new values by name."""
    return lambda window: window.store.update(**fields(window.store.state))


def _has_several_views(view_state: ViewState) -> bool:
    return view_state.views.number > 1


def _shows_own_axes(view_state: ViewState) -> bool:
    return view_state.options.get(AXES_CHOICE.name) == "own"


def first_recorded_lane(window: MainWindow) -> str:
    """Return the name of the first lane that is a recording, or an empty string."""
    lanes = window.document.state.preset.lanes
    named = zip(lane_names(lanes), lanes, strict=True)
    return next((name for name, lane in named if formulation_class(lane.formulation).is_recorded), "")


def undo_target(window: MainWindow, redo: bool = False) -> Document | Votes:
    """Return the object on which the next undo (or redo, if `redo` is True) acts: the document, or the votes of a lesson."""
    return window.tools.undoable_votes(undo=not redo) or window.document


def toggle_full_screen(window: MainWindow) -> None:
    """Toggle full screen."""
    window.setWindowState(window.windowState() ^ Qt.WindowState.WindowFullScreen)


FILE: Menu[MainWindow] = Menu(
    "&File",
    (
        A("start_page", "Start page", lambda w: w.tools.toggle_start_page(), ("F4",), keeps_start_page=True),
        A("gallery", "Choose a preset…", lambda w: w.side.show_gallery(), ("Ctrl+P",)),
        None,
        A("new", "New run", lambda w: w.file_actions.new(), ("Ctrl+N",), "New"),
        A(
            *("open", "Open a session, a preset or a recording…", lambda w: w.file_actions.ask_open()),
            ("Ctrl+O",),
            "Open",
            keeps_start_page=True,
        ),
        ToolRows("import"),
        DynamicMenu("Open recent", lambda w, menu: w.file_actions.fill_recent(menu)),
        None,
        A("save", "Save the session", lambda w: w.file_actions.save(), ("Ctrl+S",), "Save"),
        A("save_as", "Save the session as…", lambda w: w.file_actions.ask_save(), ("Ctrl+Shift+S",), "SaveAs"),
        A("save_preset", "Save as a preset…", lambda w: w.file_actions.ask_save_preset()),
        DynamicMenu("Restore deleted preset", lambda w, menu: w.side.picker.fill_deleted(menu)),
        None,
        Menu(
            "Export",
            (ToolRows("export"),),
        ),
        None,
        A("quit", "Quit", lambda w: w.close(), ("Ctrl+Q",), "Quit", keeps_start_page=True),
    ),
)  # fmt: skip

EDIT: Menu[MainWindow] = Menu(
    "&Edit",
    (
        A(
            *("undo", "Undo", lambda w: undo_target(w).undo(), ("Ctrl+Z",), "Undo"),
            is_enabled=lambda w: bool(undo_target(w).steps),
            dynamic_text=lambda w: " ".join([tr("Undo"), *(step.text for step in undo_target(w).steps[-1:])]),
        ),
        A(
            *("redo", "Redo", lambda w: undo_target(w, redo=True).redo(), ("Ctrl+Shift+Z", "Ctrl+Y"), "Redo"),
            is_enabled=lambda w: bool(undo_target(w, redo=True).redo_steps),
            dynamic_text=lambda w: " ".join(
                [tr("Redo"), *(step.text for step in undo_target(w, redo=True).redo_steps[:1])]
            ),
        ),
        A(
            *("reset_preset", "Revert to preset", lambda w: w.file_actions.reset()),
            is_enabled=lambda w: w.file_actions.can_reset,
        ),
        None,
        A("copy", "Copy the values at the cursor", lambda w: w.board.copy_values(), ("Ctrl+C",), "Copy"),
        A(
            *("copy_picture", "Copy as picture", lambda w: w.tools.exporter.copy_figure()),
            item_callback=lambda w, panel: w.tools.exporter.copy_figure(panel),
        ),
        A("copy_run", "Copy the run as text", lambda w: w.file_actions.copy_run(), ("Ctrl+Shift+C",)),
        A("paste_run", "Paste a run", lambda w: w.file_actions.paste_run(), ("Ctrl+V",), "Paste"),
    ),
)

_DIRECTIONS: Menu[MainWindow] = Menu(
    "Camera direction",
    (
        *(
            A(name, direction.title, partial(lambda name, w: w.views.look_from(name), name), (direction.key,))
            for name, direction in VIEW_DIRECTIONS.items()
        ),
        None,
        A(
            *(
                "from_body",
                "Seen from the body",
                lambda w: w.views.toggle_from_body(),
            ),
            ("B",),
            is_checked=lambda w: w.views.is_from_body,
        ),
    ),
)

_VIEWS: Menu[MainWindow] = Menu(
    "Views",
    (
        *(
            A(
                *(f"views_{number}", text, partial(lambda number, w: w.views.set_number(number), number)),
                (f"Ctrl+{number}",),
                is_checked=_shows(partial(lambda number, state: state.views.number == number, number)),
            )
            for number, text in zip(
                VIEW_COUNTS, ("One 3D view", "Two 3D views", "Four 3D views"), strict=True
            )
        ),
        None,
        A(
            *(
                "each",
                "One lane for each view",
                _update(lambda state: {"views": replace(state.views, each=not state.views.each)}),
                ("O",),
            ),
            is_checked=_shows(lambda state: state.views.each),
            is_enabled=_shows(_has_several_views),
        ),
        A(
            *("link", "Linked cameras"),
            _update(lambda state: {"views": replace(state.views, linked=not state.views.linked)}),
            ("L",),
            is_checked=_shows(lambda state: state.views.linked),
            is_enabled=_shows(_has_several_views),
        ),
        A(
            *("next_view", "To the next view", lambda w: w.views.activate_next(), ("V",)),
            is_enabled=_shows(_has_several_views),
        ),
        DynamicMenu("Lane of this view", lambda w, menu: add_lane_toggles(menu, w.views)),
    ),
)

_TIME_AXIS: Menu[MainWindow] = Menu(
    "Time axis",
    (
        A("zoom_in", "Zoom in about the cursor", lambda w: w.axis.zoom_by_key(1), ("+", "="), "ZoomIn"),
        A("zoom_out", "Zoom out", lambda w: w.axis.zoom_by_key(-1), ("-",), "ZoomOut"),
        A("earlier", "Show earlier times", lambda w: w.axis.pan_by_key(-1), (",",)),
        A("later", "Show later times", lambda w: w.axis.pan_by_key(1), (".",)),
        A("fit_time", "Show the whole run", lambda w: w.axis.show_all(), ("Shift+F",)),
        A(
            *("follow", "Follow the cursor", lambda w: w.board.toggle_follow(), ("Ctrl+F",)),
            is_checked=_shows(lambda state: state.follow),
        ),
        None,
        A("zoom_range", "Zoom to the selected times", lambda w: w.board.zoom_to_range(), ("Z",)),
        A(
            *("loop_range", "Repeat the selected times", lambda w: w.send(SetLoop(True), Play())),
            is_enabled=lambda w: w.axis.selected is not None,
        ),
        A(
            *("clear_range", "Clear selection", lambda w: w.send(ClearRange())),
            is_enabled=lambda w: w.axis.selected is not None,
        ),
        A(
            *("escape", "Restore panels; clear selection", lambda w: w.board.escape(), ("Esc",)),
            has_shared_shortcuts=True,
        ),
    ),
)

VIEW: Menu[MainWindow] = Menu(
    "&View",
    (
        A("fit", "Fit the 3D view", lambda w: w.views.fit(), ("F",)),
        _DIRECTIONS,
        _VIEWS,
        DynamicMenu("Show in 3D", lambda w, menu: add_item_toggles(menu, w.views)),
        None,
        A(
            *("overview", "Overview: the five main plots"),
            _update(lambda state: {"overview": not state.overview, "maximised": ""}),
            ("A",),
            is_checked=_shows(lambda state: state.overview),
        ),
        A(
            *("measure", "Measure a curve", lambda w: w.board.measurement.toggle(), ("Q",)),
            is_checked=_shows(lambda state: state.measurement.on),
        ),
        DynamicMenu("Panels", lambda w, menu: add_panel_toggles(menu, w.board)),
        _TIME_AXIS,
        Menu(
            "Layout",
            (
                A(
                    *("scalar_last", "Euler parameters with the scalar last", lambda w: w.choices.toggle(SCALAR_CHOICE)),
                    is_checked=_shows(lambda state: state.options.get(SCALAR_CHOICE.name) == "last"),
                ),
                A(
                    *("own_axes", "Separate axis per component", lambda w: w.choices.toggle(AXES_CHOICE)),
                    is_checked=_shows(_shows_own_axes),
                ),
                A("arrange", "Auto-arrange panels", _update(lambda _: {"layout": PanelLayout(), "maximised": ""})),
                DynamicMenu("Side column", lambda w, menu: w.side.fill_sections(menu)),
                A("reset_look", "Reset layout and appearance", lambda w: w.tools.reset_view()),
            ),
        ),
        None,
        Menu(
            "Theme",
            (
                A(
                    *("theme", "Next theme: dark, light, projector", lambda w: w.theme_switch.show_next(), ("Ctrl+T",)),
                    keeps_start_page=True,
                ),
                None,
                *(
                    A(
                        *(f"theme_{name}", name.capitalize(), partial(lambda theme, w: w.theme_switch.show(theme), theme)),
                        is_checked=partial(lambda name, w: w.theme.name == name, name),
                        keeps_start_page=True,
                    )
                    for name, theme in THEMES.items()
                ),
            ),
        ),
        Menu(
            "Interface scale",
            tuple(
                A(
                    *(f"scale_{scale}", f"{scale} %", partial(lambda scale, w: w.tools.set_scale(scale), scale)),
                    is_checked=partial(lambda scale, w: w.tools.scale == scale, scale),
                    keeps_start_page=True,
                )
                for scale in INTERFACE_SCALES
            ),
        ),
        A(
            *("describe", "Text description…"),
            lambda w: w.narrator.describe(w.visible_angles.sequence(), w.views.is_visible("gimbals")),
            ("Shift+D",),
        ),
        A(
            *("full_screen", "Full screen", lambda w: toggle_full_screen(w), ("F11",), "FullScreen"),
            is_checked=lambda w: w.isFullScreen(),
            keeps_start_page=True,
        ),
        Menu(
            "Keyboard",
            (
                A("menus", "To the menus", lambda w: w.keyboard_focus.focus_menu_bar(), ("F10",), keeps_start_page=True),
                A("next_part", "Next pane", lambda w: w.keyboard_focus.focus_part(1), ("F6",)),
                A("part_before", "Previous pane", lambda w: w.keyboard_focus.focus_part(-1), ("Shift+F6",)),
            ),
        ),
    ),
)  # fmt: skip

RUN: Menu[MainWindow] = Menu(
    "&Run",
    (
        A("toggle", "Play or pause", lambda w: w.keyboard_focus.press_or(lambda: w.send(Toggle())), ("Space",)),
        A("backward", "Play backward", lambda w: w.send(Toggle(backward=True)), ("Shift+Space",)),
        A("restart", "Play from the start", lambda w: w.send(Seek(0.0), Play(backward=False)), ("R",)),
        A(
            *("loop", "Repeat the run, or the selected times", lambda w: w.send(ToggleLoop()), ("Ctrl+L",)),
            is_checked=lambda w: w.shown_run.loops,
        ),
        Menu(
            "Speed",
            tuple(
                A(
                    *(f"speed_{speed:g}", f"{speed:g}×", partial(lambda speed, w: w.send(SetPlaybackRate(speed)), speed)),
                    is_checked=partial(lambda speed, w: w.shown_run.speed == speed, speed),
                )
                for speed in SPEEDS
            ),
        ),
        Menu(
            "Step",
            (
                A("back", "One sample back", lambda w: w.send(StepSamples(-1)), ("Left",)),
                A("forward", "One sample forward", lambda w: w.send(StepSamples(1)), ("Right",)),
                A("far_back", "Ten samples back", lambda w: w.send(StepSamples(-10)), ("Shift+Left",)),
                A("far_forward", "Ten samples forward", lambda w: w.send(StepSamples(10)), ("Shift+Right",)),
                A("fine_back", "One step dt back, between samples", lambda w: w.send(StepTimeSteps(-1)), ("Alt+Left",)),
                A("fine_forward", "One step dt forward, between samples", lambda w: w.send(StepTimeSteps(1)), ("Alt+Right",)),
            ),
        ),
        None,
        A("mark_back", "To the previous marker", lambda w: w.transport.go_to_marker(-1), ("Ctrl+Left",)),
        A("mark_forward", "To the next marker", lambda w: w.transport.go_to_marker(1), ("Ctrl+Right",)),
        A("go_to", "Go to time…", lambda w: w.transport.edit_time(), ("G",)),
        A("home", "To the start", lambda w: w.send(Seek(0.0)), ("Home",)),
        A("end", "To the end", lambda w: w.send(Seek(w.axis.duration)), ("End",)),
    ),
)  # fmt: skip

LANES: Menu[MainWindow] = Menu(
    "&Lanes",
    (
        DynamicMenu("Lane", lambda w, menu: w.side.fill_lane_menus(menu)),
        A(
            *("rename_lane", "Rename the lane…", lambda w: w.side.rename_lane(), ("F2",)),
            is_enabled=lambda w: w.store.is_recording,
            item_callback=lambda w, lane: w.side.rename_lane(lane),
        ),
        A(
            *("lane_numbers", "Numbers below the lanes"),
            _update(lambda state: {"lane_numbers": not state.lane_numbers}),
            is_checked=_shows(lambda state: state.lane_numbers),
        ),
        None,
        ToolRows("lanes"),
        Menu(
            "Torque laws",
            (
                A("write_law", "Write your own law…", lambda w: w.side.write_law()),
                A("lane_laws", LANE_LAWS_TEXT, lambda w: w.side.give_lanes_own_laws()),
            ),
        ),
        Menu(
            "Differences",
            (
                A(
                    *("difference", "Differences from the reference lane"),
                    _update(lambda state: {"difference": not state.difference}),
                    ("D",),
                    is_checked=_shows(lambda state: state.difference),
                ),
                DynamicMenu("Reference lane", lambda w, menu: add_reference_lane_toggles(menu, w.board)),
                A(
                    *("against_recording", "Errors against the recording"),
                    lambda w: w.choices.toggle_difference_to(first_recorded_lane(w)),
                    is_checked=lambda w: w.choices.difference and w.choices.reference == first_recorded_lane(w),
                    is_enabled=lambda w: bool(first_recorded_lane(w)),
                ),
                None,
                A("magnify", "Magnify differences in 3D ten times more", lambda w: w.magnifier.step(1), ("M",)),
                A("magnify_less", "Magnify differences in 3D ten times less", lambda w: w.magnifier.step(-1), ("Shift+M",)),
            ),
        ),
        None,
        ToolRows("analysis"),
    ),
)  # fmt: skip

_OFFER_KEYS = {
    "kick": ("K",),
    "flip": ("N",),
    "perturb_length": ("P",),
    "perturb_rate": ("Shift+P",),
    "reverse": ("Shift+R",),
}
"""Shortcuts that apply events at the cursor, by event name. All other events have only a menu entry."""

EXPERIMENT: Menu[MainWindow] = Menu(
    "E&xperiment",
    (
        *(
            A(
                *(name, f"{offer.label} here{'…' if offer.values else ''}"),
                partial(lambda name, w: w.experiments.perform(name), name),
                _OFFER_KEYS.get(name, ()),
            )
            for name, (_, offer) in event_templates().items()
        ),
        None,
        ToolRows("experiment"),
        None,
        A(
            *(
                "branch",
                "Apply edits at the cursor",
                lambda w: w.experiments.toggle_branching(),
                ("Ctrl+B",),
            ),
            is_checked=lambda w: w.experiments.is_branching,
        ),
        A("dismiss", "Hide previous result", lambda w: w.experiments.dismiss_previous_run(), ("X",)),
    ),
)


def _presentation_text(window: MainWindow) -> str:
    """Return the current menu text of the action on the key F5: present a lesson, or enter or leave presentation mode."""
    if not window.tools.is_presenting:
        return tr("Present a lesson…")
    return tr("Leave presentation mode") if window.tools.in_presentation_mode else tr("Presentation mode")


LESSONS: Menu[MainWindow] = Menu(
    "Le&ssons",
    (
        A(
            *("lesson_open", "Present a lesson; then presentation mode on or off"),
            lambda w: (
                w.tools.control_lesson("presentation") if w.tools.is_presenting else w.tools.choose_lesson()
            ),
            ("F5",),
            keeps_start_page=True,
            dynamic_text=lambda w: _presentation_text(w),
        ),
        A(
            *("lesson_other", "Present another lesson…", lambda w: w.tools.choose_lesson(), ("Ctrl+F5",)),
            is_enabled=lambda w: w.tools.is_presenting,
        ),
        None,
        *(
            A(
                *(
                    f"lesson_{what}",
                    text,
                    partial(lambda what, w: w.tools.control_lesson(what), what),
                    (key,),
                ),
                is_enabled=lambda w: w.tools.is_presenting,
            )
            for what, text, key in (
                ("next", "Next page of the lesson, or the answer", "PgDown"),
                ("back", "Previous page of the lesson", "PgUp"),
                ("votes", "Start or finish vote count", "Ctrl+Shift+V"),
                ("pointer", "Pointer spot", "Ctrl+."),
                ("leave", "End lesson", "Ctrl+W"),
            )
        ),
        None,
        ToolRows("lessons"),
    ),
)

HELP: Menu[MainWindow] = Menu(
    "&Help",
    (
        A(
            "find",
            "Find anything…",
            lambda w: w.command_palette.find_anything(),
            ("Ctrl+Shift+P", "/"),
            keeps_start_page=True,
        ),
        None,
        ToolRows("help"),
        A("keys", "Keyboard shortcuts", lambda w: w.key_overlay.toggle(), ("?",), keeps_start_page=True),
        A("first_steps", "Tour of the window", lambda w: w.tools.start_tour()),
    ),
)

ACTIONS: tuple[Menu[MainWindow], ...] = insert_tools(
    (FILE, EDIT, VIEW, RUN, LANES, EXPERIMENT, LESSONS, HELP), TOOLS
)
