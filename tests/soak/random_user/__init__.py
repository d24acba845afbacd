"""A random user of the real window: whether it stays as it is for as long as one likes.

    python tests/soak --minutes 10 --seed 4 --log story.txt
    python tests/soak --acts 120

Keys, menus, clicks, drags and the wheel, numbers and nonsense typed into fields, presets, lanes, panels, views, kicks and other
events, undo, files and the clipboard, other windows. A seed repeats the choices; how far each action gets depends on the
machine. It works on a virtual display where there is no other, with settings and files in a folder that is deleted at the end.

It ends at the first uncaught exception, warning of Python or Qt, fault that the program logs, or dead worker, and tells the
seed and the last 50 actions. An action that hangs for two minutes ends it too. Before the beginning every panel, window and
dialog is made once, every run that is chosen from is shown once, and every kernel that this machine has compiled is loaded, for
all of these are kept. Now and then it rests: it brings the window back to `torque_free`, begun anew, waits until all is
computed, and counts threads, timers and windows and reads the memory: all that is in use, stored states of that same run and
every cache included, but not what the C library keeps of freed memory for later. The last rest may have none
more of these than an earlier one, and 5 % more memory. With `--minutes` there are nine rests, and the third is the earlier one;
of memory the medians of the last three and of the three around that one are compared, for single ones come and go by 4 %; below
100 s things are still made for the first time, and memory is told, not judged. With `--acts` that many are done, three
times the same ones with a rest after each, and the last two are compared, on a machine of any speed. Where the system does not
tell the memory it reads 0.

`--log FILE` writes each action before it is done, so that the last line is there even if the process is killed. `--only keys`
and the like leave other kinds out. The status is 0 if all is well, else 1.
"""
