# Bare `make` lists the targets. Every target sets up what it needs in .venv, once.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OLDEST := .venv-oldest
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

INSTALLED := $(VENV)/installed
DEVELOPED := $(VENV)/developed
DOCUMENTED := $(VENV)/documented
PACKAGE := $(shell find flexarm -name '*.py')
ROBOTS := $(wildcard robots/*.yaml)

# arms whose comment names a trajectory: they exist for flexarm inverse or payload, and run as it says
INVERSE := $(shell grep -lE '^\#   flexarm (inverse|payload) ' $(ROBOTS))
FORWARD := $(filter-out $(INVERSE),$(ROBOTS))

# robots/two_link.yaml describes the arm two-link, whose result is outputs/two-link.h5
result = outputs/$(subst _,-,$(basename $(notdir $(1)))).h5

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run runs papers film drawings site test test-all test-oldest test-processors lint bench speed package three clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-15s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

run: $(INSTALLED)  ## simulate robots/usoro_two_link.yaml, draw its pictures, print where they are
	@$(BIN)/flexarm simulate robots/usoro_two_link.yaml --plots --overwrite
	@echo "next: open outputs/usoro-two-link/stroboscope.png; flexarm report outputs/usoro-two-link.h5 makes a page to turn and play; docs/guide/first-arm.md"

runs: $(foreach robot,$(ROBOTS),$(call result,$(robot)))  ## run and draw every arm of robots/ that has changed, forward or inversely

# the code spans of the table in docs/papers.md
papers: $(INSTALLED)  ## simulate and draw the figures and tables of the five papers, see docs/papers.md
	@rm -rf outputs/papers
	@sed -n '/^## Figures/,/^## \[/p' docs/papers.md | grep -o '`flexarm [^`]*`' | tr -d '`' | while read -r command; do \
		echo "$$command"; PATH="$(BIN):$$PATH" sh -c "$$command" || exit 1; \
	done

film: $(call result,whip)  ## draw the film of the README anew
	@$(BIN)/flexarm animate $< -o docs/whip.gif --speed 0.4 --fps 20 --size 560 --overwrite

drawings: $(INSTALLED)  ## draw what the guide draws by hand
	@$(BIN)/python docs/drawings/load_signs.py

site: $(DOCUMENTED)  ## build the site of guide, references and gallery, outputs/site/index.html; anew only what has changed
	@$(BIN)/python docs/site/stage.py outputs
	@$(BIN)/python -m sphinx -c docs/site -W --keep-going -q -d outputs/site-doctrees outputs/site-source outputs/site
	@$(BIN)/python docs/site/check_site.py outputs/site
	@echo "outputs/site/index.html"

test: $(DEVELOPED)  ## run the tests but for the slow ones
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow"

test-all: $(DEVELOPED)  ## run all tests
	$(BIN)/python -m pytest -n 2 --dist worksteal

test-oldest: $(DEVELOPED)  ## run the tests but for the slow ones with the oldest versions that the package allows, without extras
	@$(BIN)/uv venv --quiet --allow-existing --python $(BIN)/python $(OLDEST)
	@$(BIN)/uv pip install --quiet --python $(OLDEST)/bin/python --resolution lowest-direct --editable .
	@$(BIN)/uv pip install --quiet --python $(OLDEST)/bin/python hypothesis pytest pytest-xdist
	$(OLDEST)/bin/python -m pytest -n 2 --dist worksteal -m "not slow" -W default::DeprecationWarning

test-processors: $(DEVELOPED)  ## run the tests but for the slow ones as other processors would
	$(BIN)/python tests/processors.py -n 2 --dist worksteal -m "not slow" -q

lint: $(DEVELOPED)  ## check style, formatting, types and the layers of the package
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports

bench: $(DEVELOPED)  ## measure speed and memory
	@for script in benchmarks/*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

speed: $(DEVELOPED)  ## measure what docs/speed.md and README.md say of speed, and put it there
	@cd benchmarks && ../$(BIN)/python -m measuring.speed_pages

package: $(DEVELOPED)  ## build the source archive and the wheel in outputs/dist, and check them
	@$(BIN)/uv build --quiet --clear -o outputs/dist
	@$(BIN)/uv tool run --quiet twine check --strict outputs/dist/flexarm-*

three:  ## build the part of three.js that reports carry anew, of its npm package (needs npm)
	flexarm/reports/vendor/build.sh

clean:  ## remove results, caches and .venv
	find outputs -mindepth 1 ! -name README.md -delete
	find flexarm tests benchmarks -name __pycache__ -prune -exec rm -r {} +
	rm -rf $(VENV) $(OLDEST) build dist .coverage .hypothesis .import_linter_cache .pytest_cache .ruff_cache

define result_rule
$(call result,$(1)): $(1) $(PACKAGE) | $(INSTALLED)
	@$(BIN)/flexarm simulate $(1) -o $$@ --plots --overwrite
endef
$(foreach robot,$(FORWARD),$(eval $(call result_rule,$(robot))))
$(call result,lattice_boom): robots/matrices/lattice_boom.json

# the command in the comment of an arm, whose lines may go on after a backslash
define inverse_rule
$(call result,$(1)): $(1) $(wildcard robots/trajectories/*.yaml) $(PACKAGE) | $(INSTALLED)
	@command="$$$$(awk '/^#   flexarm (inverse|payload) / {on = 1} on {sub(/^# */, ""); more = sub(/\\$$$$/, ""); printf "%s ", $$$$0} \
			on && !more {exit}' $(1))"; \
		PATH="$(BIN):$$$$PATH" sh -c "$$$$command -o $$@ --plots --overwrite"
endef
$(foreach robot,$(INVERSE),$(eval $(call inverse_rule,$(robot))))

$(INSTALLED): pyproject.toml
	@for python in $(PYTHON) python3.11 python3.12 python3.13 python3.14; do \
		if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			echo "setting up $(VENV) with $$python (once; takes a few minutes)"; \
			$$python -m venv $(VENV) && $(PIP) install --editable . && touch $@; \
			exit; \
		fi; \
	done; \
	echo "flexarm needs Python 3.11 or newer, and found none; name one: make PYTHON=/path/to/python3" >&2; \
	exit 1

$(DOCUMENTED): $(INSTALLED)
	@echo "installing what builds the site in $(VENV) (once)"
	@$(PIP) install --editable '.[docs]'
	@touch $@

$(DEVELOPED): $(INSTALLED)
	@echo "installing the development tools in $(VENV) (once)"
	@$(PIP) install --editable '.[dev]'
	@touch $@
