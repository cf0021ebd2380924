"""What everybody can look up: how a language, a tool or a system behaves, with nothing of the project in it."""

from __future__ import annotations

import re

_KNOWN = (
    r"(?:Go(?! (?:to|through|with|ahead|back|for|into)\b)|Golang|Git|GitHub|GitLab|Python|JavaScript|TypeScript|"
    r"Node(?:\.js)?|Deno|React|Vue|Angular|Svelte|Rust|Java|Kotlin|Swift|Ruby|Rails|PHP|Django|Flask|C\+\+|C#|\.NET|"
    r"Bash|Zsh|PowerShell|Linux|Unix|POSIX|macOS|Windows|Docker|Kubernetes|Postgres(?:QL)?|MySQL|SQLite|MongoDB|Redis|"
    r"SQL|HTTPS?|TCP|TLS|DNS|JSON|YAML|TOML|CSS|HTML|npm|yarn|pip|Homebrew|Terraform|AWS|Azure)"
)
_GENERAL = re.compile(
    # "In Go, ...", "By default, Git ..."
    rf"^(?:(?:By default|Usually|Typically|Normally),? )?(?:[Ii]n|[Oo]n|[Ww]ith) {_KNOWN}(?:, | `| [a-z])"
    # "Git supports ...", "Go's maps are ..."
    rf"|^(?:By default,? |Note that )?(?:The )?{_KNOWN}(?:/\w+)*(?:['’]s)?"
    rf"(?: (?:CLI|itself|hooks?|maps?|slices?|compiler|decoder|runtime|shells?|strings?|arrays?|objects?|engine))? "
    rf"(?:already |also |always |never |only |will |can |does not |doesn't )?"
    r"(?:is|are|was|ARE|IS|\w+s|care|allow|support)\b"
    rf"|^(?:The )?`[^`]+` in {_KNOWN} (?:is|are) "
    # "X is a Unix concept", "is a standard library type", "tells the Go compiler"
    rf"|\b(?:is|are) (?:an? |the |part of (?:the )?)?(?:[a-z-]+ )?{_KNOWN}(?:/\w+)* "
    r"(?!repo|project|service|app\b)[a-z]+"
    r"|\b(?:is|are) (?:an? |part of the )?(?:standard[- ]library|built-?in|standard) (?:[a-z]+|`)"
    r"|\b(?:is|are) an? (?:optimi[sz]ation|abstraction|design pattern|data structure|protocol|file format) "
    r"(?:for|that|to)\b"
    rf"|\btells? the (?:{_KNOWN} )?(?:compiler|linker|interpreter|kernel|shell)\b"
    r"|^`?[\w.:()/ -]+`? (?:is|are) (?:typically|usually|generally|normally) "
)


def is_general(text: str) -> bool:
    """Whether a sentence tells what a language, tool or system does for everybody."""
    return bool(_GENERAL.search(text))
