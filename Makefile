# What a clone needs: Python 3.11 or later with venv and pip, make, and a C++ compiler. Everything else comes from PyPI
# into .venv. What was done is noted in stamp files there, so that a second run does only what has changed.

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
CMAKE := $(BIN)/cmake -G Ninja -D CMAKE_MAKE_PROGRAM=$(abspath $(BIN)/ninja) --log-level=WARNING -D LUDORUM_TESTS=ON

# The first of these that is new enough; `make PYTHON=…` names another.
PYTHON = $(or $(firstword $(foreach name,python3 python3.14 python3.13 python3.12 python3.11,\
	$(shell $(name) -c 'import sys; print("$(name)" if sys.version_info >= (3, 11) else "")' 2>/dev/null))),\
	$(error Ludorum needs Python 3.11 or later))

CORE_SOURCES := pyproject.toml CMakeLists.txt $(shell find native -type f -not -path 'native/tests/*')

.PHONY: help play quick test lint docs sanitize races corpus analysis clicks assets solving bench choices experiments clean
# Two pips in one environment would get in each other's way.
.NOTPARALLEL:

help:
	@echo "make play      play a game against the engine (GAME=connectfour); without a terminal, watch one"
	@echo "make quick     the tests that take little, without the corpus: some two minutes"
	@echo "make test      run all tests, those in C++ included (TESTS=tests/gdl: only these in Python)"
	@echo "make lint      ruff and mypy"
	@echo "make docs      the documentation as a site, in build/site"
	@echo "make sanitize  the C++ tests under AddressSanitizer and UndefinedBehaviorSanitizer"
	@echo "make races     the C++ tests of what threads share under ThreadSanitizer"
	@echo "make corpus    load every game of the corpus and write the table in docs/"
	@echo "make analysis  analyse every game of the corpus, or go on with it, and write the table in docs/"
	@echo "make clicks    look how the moves of every game are clicked, or go on with it, and write the table in docs/"
	@echo "make assets    fetch CodeMirror from npm for the page's editor, which does without it"
	@echo "make solving   solve every puzzle at hand and write the table in docs/"
	@echo "make bench     measure playouts a second and print the table"
	@echo "make experiments  repeat the papers' experiments, or go on with them (EXPERIMENTS=\"rave --matches 20\")"
	@echo "make clean     remove everything that was made, .venv too"

play: $(VENV)/core.stamp
	@$(BIN)/ludorum play $(GAME)

# Tests start many processes, which would each compile our modules again where Python may not keep them.
test: $(VENV)/core.stamp $(VENV)/dev.stamp
	@mkdir -p build
	@$(CMAKE) -S . -B build/tests >build/tests.log || { cat build/tests.log; exit 1; }
	@$(BIN)/cmake --build build/tests >build/tests.log || { cat build/tests.log; exit 1; }
	@$(BIN)/ctest --test-dir build/tests --output-on-failure --no-tests=error
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 2 $(TESTS)

quick: $(VENV)/core.stamp $(VENV)/dev.stamp
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 2 -m "not corpus and not slow" $(TESTS)

# The types of the page's scripts are looked at where there is a compiler for them.
lint: $(VENV)/core.stamp $(VENV)/dev.stamp
	@$(BIN)/ruff check
	@$(BIN)/mypy
	@! command -v tsc >/dev/null || tsc --project tsconfig.json

# Its generator announces its successor at every run, which is no warning about these pages.
docs: $(VENV)/core.stamp $(VENV)/docs.stamp
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet

sanitize: $(VENV)/tools.stamp
	@mkdir -p build
	@$(CMAKE) -S . -B build/sanitize -D LUDORUM_SANITIZE=address,undefined >build/sanitize.log || { cat build/sanitize.log; exit 1; }
	@$(BIN)/cmake --build build/sanitize >build/sanitize.log || { cat build/sanitize.log; exit 1; }
	@$(BIN)/ctest --test-dir build/sanitize --output-on-failure --no-tests=error

# Not among what is checked before every change: it takes a build of its own.
races: $(VENV)/tools.stamp
	@mkdir -p build
	@$(CMAKE) -S . -B build/races -D LUDORUM_SANITIZE=thread >build/races.log || { cat build/races.log; exit 1; }
	@$(BIN)/cmake --build build/races >build/races.log || { cat build/races.log; exit 1; }
	@build/races/native/tests/native_tests thread

corpus: $(VENV)/core.stamp
	@$(BIN)/python bench/corpus.py

analysis: $(VENV)/core.stamp
	@$(BIN)/python bench/analysis.py $(ANALYSIS)

clicks: $(VENV)/core.stamp
	@$(BIN)/python bench/clicks.py $(CLICKS)

assets: $(VENV)/core.stamp
	@$(BIN)/python bench/assets.py

solving: $(VENV)/core.stamp
	@$(BIN)/python bench/solving.py

bench: $(VENV)/core.stamp
	@$(BIN)/python bench/speed.py

choices: $(VENV)/core.stamp
	@$(BIN)/python bench/choices.py $(GAMES)

experiments: $(VENV)/core.stamp
	@PYTHONPATH=bench $(BIN)/python -m experiments $(EXPERIMENTS)

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

# ---- the environment ----

# Groups of dependencies need pip 25.1. An environment made by uv has no pip at first.
$(VENV)/pip.stamp:
	@test -x $(BIN)/python || { echo "creating $(VENV)"; $(PYTHON) -m venv $(VENV); }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip >/dev/null \
		|| { echo "Ludorum needs Python with venv and pip"; exit 1; }
	@$(PIP) install 'pip>=25.1'
	@touch $@

$(VENV)/tools.stamp: $(VENV)/pip.stamp pyproject.toml
	@echo "installing what builds the core"
	@$(PIP) install --group build
	@touch $@

$(VENV)/core.stamp: $(VENV)/tools.stamp $(CORE_SOURCES)
	@command -v $${CXX:-c++} >/dev/null || { echo "Ludorum needs a C++ compiler: c++, or what CXX names"; exit 1; }
	@echo "building the core"
	@$(PIP) install --no-build-isolation --editable .
	@touch $@

$(VENV)/dev.stamp: $(VENV)/pip.stamp pyproject.toml
	@echo "installing what the tests need"
	@$(PIP) install --group dev
	@touch $@

$(VENV)/docs.stamp: $(VENV)/pip.stamp pyproject.toml
	@echo "installing what builds the documentation"
	@$(PIP) install --group docs
	@touch $@
