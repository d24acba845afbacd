"""The window: a client of the scripting interface. Physics stays outside this folder.

Six paths through it, each with the files that it passes, in their order and below `quatviz/`, as a trace of a window shows
them that did this; those are left out that only measure, translate or dress on the way. In brackets is how many files it
were before the house was drawn again.

A sample to a curve's pixel: 18 files (36)

    ui/window/bridge.py         once a tick has a frame made and shown
    feed/framer.py              one `Frame` of plain values for everybody, handed to the board and all others
    feed/budget.py              what of it may be drawn now, and who waits
    ui/plots/board.py           which panels show this frame, and let their plots draw what is due
    ui/plots/arranger.py        the place of a panel, which stands for its view; a fault ends here
    ui/plots/time_view.py       the view of a panel over time: takes rows into its `Curves` and tells its plots
    panels/base/curves.py       the panel's plots with their curves, notes and readings; feed/forms in another form
    feed/columns.py             rows of a quantity, of which those are kept that were read last
    feed/lazy.py                computed where they are read, reduced beside the window's thread
    feed/series.py              few enough points for a screen, by the extremes of blocks (kernels/pyramid)
    feed/scales.py              the range of the axis
    ui/plots/views.py           Qt paints what has changed, and flushes the window once
    ui/plots/strip_plot.py      one plot: a picture of its curves, the cursor over it; panels/base/time_axis the times in sight
    ui/plots/curves.py          painter paths
    export/figures/stripes.py   in turns where lanes agree
    export/figures/strokes.py   in dashes where a lane is by itself
    ui/plots/marks.py           what stands beside them
    ui/plots/names.py           and the names of lanes where they end

A sample to the body: 10 files (20)

    ui/window/bridge.py         the same frame
    feed/framer.py              the pose of each lane, to all views; beside it goes ui/scene/by_hand, while a hand holds the body
    feed/columns.py             from the samples before and after it
    ui/scene/views.py           which lanes each view shows, from which frame
    ui/scene/view.py            its camera, and whether anything is new
    scene/base.py               the stage, which lets the items that are seen draw
    scene/items/body.py         one of them, which moves its mesh; here the scene ends that knows no Qt
    ui/scene/picture.py         one picture a frame, begun at once and fetched when Qt paints
    ui/scene/renderer.py        primitives by OpenGL, or by QPainter in ui/scene/wireframe; ui/scene/words over it
    ui/scene/graphics.py        the context that draws them

A key to an act: 6 files (13)

    ui/kit/acts.py              a row of a table is made into Qt's action, which has the key, and is done to the window
    ui/window/acts.py           the table: what the act is called, its keys, what it does, whether it is on and can be done
    ui/window/main_window.py    sends what is asked of time; most other acts go to one part at once, such as ui/plots/board
    feed/framer.py              to the worker of the run
    simulation/worker.py        whose thread
    simulation/runner.py        does it between two stretches of computing

Menus, context menus, tool tips, the list of `?`, the palette and the help's list of keys are made from the same row.

An edit to the restarted run: 10 files (21)

    ui/kit/widgets.py           what is typed, at Enter
    ui/kit/number.py            or what a hand drags
    ui/kit/form.py              a number or an expression, in a table with the values that wait beside it
    ui/side/setup/panel.py      the part of the preset that the table is
    document/document.py        a step: another preset, or a refusal that goes back to its field
    document/branching.py       the preset from the cursor on, where the edit leaves the start alone
    simulation/simulation.py    the run of it
    app.py                      in place of the one before
    simulation/worker.py        computed by another worker
    ui/window/bridge.py         shown by another framer

A theme to what is painted: app.py or an act dresses the application (ui/kit/style), Qt tells every widget, and each asks for
its theme when it paints. A choice to its step: document/dressing compares what is shown with what the document knows, after
each act and now and then; undo shows the look of the state before.

A panel to a figure: 7 files (14)

    ui/window/acts.py           of this panel
    ui/tools/export/exporter.py       what there is to export, as values, and the dialogs that ask how
    ui/tools/export/figure_dialog.py  asks for paper and file, and works in a thread; ui/tools/export/dialog is what dialogs share
    export/figures/figure.py    which reads the run, not the window; `quatviz render`, `Run.plot` and sheets begin here
    panels/base/curves.py       the same plots as in the window; or the panel's own `draw`, on a canvas
    export/figures/drawing.py   where everything stands, and every plot as matplotlib has it
    export/figures/paper.py     the sheet, and its file

A run to a film: 6 files (12)

    ui/window/acts.py           asks for it
    ui/tools/export/exporter.py       the look that is seen
    ui/tools/export/film_dialog.py    asks for size and times, takes pictures in turns, and encodes in a thread
    ui/tools/export/takes.py    paints the 3D views of a run by it; filming.py the window. `quatviz render` begins here
    ui/scene/views.py           as on the screen
    export/film/writing.py      writes
"""
