# Everything is made from Python and make alone; the second time, what is there is used.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

.PHONY: demo test test-long lint notebooks clean

demo: $(READY)
	$(BIN)/python experiments/demo.py

test: $(READY) lint
	$(BIN)/python tests/warm.py
	$(BIN)/python -m pytest -m "not long" -n 2 --dist loadfile

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
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
