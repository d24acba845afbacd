"""Help sections for parameters and lane statuses.

A topic is `page#section` of `assets/help`. A test asserts that every topic exists.
"""

import re

DEFAULT_TOPIC = "errors#values"
"""Topic of parameters that `TOPIC_OF_KEY` does not list."""

TOPIC_OF_KEY = {
    "inertia": "errors#inertia", "centre_of_mass": "errors#body", "body": "errors#body", "ring": "errors#ring",
    "rotors": "setup#rotors",
    "euler_parameters": "errors#initial-state", "angular_velocity": "errors#initial-state",
    "angles": "errors#initial-state", "initial": "errors#initial-state", "sequence": "errors#euler-sequences",
    "loads": "errors#loads", "events": "errors#events",
    "dt": "errors#time-steps", "sample_interval": "errors#time-steps", "duration": "errors#time-steps",
    "rtol": "errors#tolerances", "atol": "errors#tolerances",
    "integrator": "errors#integrators", "stabilisation": "errors#stabilization",
    "alpha": "errors#stabilization", "beta": "errors#stabilization", "J0": "errors#stabilization",
    "recording": "recordings#in-a-preset",
    "file": "errors#stabilization", "formulation": "errors#lanes", "lanes": "errors#lanes", "title": "errors#preset-files",
    "format": "errors#preset-files", "steps": "errors#studies", "tolerances": "errors#studies", "quantity": "errors#studies",
    "quantities": "errors#figures", "width": "errors#figures", "height": "errors#figures", "size": "errors#figures",
    "formats": "errors#figures", "rate": "errors#figures", "theme": "errors#figures",
    "session": "sessions#the-file", "shape": "errors#body", "target": "errors#loads", "matrix": "errors#loads",
    "times": "errors#exports", "speed": "time#play",
}  # fmt: skip
"""Help topics by the name of a parameter key. The last listed name in a dotted key decides: `lanes[1].dt` has
the topic of `dt`."""

TOPIC_OF_STATUS = {
    "ok": "errors#complete-but-not-accurate",
    "singular": "errors#singular",
    "not_finite": "errors#not-finite",
    "step_failed": "errors#step-failed",
    "no_closed_form": "errors#no-closed-form",
    "no_recording": "recordings#missing-files",
    "recording_ended": "recordings#gaps-and-ends",
    "failed": "errors#faults-of-the-program",
}
"""Help topics by lane status: why the lane ended or, for "ok", why a complete lane may be inaccurate."""

EVENT_REMARK_TOPIC = "errors#remarks"
"""Help topic that explains why an event has no effect on a lane."""
INTERNAL_ERROR_TOPIC = "errors#faults-of-the-program"
"""Help topic that explains internal errors of the program."""
DISPLAY_TOPIC = "errors#display"
"""Help topic that explains why the body is drawn as lines (OpenGL is missing)."""


def find_topic(key: str) -> str:
    """Return the help topic of the parameter with the dotted key `key`.

    >>> find_topic("lanes[1].dt"), find_topic("lanes[0].rotors.inertia")
    ('errors#time-steps', 'setup#rotors')
    """
    parts = [re.sub(r"\[\d+\]$", "", part) for part in key.split(".")]
    if "rotors" in parts:  # parameters of rotors share their names with other parameters
        return TOPIC_OF_KEY["rotors"]
    for part in reversed(parts):
        topic = TOPIC_OF_KEY.get(part)
        if topic is not None:
            return topic
    return DEFAULT_TOPIC
