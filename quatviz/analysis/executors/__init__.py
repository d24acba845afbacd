"""Executors of sweeps, studies and `quatviz verify`: one interface of futures for threads, processes and clusters.

`factory` turns the user's choice into `Workers`: threads of this process, processes, a Dask cluster, or an executor
made by a script. `PolledTask` is long work that is divided into pieces and polled by the caller for results;
`ChunkedTask` divides a range of indices into chunks. The functions that workers execute are defined in other packages
and do not depend on this one.

Terms: a *piece* of work is one submitted call of a function. A *payload* contains the data that all pieces of a task
share. A *refusal* is an `InputError` with which workers decline the work.
"""
