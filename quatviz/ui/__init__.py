"""The window: a client of the scripting interface. Physics stays outside this folder.

A sample to a curve's pixel, with the files it passes in their order:

    window/bridge          once a tick: asks `feed` for a frame, and hands it to the board and all others
    feed/columns, lazy     rows of a quantity, computed where they are read, reduced beside the window's thread
    feed/framer, frame     one `Frame` of plain values for everybody
    feed/budget            what of it may be drawn now, and who waits
    plots/board            which panels show this frame, and let their plots draw what is due; plots/arranger holds their places
    plots/time_view        the view of one panel over time: takes rows into its `Curves` and tells its plots
    panels/base/curves     the panel's plots with their curves, notes and readings; feed/forms where they are shown in another form
    feed/series, pyramid   few enough points for a screen; feed/scales the range of the axis
    plots/strip_plot       one plot: a picture of its curves, the cursor over it; plots/time_axis the times in sight
    plots/curves, marks    painter paths, in turns where lanes agree (export/figures/stripes), and what stands beside them
                           Qt paints what has changed, and flushes the window once

A sample to the body:

    window/bridge          the same frame, to all views; beside it goes scene/by_hand, while a hand holds the body
    feed/framer, frame     the pose of each lane at the cursor, in a `Frame`
    scene/views            which lanes each view shows, from which frame; scene/view its camera, and whether anything is new
    quatviz/scene          the stage, whose items (items/body) move their primitives: here the scene ends that knows no Qt
    scene/picture          one picture a frame, begun at once and fetched when Qt paints; scene/context has it drawn
    scene/renderer         primitives by OpenGL (graphics, shaders), or scene/wireframe by QPainter; scene/words over it

An edit to the restarted run: `quatviz.document` says it. A theme to what is painted: app.py or an act dresses the application
(kit/style), Qt tells every widget, and each asks for its theme when it paints. A choice to its step: window/dressing compares
what is shown with what the document knows, after each act and now and then; undo shows the look of the state before.

A panel to a figure: plots/board (menu) -> tools/export/exporter -> figure_dialog (on dialog) -> export/figures/figure, which reads
the run, not the window, through panels/base/curves or the panel's own `draw`, and gives plain data (description) -> drawing
(axes, canvas) -> paper. `quatviz render --panel`, `Run.plot` and students' sheets begin at export/figures/figure.

A run to a film: tools/export/film_dialog (on dialog) asks, and encodes in a thread; tools/export/takes paints the 3D views of a
run by a `Look` (scene/views, view), filming.py the window as it stands or one laid out anew by the same `Look`;
export/film/writing writes. `quatviz render` begins at takes and filming.

A key to an act, in the files that it passes:

    ui/kit/acts.py           a row of a table is made into Qt's action, which has the key, and is done to the window
    ui/window/acts.py        the table: what the act is called, its keys, what it does, whether it is on and can be done
    ui/window/main_window.py for acts of several parts; most go to one part at once: ui/scene/views.py, ui/plots/board.py
    feed/playback.py         an act on time becomes a command
    ui/window/bridge.py      which goes to the worker of the run
    app.py                   an act that opens another window or a dialog (`Tools`)

Menus, context menus, tool tips, the list of `?`, the palette and the help's list of keys are made from the same row.
"""
