"""Loaded by the process that starts the workers of a test: they are forked from one that has imported all and knows what it is,
rather than do so each."""

import multiprocessing

from distributed.utils import get_mp_context

get_mp_context()  # which sets what is overwritten here
multiprocessing.get_context("forkserver").set_forkserver_preload(["distributed", "dask_known"])
