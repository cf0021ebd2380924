"""seci: sessions with AI assistants become a git-versioned vault of markdown, and come back as context."""

__version__ = "0.1.0"
