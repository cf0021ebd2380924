"""A cross-encoder over pairs of notes: the embedding model's transformer, with low-rank adapters that were trained to
tell whether two notes say the same, the newer replaces the older, they contradict, or neither."""
