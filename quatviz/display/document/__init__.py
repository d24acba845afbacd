"""The document: the preset with its lanes and events, its edits with undo, and the user's files.

From a number that the user types to the run that uses it:

1. A form entry (`ui.widgets.form`) passes its table to its section (`ui.sidebar.setup.panel`).
2. The section proposes an edit, a function from state to state (`document`).
3. While edits apply at the cursor, the edit becomes an event there (`branching`).
4. The run of the new state is made (`simulation.simulation`). If it is refused, nothing changes.
5. State, run and undo step are stored, and one signal tells all views of the document to update.
6. The composition root (`app`) then replaces the runner.
7. The frame loop (`ui.window.frame_loop`) follows the new runner with a new frame builder
   (`display.data.frame_builder`) and passes its curves to all views.
"""
