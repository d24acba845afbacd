"""Who computes for a sweep, a study or `quatviz verify`: one interface of futures, whatever stands behind it.

`choosing` turns what a person says into `Workers`: threads of this process, processes, a Dask cluster, or an executor of a
script. `Work` is what they do in pieces and is polled for; `ChunkedTask` cuts long work into them. What is computed stands
elsewhere, and knows nothing of this room but `stopping`.
"""
