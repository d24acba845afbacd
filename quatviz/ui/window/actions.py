"""Every act of the main window, in one table: what it is called, its keys, what it does, whether it is on.

Menus, keys, the list that `?` shows, the help's list of keys and the palette are made from it. An act that is done to
something else than a part of the window goes through its `tools`.
"""

from functools import partial

from quatviz.base.translation import tr
from quatviz.display.view_state.camera import DIRECTIONS
from quatviz.display.view_state.choices import AXES
from quatviz.display.view_state.theme import SCALES, THEMES
from quatviz.display.view_state.view_layout import NUMBERS
from quatviz.physics.events import offers
from quatviz.physics.formulations import kind_of
from quatviz.simulation.commands import (
    ClearRange,
    FineStep,
    Play,
    Seek,
    SetLoop,
    SetPace,
    Step,
    Toggle,
    ToggleLoop,
)
from quatviz.simulation.simulation import lane_names
from quatviz.teaching.help.actions import Act, Fill, Menu
from quatviz.ui.plots.board import add_panels, add_references
from quatviz.ui.scene.view_grid import fill_items, fill_lanes
from quatviz.ui.tools.hashes import HashDialog
from quatviz.ui.transport.transport_bar import SPEEDS
from quatviz.ui.widgets.controls import open_topic
from quatviz.ui.window.main_window import MainWindow

A = Act[MainWindow]


def recorded_lane(window: MainWindow) -> str:
    """The name of the first lane that is a recording; empty where none is."""
    lanes = window.document.state.preset.lanes
    named = zip(lane_names(lanes), lanes, strict=True)
    return next((name for name, lane in named if kind_of(lane.formulation).recorded), "")


FILE: Menu[MainWindow] = Menu(
    "&File",
    (
        A("start_page", "Start page", lambda w: w.tools.toggle_start_page(), ("F4",), stays=True),
        A("gallery", "Choose a preset…", lambda w: w.side.picker.show_gallery(), ("Ctrl+P",)),
        None,
        A("new", "New run", lambda w: w.desk.new(), ("Ctrl+N",), "New"),
        A("open", "Open a session or a preset…", lambda w: w.desk.ask_open(), ("Ctrl+O",), "Open", stays=True),
        A("import", "Import recordings…", lambda w: w.desk.ask_import()),
        Fill("Open recent", lambda w, menu: w.desk.fill_recent(menu)),
        None,
        A("save", "Save the session", lambda w: w.desk.save(), ("Ctrl+S",), "Save"),
        A("save_as", "Save the session as…", lambda w: w.desk.ask_save(), ("Ctrl+Shift+S",), "SaveAs"),
        A("save_preset", "Save as a preset…", lambda w: w.desk.ask_save_preset()),
        None,
        Menu(
            "Export",
            (
                A(
                    *("export_figure", "Export a figure…", lambda w: w.tools.exporter.ask("figure"), ("Ctrl+E",)),
                    of=lambda w, panel: w.tools.exporter.ask("figure", panel),
                ),
                A("export_data", "Export data…", lambda w: w.tools.exporter.ask("data"), ("Ctrl+Shift+E",)),
                A("export_page", "Export page…", lambda w: w.tools.exporter.ask("page")),
                A("export_film", "Export a film…", lambda w: w.tools.exporter.ask("film")),
                A(
                    *("export_documents", "Make the documents' figures and tables…"),
                    lambda w: w.tools.exporter.ask("documents"),
                ),
            ),
        ),
        None,
        A("quit", "Close the window", lambda w: w.close(), ("Ctrl+Q",), "Quit", stays=True),
    ),
)  # fmt: skip

EDIT: Menu[MainWindow] = Menu(
    "&Edit",
    (
        A(
            *("undo", "Undo", lambda w: w.way_back().undo(), ("Ctrl+Z",), "Undo"),
            enabled=lambda w: bool(w.way_back().steps),
            said=lambda w: " ".join([tr("Undo"), *(step.text for step in w.way_back().steps[-1:])]),
        ),
        A(
            *("redo", "Redo", lambda w: w.way_back(on=True).redo(), ("Ctrl+Shift+Z", "Ctrl+Y"), "Redo"),
            enabled=lambda w: bool(w.way_back(on=True).undone),
            said=lambda w: " ".join([tr("Redo"), *(step.text for step in w.way_back(on=True).undone[:1])]),
        ),
        A(
            *("reset_preset", "Reset to the preset", lambda w: w.desk.reset()),
            enabled=lambda w: w.desk.resettable,
        ),
        None,
        A("copy", "Copy the values at the cursor", lambda w: w.board.copy_values(), ("Ctrl+C",), "Copy"),
        A(
            *("copy_picture", "Copy as picture", lambda w: w.tools.exporter.copy()),
            of=lambda w, panel: w.tools.exporter.copy(panel),
        ),
        A("copy_run", "Copy the run as text", lambda w: w.desk.copy_run(), ("Ctrl+Shift+C",)),
        A("paste_run", "Paste a run", lambda w: w.desk.paste_run(), ("Ctrl+V",), "Paste"),
    ),
)

_DIRECTIONS: Menu[MainWindow] = Menu(
    "Direction of the view",
    (
        *(
            A(name, one.title, partial(lambda name, w: w.views.look(name), name), (one.key,))
            for name, one in DIRECTIONS.items()
        ),
        None,
        A(
            *(
                "from_body",
                "Seen from the body",
                lambda w: w.views.set_from_body(not w.views.current.from_body),
            ),
            ("B",),
            checked=lambda w: w.views.current.from_body,
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
                checked=partial(lambda number, w: w.views.plan.number == number, number),
            )
            for number, text in zip(NUMBERS, ("One 3D view", "Two 3D views", "Four 3D views"), strict=True)
        ),
        None,
        A(
            *("each", "One lane for each view", lambda w: w.views.set_each(not w.views.plan.each), ("O",)),
            checked=lambda w: w.views.plan.each,
            enabled=lambda w: w.views.plan.number > 1,
        ),
        A(
            *("link", "Linked cameras", lambda w: w.views.set_linked(not w.views.plan.linked), ("L",)),
            checked=lambda w: w.views.plan.linked,
            enabled=lambda w: w.views.plan.number > 1,
        ),
        A(
            *("next_view", "To the next view", lambda w: w.views.activate_next(), ("V",)),
            enabled=lambda w: w.views.plan.number > 1,
        ),
        Fill("Lane of this view", lambda w, menu: fill_lanes(menu, w.views)),
    ),
)

_TIME_AXIS: Menu[MainWindow] = Menu(
    "Time axis",
    (
        A("zoom_in", "Zoom in about the cursor", lambda w: w.board.axis.zoom_by_key(1), ("+", "="), "ZoomIn"),
        A("zoom_out", "Zoom out", lambda w: w.board.axis.zoom_by_key(-1), ("-",), "ZoomOut"),
        A("earlier", "Show earlier times", lambda w: w.board.axis.pan_by_key(-1), (",",)),
        A("later", "Show later times", lambda w: w.board.axis.pan_by_key(1), (".",)),
        A("fit_time", "Show the whole run", lambda w: w.board.axis.fit(), ("Shift+F",)),
        A(
            *("follow", "Follow the cursor", lambda w: w.toggle_follow(), ("Ctrl+F",)),
            checked=lambda w: w.board.axis.following,
        ),
        None,
        A("zoom_range", "Zoom to the selected times", lambda w: w.zoom_to_range(), ("Z",)),
        A(
            *("loop_range", "Repeat the selected times", lambda w: w.send(SetLoop(True), Play())),
            enabled=lambda w: w.board.axis.selected is not None,
        ),
        A(
            *("clear_range", "Select no times", lambda w: w.send(ClearRange())),
            enabled=lambda w: w.board.axis.selected is not None,
        ),
        A(
            *("escape", "All panels again; select no times", lambda w: w.board.escape(), ("Esc",)),
            elsewhere=True,
        ),
    ),
)

VIEW: Menu[MainWindow] = Menu(
    "&View",
    (
        A("fit", "Fit the 3D view", lambda w: w.views.fit(), ("F",)),
        _DIRECTIONS,
        _VIEWS,
        Fill("Items", lambda w, menu: fill_items(menu, w.views)),
        None,
        Fill("Panels", lambda w, menu: add_panels(menu, w.board)),
        A(
            *("own_axes", "An axis of its own for each component", lambda w: w.board.choices.switch(AXES)),
            checked=lambda w: w.board.choices.option(AXES) == "own",
        ),
        _TIME_AXIS,
        Menu(
            "Layout",
            (
                A("arrange", "Arrange the panels anew", lambda w: w.board.arranger.arrangement.reset()),
                Fill("Side column", lambda w, menu: w.side.fill_sections(menu)),
                A("reset_look", "Reset layout and look", lambda w: w.tools.reset_look()),
            ),
        ),
        None,
        Menu(
            "Theme",
            (
                A("theme", "Next theme: dark, light, projector", lambda w: w.next_theme(), ("Ctrl+T",), stays=True),
                None,
                *(
                    A(
                        *(f"theme_{name}", name.capitalize(), partial(lambda theme, w: w.show_theme(theme), theme)),
                        checked=partial(lambda name, w: w.theme.name == name, name),
                        stays=True,
                    )
                    for name, theme in THEMES.items()
                ),
            ),
        ),
        Menu(
            "Size of everything",
            tuple(
                A(
                    *(f"scale_{scale}", f"{scale} %", partial(lambda scale, w: w.tools.set_scale(scale), scale)),
                    checked=partial(lambda scale, w: w.tools.scale == scale, scale),
                    stays=True,
                )
                for scale in SCALES
            ),
        ),
        A(
            *("describe", "Describe what is seen…"),
            lambda w: w.narrator.describe(w.angles_seen(), w.views.shows("gimbals")),
            ("Shift+D",),
        ),
        None,
        A(
            *("full_screen", "Full screen", lambda w: w.toggle_full_screen(), ("F11",), "FullScreen"),
            checked=lambda w: w.isFullScreen(),
            stays=True,
        ),
        Menu(
            "Keyboard",
            (
                A("menus", "To the menus", lambda w: w.reach_menus(), ("F10",), stays=True),
                A("next_part", "To the next part of the window", lambda w: w.reach_part(1), ("F6",)),
                A("part_before", "To the part before it", lambda w: w.reach_part(-1), ("Shift+F6",)),
            ),
        ),
    ),
)  # fmt: skip

RUN: Menu[MainWindow] = Menu(
    "&Run",
    (
        A("toggle", "Play or pause", lambda w: w.press_or_toggle(), ("Space",)),
        A("backward", "Play backward", lambda w: w.send(Toggle(backward=True)), ("Shift+Space",)),
        A("restart", "Play from the start", lambda w: w.send(Seek(0.0), Play(backward=False)), ("R",)),
        A(
            *("loop", "Repeat the run, or the selected times", lambda w: w.send(ToggleLoop()), ("Ctrl+L",)),
            checked=lambda w: w.frame is not None and w.frame.loop,
        ),
        Menu(
            "Speed",
            tuple(
                A(
                    *(f"speed_{speed:g}", f"{speed:g}×", partial(lambda speed, w: w.send(SetPace(speed)), speed)),
                    checked=partial(lambda speed, w: w.frame is not None and abs(w.frame.speed) == speed, speed),
                )
                for speed in SPEEDS
            ),
        ),
        Menu(
            "Step",
            (
                A("back", "One sample back", lambda w: w.send(Step(-1)), ("Left",)),
                A("forward", "One sample forward", lambda w: w.send(Step(1)), ("Right",)),
                A("far_back", "Ten samples back", lambda w: w.send(Step(-10)), ("Shift+Left",)),
                A("far_forward", "Ten samples forward", lambda w: w.send(Step(10)), ("Shift+Right",)),
                A("fine_back", "One step dt back, between samples", lambda w: w.send(FineStep(-1)), ("Alt+Left",)),
                A("fine_forward", "One step dt forward, between samples", lambda w: w.send(FineStep(1)), ("Alt+Right",)),
            ),
        ),
        None,
        A("mark_back", "To the mark before", lambda w: w.to_mark(-1), ("Ctrl+Left",)),
        A("mark_forward", "To the next mark", lambda w: w.to_mark(1), ("Ctrl+Right",)),
        A("go_to", "To a time that is typed", lambda w: w.transport.ask_time(), ("G",)),
        A("home", "To the start", lambda w: w.send(Seek(0.0)), ("Home",)),
        A("end", "To the end", lambda w: w.send(Seek(w.board.axis.duration)), ("End",)),
    ),
)  # fmt: skip

LANES: Menu[MainWindow] = Menu(
    "&Lanes",
    (
        Fill("Add a lane", lambda w, menu: w.side.lane_list.fill_formulations(menu)),
        Fill("Lane", lambda w, menu: w.side.lane_list.fill_lanes(menu)),
        A(
            *("rename_lane", "Rename the lane…", lambda w: w.side.rename_lane(), ("F2",)),
            enabled=lambda w: not w.lent,
            of=lambda w, lane: w.side.rename_lane(lane),
        ),
        A(
            *("lane_numbers", "Numbers below the lanes"),
            lambda w: w.side.lane_list.show_numbers(not w.side.lane_list.numbered),
            checked=lambda w: w.side.lane_list.numbered,
        ),
        None,
        A(
            *("equations", "Equations of the lanes…", lambda w: w.cards.open(), ("E",)),
            of=lambda w, lane: w.cards.open(lane),
        ),
        A(
            *("read_again", "How a recording is read…", lambda w: w.tools.read_again(w.recorded[0])),
            enabled=lambda w: bool(w.recorded),
            of=lambda w, lane: w.tools.read_again(lane),
        ),
        A("compare", "Compare formulations…", lambda w: w.tools.compare(), ("C",)),
        Menu(
            "Differences",
            (
                A(
                    *("difference", "Difference of the lanes"),
                    lambda w: w.board.choices.set_difference(not w.board.choices.difference),
                    ("D",),
                    checked=lambda w: w.board.choices.difference,
                ),
                Fill("Reference lane", lambda w, menu: add_references(menu, w.board)),
                A(
                    *("against_recording", "Errors against the recording"),
                    lambda w: w.board.choices.turn_against(recorded_lane(w)),
                    checked=lambda w: w.board.choices.difference and w.board.choices.reference == recorded_lane(w),
                    enabled=lambda w: bool(recorded_lane(w)),
                ),
                None,
                A("magnify", "Magnify differences in 3D ten times more", lambda w: w.magnifier.step(1), ("M",)),
                A("magnify_less", "Magnify differences in 3D ten times less", lambda w: w.magnifier.step(-1), ("Shift+M",)),
            ),
        ),
        None,
        A("study", "Study errors and cost…", lambda w: w.tools.open_study(), ("S",)),
        A("maps", "Map many runs…", lambda w: w.tools.open_maps(), ("Shift+S",)),
        A("hashes", "Hashes of the run…", lambda w: HashDialog(w.document.simulation, w).show()),
    ),
)  # fmt: skip

_KEYS_OF_OFFERS = {
    "kick": ("K",),
    "flip": ("N",),
    "perturb_length": ("P",),
    "perturb_rate": ("Shift+P",),
    "reverse": ("Shift+R",),
}
"""Keys of what can be done at the cursor; what else is offered stands in the menu without one."""

EXPERIMENT: Menu[MainWindow] = Menu(
    "E&xperiment",
    (
        *(
            A(
                *(name, f"{offer.text} here{'…' if offer.values else ''}"),
                partial(lambda name, w: w.laboratory.perform(name), name),
                _KEYS_OF_OFFERS.get(name, ()),
            )
            for name, (_, offer) in offers().items()
        ),
        None,
        A("fit_body", "Fit the body…", lambda w: w.tools.open_fit(), ("J",)),
        None,
        A(
            *("branch", "Edits hold from the cursor", lambda w: w.laboratory.turn_branching(), ("Ctrl+B",)),
            checked=lambda w: w.laboratory.branching.on,
        ),
        A("dismiss", "Dismiss the old future", lambda w: w.laboratory.old.dismiss(), ("X",)),
    ),
)


def _said_of_presenting(window: MainWindow) -> str:
    """What F5 does now."""
    if not window.tools.presenting:
        return tr("Present a lesson…")
    return tr("Back from the lecture room") if window.tools.in_room else tr("To a lecture room")


LESSONS: Menu[MainWindow] = Menu(
    "Le&ssons",
    (
        A(
            *("lesson_open", "Present a lesson; while one is presented, to the lecture room and back"),
            lambda w: w.tools.follow_lesson("room") if w.tools.presenting else w.tools.choose_lesson(),
            ("F5",),
            stays=True,
            said=lambda w: _said_of_presenting(w),
        ),
        A(
            *("lesson_other", "Present another lesson…", lambda w: w.tools.choose_lesson(), ("Ctrl+F5",)),
            enabled=lambda w: w.tools.presenting,
        ),
        None,
        *(
            A(
                *(f"lesson_{what}", text, partial(lambda what, w: w.tools.follow_lesson(what), what), (key,)),
                enabled=lambda w: w.tools.presenting,
            )
            for what, text, key in (
                ("next", "Next step of the lesson, or the answer", "PgDown"),
                ("back", "Back in the lesson", "PgUp"),
                ("votes", "Count votes, or be done with it", "Ctrl+Shift+V"),
                ("pointer", "A large spot in place of the mouse's arrow", "Ctrl+."),
                ("leave", "Leave the lesson", "Ctrl+W"),
            )
        ),
        None,
        A("prepare", "Prepare a class…", lambda w: w.tools.exporter.ask("prepare")),
        A("join", "Join two lessons…", lambda w: w.tools.exporter.ask("join")),
        A("export_sheet", "Write a student's sheet…", lambda w: w.tools.exporter.ask("sheet")),
        A("export_quiz", "Write a quiz for Moodle…", lambda w: w.tools.exporter.ask("quiz")),
    ),
)

HELP: Menu[MainWindow] = Menu(
    "&Help",
    (
        A("find", "Find anything…", lambda w: w.find_anything(), ("Ctrl+Shift+P", "/"), stays=True),
        None,
        A("help", "Help…", lambda w: open_topic(""), ("F1",), "HelpContents", stays=True),
        A("keys", "All keys", lambda w: w.overlay.toggle(), ("?",), stays=True),
        A("first_steps", "Tour of the window", lambda w: w.tools.start_tour()),
    ),
)

ACTS: tuple[Menu[MainWindow], ...] = (FILE, EDIT, VIEW, RUN, LANES, EXPERIMENT, LESSONS, HELP)
