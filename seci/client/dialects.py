"""What each agent says to a hook, and the shape in which it takes an answer. They are not portable: Codex marks a hook
as failed for one key too many, Copilot ignores the nested form, Gemini reads nothing but JSON.

Standard library only: a hook without a resident process answers from here.
"""

import json
from _collections_abc import Mapping

START = "start"  # a session begins: standing context
PROMPT = "prompt"  # the user asked something: what is relevant to it
PAUSE = "pause"  # a turn ended, or the session is about to be compacted: its file goes onto the spool
END = "end"  # a session ended: its file goes onto the spool
OTHER = "other"  # nothing to do

ALIASES = {"claude": "claude-code", "gemini": "gemini-cli", "copilot": "copilot-cli"}
AGENTS = ("claude-code", "codex", "gemini-cli", "copilot-cli", "cursor", "opencode")

EVENTS = {
    "sessionstart": START,
    "session.start": START,
    "userpromptsubmit": PROMPT,
    "userpromptsubmitted": PROMPT,
    "beforeagent": PROMPT,
    "beforesubmitprompt": PROMPT,
    "chat.message": PROMPT,
    "sessionend": END,
    "session.idle": PAUSE,
    "stop": PAUSE,
    "agentstop": PAUSE,
    "afteragent": PAUSE,
    "precompact": PAUSE,
    "precompress": PAUSE,
}


class HookEvent:
    """What an agent told a hook. Missing fields are ""."""

    __slots__ = ("cwd", "dialect", "kind", "name", "prompt", "session", "transcript")

    def __init__(self, kind: str, name: str, dialect: str, fields: Mapping[str, object]) -> None:
        self.kind = kind
        self.name = name
        self.dialect = dialect
        self.session = _first(fields, "session_id", "sessionId", "sessionID", "conversation_id")
        self.transcript = _first(fields, "transcript_path", "transcriptPath")
        self.cwd = _first(fields, "cwd", "directory") or _workspace(fields)
        self.prompt = _strip_hook_context(_first(fields, "prompt"))


def canonical(agent: str) -> str | None:
    """The agent's full name, None where there is no such agent."""
    name = ALIASES.get(agent, agent)
    return name if name in AGENTS else None


def parse_event(agent: str, text: str, environ: Mapping[str, str]) -> HookEvent:
    """Reads an agent's JSON. Raises ValueError for anything that is not a JSON object.

    The host decides the dialect where it differs from the name that was installed: Copilot runs the hooks of a
    project's Claude settings, and VS Code those of the user's.
    """
    fields = json.loads(text)
    if not isinstance(fields, dict):
        raise ValueError("not a JSON object")
    name = _first(fields, "hook_event_name", "hookEventName", "event") or _guess_name(fields)
    dialect = agent
    if agent in ("claude-code", "copilot-cli"):
        if environ.get("COPILOT_CLI"):
            dialect = "copilot-cli"
        elif "hookEventName" in fields:
            dialect = "vscode"
    return HookEvent(EVENTS.get(name.lower(), OTHER), name, dialect, fields)


def render_answer(event: HookEvent, context: str) -> str:
    """What the hook prints; "" where the agent takes silence as "go on"."""
    if event.dialect == "cursor" and event.kind == PROMPT:
        return '{"continue": true}\n'
    if not context or event.kind not in (START, PROMPT):
        return "{}\n" if event.dialect == "gemini-cli" else ""
    if event.dialect == "copilot-cli":
        answer: object = {"additionalContext": context}
    elif event.dialect == "cursor":
        answer = {"additional_context": context}
    elif event.dialect == "opencode":
        answer = {"context": context}
    elif event.dialect == "vscode" and event.kind == PROMPT:
        return ""  # VS Code takes no context at this event
    else:
        answer = {"hookSpecificOutput": {"hookEventName": event.name, "additionalContext": context}}
    return json.dumps(answer, ensure_ascii=False) + "\n"


def _first(fields: Mapping[str, object], *names: str) -> str:
    for name in names:
        value = fields.get(name)
        if isinstance(value, str) and value:
            return value
    return ""


def _guess_name(fields: Mapping[str, object]) -> str:
    """Copilot's camelCase hooks do not say which event they are for; their fields do."""
    if "initialPrompt" in fields or ("source" in fields and "sessionId" in fields):
        return "sessionStart"
    if "toolName" in fields:
        return "toolUse"
    if "prompt" in fields:
        return "userPromptSubmitted"
    if "stopReason" in fields:
        return "agentStop"
    return "sessionEnd" if "reason" in fields else ""


def _workspace(fields: Mapping[str, object]) -> str:
    roots = fields.get("workspace_roots")
    return roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else ""


def _strip_hook_context(prompt: str) -> str:
    """Gemini repeats what hooks said inside the prompt."""
    while (start := prompt.find("<hook_context>")) >= 0:
        end = prompt.find("</hook_context>", start)
        prompt = prompt[:start] + (prompt[end + len("</hook_context>") :] if end >= 0 else "")
    return prompt.strip()
