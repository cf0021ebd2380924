"""seci: sessions with AI assistants become a git-versioned vault of markdown, and come back as context."""

import os

__version__ = "0.1.0"

# Nothing that seci loads may report to anybody. onnxruntime reads this on import and would otherwise keep a queue of
# events in the user's cache.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
