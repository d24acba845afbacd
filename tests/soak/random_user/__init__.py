"""A random user that operates the real window and searches for faults and leaks.

    python tests/soak --minutes 10 --seed 4 --log log.txt
    python tests/soak --actions 120

The random user presses keys and buttons, drags, scrolls, types valid and invalid texts, and opens presets, files, dialogs and
other windows. A seed repeats its choices, but the result of an action also depends on the speed of the machine. Without a
display it starts a virtual one. Settings and files are stored in a temporary folder.

It stops at the first uncaught exception, warning of Python or Qt, logged warning or error, or failed worker thread, and at an
action that takes longer than two minutes. The report contains the seed and the last 50 actions.

Leaks are detected at checkpoints. At a checkpoint the window is reset to the preset `torque_free`, all lanes are computed, and
threads, timers, windows and used memory are measured. Used memory includes stored states and caches, but not the memory that
the C library keeps after it is freed. At the last checkpoint, no count may be larger than at an earlier one, and memory may be
larger by at most 5 %. Before the first action, every panel, window and dialog is created once, every possible run is shown once,
and every compiled kernel is loaded, because all of these stay in memory.

With `--minutes` there are nine checkpoints. The counts of the last are compared with those of the third. Memory varies by 4 %
between checkpoints, so the median of the last three is compared with that of the three around the third. Runs shorter than
100 s still create objects for the first time: they report memory but do not check it. With `--actions` the same actions are
repeated three times, with a checkpoint after each repetition, and the last two are compared. This does not depend on the speed
of the machine. Where the system does not report used memory, it is 0.

`--log FILE` writes each action before it is performed, so that the last line is present even if the process is killed.
`--only keys` performs only the named actions. The exit status is 0 without a fault, else 1.
"""
