# Every target works from a clean checkout: what it needs, it installs into .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: help setup demo test e2e-agents lint fix golden docs bench torture clean

help: ## list the targets
	@grep -E '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: $(VENV)/.installed ## create .venv with a working seci

$(VENV)/.installed: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing seci and what it needs into $(VENV); this takes some minutes"
	$(PIP) install --quiet --constraint constraints.txt --editable .
	$(BIN)/python -m compileall -q seci  # pip does so for what it copies; a prompt should not wait for it
	@touch $@

$(VENV)/.dev: $(VENV)/.installed
	$(PIP) install --quiet --constraint constraints.txt --editable '.[dev,bench]'
	@touch $@

demo: setup ## distill the sample sessions into a new vault and ask two questions
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/demo.sh

test: $(VENV)/.dev ## run the tests
	$(BIN)/python -m pytest -n 2

AGENTS := build/agents
AGENT_PACKAGES := @anthropic-ai/claude-code@2.1.332 @openai/codex@0.171.0 @google/gemini-cli@0.61.0 \
	@github/copilot@1.0.102 opencode-ai@1.18.33

e2e-agents: $(VENV)/.dev ## install five real agents from npm (1 GB) and try seci with each of them
	npm install --no-audit --no-fund --prefix $(AGENTS) $(AGENT_PACKAGES)
	AGENTS_BIN="$(CURDIR)/$(AGENTS)/node_modules/.bin" $(BIN)/python -m pytest tests/e2e_agents

lint: $(VENV)/.dev ## style, types, imports between modules, generated docs
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m seci.cli.reference --check docs/cli.md
	$(BIN)/python -m seci.bench.page --check
	$(BIN)/python -m seci.router.page --check

fix: $(VENV)/.dev ## repair what lint can repair
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

golden: $(VENV)/.dev ## write the expected files of the source tests again
	$(BIN)/python -m tests.sources.golden --write
	$(BIN)/python -m tests.distillers.golden --write

docs: $(VENV)/.dev ## write the generated pages again
	$(BIN)/python -m seci.cli.reference docs/cli.md
	$(BIN)/python -m seci.bench.page
	$(BIN)/python -m seci.router.page

bench: $(VENV)/.dev ## measure retrieval and distilling on the data that SECI_DATA names
	PATH="$(CURDIR)/$(BIN):$$PATH" sh bench.sh

torture: $(VENV)/.dev ## the long tests: many rounds, many processes
	SECI_TORTURE=1 $(BIN)/python -m pytest -m torture

clean: ## remove what the other targets made
	rm -rf $(VENV) build dist bench-out .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
