"""What is computed and how it is edited: the preset with its lanes and events, the way back, the files of a person.

From a number that is typed to the run that has it:

1. an entry in a form (`ui.widgets.form`) hands its table to its section (`ui.sidebar.setup.panel`),
2. which proposes an edit, a function from state to state (`document`);
3. while edits begin at the cursor, the edit becomes an event there (`branching`);
4. the run of the new state is made (`simulation.simulation`), or is refused: then everything is as it was;
5. state, run and step are taken, and told once: whoever shows the document renews itself;
6. last of all the root (`app`) puts another runner in the place of the old one,
7. the bridge (`ui.window.frame_loop`) follows it with another framer (`display.data.frame_builder`), and introduces its curves
   to all who draw them.
"""
