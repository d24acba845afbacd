"""What a choice of how a run is shown belongs to."""

USER, RUN, SCREEN, TRANSIENT = "person", "run", "room", "moment"
"""What a choice belongs to: to a person, whatever the run; to one run, whose lanes and times it names; to the room and
the screen where it is shown; or to the moment."""
