# Everything is made from Python and make alone; the second time, what is there is used.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

.PHONY: demo test test-newest test-long lint notebooks clean

demo: $(READY)
	$(BIN)/python experiments/demo.py

test: $(READY) lint
	$(BIN)/python tests/warm.py
	$(BIN)/python -m pytest -m "not long" -n 2 --dist worksteal

# The newest Python that numba supports, in an environment of its own, where that Python is there.
NEWEST = $(firstword $(foreach minor,14 13 12,$(shell python3.$(minor) -c 'import sys; print(sys.executable)' 2>/dev/null)))
test-newest:
	@if [ -n "$(NEWEST)" ]; then $(MAKE) test PYTHON=$(NEWEST) VENV=.venv-newest; \
	else echo "no Python newer than 3.11 is here, so nothing was tested"; fi

test-long: $(READY)
	$(BIN)/python -m pytest -m long

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

notebooks: $(READY)
	$(BIN)/python notebooks/execute.py

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Python 3.11 or later is needed; say which: make PYTHON=python3.12')"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) .venv-newest build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
