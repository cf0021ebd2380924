"""Installing keeps what was there, twice is once, and uninstalling leaves every file byte for byte as before."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from seci.agents.agent import Place
from seci.agents.plan import Installation
from seci.agents.registry import find_agent
from seci.client.dialects import AGENTS
from seci.errors import UserError

CLAUDE = '{\n    "model": "opus",\n    "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}\n}'
CODEX = '# mine\nmodel = "x"\n\n[mcp_servers.other] # keep\ncommand = "o"\n'
FILES = {
    ".claude/settings.json": CLAUDE,
    ".claude.json": '{"mcpServers":{"other":{"command":"o"}},"numStartups":3}',
    ".codex/config.toml": CODEX,
    ".gemini/settings.json": '{"theme": "dark",\n\t"mcpServers": {}}\n',
    ".cursor/hooks.json": '{"version": 1, "hooks": {"stop": [{"command": "x"}]}}',
    ".copilot/mcp-config.json": "",
    ".config/opencode/opencode.json": '{"$schema": "https://opencode.ai/config.json"}\n',
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "home" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "home"


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def install(agent: str, home: Path, project: Path | None = None) -> tuple[Installation, Place]:
    place = Place(home, {}, "/opt/seci tool/bin/seci", project)
    installation = Installation(home.parent / "records" / f"{agent}.json")
    installation.apply(find_agent(agent).plan(place))
    return installation, place


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("for_project", [False, True])
def test_there_and_back_again(agent: str, home: Path, for_project: bool) -> None:
    project = home.parent / "project" if for_project else None
    before = tree(home)
    installation, place = install(agent, home, project)
    assert find_agent(agent).plan(place), agent
    assert not [edit for edit in find_agent(agent).plan(place) if edit.changes], "a second installation changes nothing"
    changed = tree(project) if project else tree(home)
    assert changed != before
    assert any(b"seci" in content for content in changed.values())
    installation.remove(installation.plan_removal(find_agent(agent).plan(place)))
    assert tree(home) == before
    if project:
        assert not tree(project)


@pytest.mark.parametrize("agent", AGENTS)
def test_what_the_user_changed_since_stays(agent: str, home: Path) -> None:
    installation, place = install(agent, home)
    settings = {
        "claude-code": ".claude/settings.json",
        "gemini-cli": ".gemini/settings.json",
        "cursor": ".cursor/hooks.json",
        "copilot-cli": ".copilot/mcp-config.json",
        "opencode": ".config/opencode/opencode.json",
    }
    if agent == "codex":
        path = home / ".codex/config.toml"
        path.write_text(path.read_text().replace('"x"', '"y"'))
    else:
        path = home / settings[agent]
        path.write_text(json.dumps(json.loads(path.read_text()) | {"mine": 1}))
    installation.remove(installation.plan_removal(find_agent(agent).plan(place)))
    left = path.read_text()
    assert "seci" not in left
    if agent == "codex":
        assert left == CODEX.replace('"x"', '"y"')
    else:
        assert json.loads(left)["mine"] == 1


def test_other_hooks_and_servers_are_kept(home: Path) -> None:
    install("claude-code", home)
    settings = json.loads((home / ".claude/settings.json").read_text())
    assert settings["model"] == "opus"
    commands = [hook["command"] for group in settings["hooks"]["Stop"] for hook in group["hooks"]]
    assert commands == ["say done", "/opt/seci tool/bin/seci"]
    servers = json.loads((home / ".claude.json").read_text())
    assert set(servers["mcpServers"]) == {"other", "seci"}


def test_a_skill_that_agents_share_stays_until_the_last_of_them_goes(home: Path) -> None:
    codex, place = install("codex", home)
    gemini, _ = install("gemini-cli", home)
    skill = home / ".agents/skills/remember/SKILL.md"
    codex.remove(codex.plan_removal(find_agent("codex").plan(place)))
    assert skill.exists()
    gemini.remove(gemini.plan_removal(find_agent("gemini-cli").plan(place)))
    assert not skill.exists()


def test_settings_that_are_not_json_are_left_alone_and_named(home: Path) -> None:
    path = home / ".claude/settings.json"
    path.write_text('{"a": 1, // comment\n}')
    with pytest.raises(UserError, match=r"settings\.json"):
        install("claude-code", home)
    assert path.read_text() == '{"a": 1, // comment\n}'


def test_somebody_elses_skill_is_not_replaced(home: Path) -> None:
    path = home / ".claude/skills/distill/SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text("---\nname: distill\n---\nMake whisky.\n")
    with pytest.raises(UserError, match="another skill"):
        install("claude-code", home)


@pytest.mark.parametrize("name", ["remember", "distill", "consolidate"])
def test_skills_follow_the_standard(name: str) -> None:
    from seci.agents.agent import skill_text

    head = skill_text(name).split("---")[1].strip().splitlines()
    fields = dict(line.split(": ", 1) for line in head)
    assert fields["name"] == name
    assert 0 < len(fields["description"]) <= 1024


def test_the_plugin_folder_says_what_the_installer_writes(tmp_path: Path) -> None:
    from seci.agents.agent import SKILLS, skill_text

    plugin = Path(__file__).parents[2] / "integrations" / "claude-code"
    place = Place(tmp_path, {}, "seci")
    find_edit = {edit.path.name: edit for edit in find_agent("claude-code").plan(place)}
    installed = json.loads(find_edit["settings.json"].after or b"")
    assert json.loads((plugin / "hooks" / "hooks.json").read_text()) == {"hooks": installed["hooks"]}
    for name in SKILLS:
        assert (plugin / "skills" / name / "SKILL.md").read_text() == skill_text(name)
    server = json.loads((plugin / ".mcp.json").read_text())["mcpServers"]["seci"]
    assert server == {"command": "seci", "args": ["mcp"]}
