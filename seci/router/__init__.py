"""The memory router: decides in one forward pass which turns are worth distilling (after MemRouter, arXiv 2605.00356).

`inference` is what distill uses and needs no torch; `experiment`, `train`, `model` and `persist` do. `labels`,
`conversations` and `corpus` are the data, `evaluate` the figures; docs/ROUTER.md tells the whole.
"""
