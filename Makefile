# Everything runs in its own virtual environment; make demo and make test need only Python, git and make.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
READY = $(VENV)/.ready
# prettier, for the tests that run it; they are skipped if npm is not available.
NPM = $(VENV)/npm/.ready
PRETTIER = $(abspath $(VENV))/npm/node_modules/.bin/prettier
WITH_PRETTIER = INTERMEM_PRETTIER="$${INTERMEM_PRETTIER:-$$(ls $(PRETTIER) 2> /dev/null)}"

.PHONY: demo test test-pythons check lint coverage bare soak soak-documents fuzz faults merges team mutants check-mutations check-replay check-recall bench bench-check formatters docs clean

demo: $(READY)  ## run the main workflow on a small sample repository
	@$(BIN)/python fixtures/demo/run.py

test: $(READY) $(NPM)  ## run the tests
	$(WITH_PRETTIER) $(BIN)/python -m pytest -n auto --dist worksteal

test-pythons: $(READY)  ## run the fast tests on every other Python that pyproject.toml names and this machine has (PYTHONS=--newest)
	@$(BIN)/python -m tests.pythons $(PYTHONS)

check: lint test test-pythons coverage bare  ## run everything that CI runs

lint: $(READY)  ## formatting, lint, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

coverage: $(READY)  ## branch coverage of the pure core
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -q -m 'not large' --hypothesis-profile quick tests/core
	$(BIN)/coverage report --include 'intermem/core/*' --fail-under 98

bare: $(READY)  ## run the demo from a wheel, without development packages
	rm -rf build/bare
	$(BIN)/python -m pip wheel -q --disable-pip-version-check --no-deps --wheel-dir build/bare/dist .
	$(PYTHON) -m venv build/bare/venv
	build/bare/venv/bin/python -m pip install -q --disable-pip-version-check build/bare/dist/*.whl
	build/bare/venv/bin/intermem --version
	cd build/bare && venv/bin/python -I ../../fixtures/demo/run.py > demo.out
	$(MAKE) -s --no-print-directory demo | cmp - build/bare/demo.out

soak: $(READY)  ## long property tests: two people, interrupted runs (INTERMEM_SOAK examples)
	INTERMEM_SOAK=$${INTERMEM_SOAK:-300} $(BIN)/python -m pytest -q tests/people/test_property.py \
		tests/people/test_feedback_property.py tests/people/test_rewording_property.py tests/faults/test_property.py

soak-documents: $(READY)  ## a million markers inserted into 20,000 documents: nothing lost or overlooked
	$(BIN)/python -m benchmarks.soak_documents

fuzz: $(READY)  ## property tests of documents and memories, for INTERMEM_FUZZ_SECONDS
	INTERMEM_FUZZ_SECONDS=$${INTERMEM_FUZZ_SECONDS:-600} $(BIN)/python -m pytest -q tests/fuzz

faults: $(READY)  ## every fault at every step; writes docs/reliability.md (an hour on two cores)
	rm -f build/tally
	mkdir -p build
	INTERMEM_FAULTS=all INTERMEM_CONCURRENCY_SECONDS=30 INTERMEM_TALLY=$(abspath build/tally) \
		$(BIN)/python -m pytest -q -n auto --dist worksteal \
		tests/faults tests/fuzz tests/test_corpus.py tests/verdicts/test_verify.py tests/project/git/test_cache.py
	$(BIN)/python docs/write_reliability.py build/tally

merges: $(READY)  ## how often two branches conflict, and whether repair loses anything
	$(BIN)/python -m benchmarks.merges
	$(BIN)/python -m benchmarks.merge_edits

team: $(READY)  ## simulated teams: 90 days, six seeds, and three scenarios (TEAM="--seeds 3 --trace FACT")
	$(BIN)/python -m benchmarks.team --scenario holiday
	$(BIN)/python -m benchmarks.team --scenario let-go
	$(BIN)/python -m benchmarks.team --scenario forge
	$(BIN)/python -m benchmarks.team --jobs 2 $(TEAM)

mutants: $(READY)  ## mutation tests of decay, regions, journal and storage (MUTANTS="--sample 50 store")
	$(BIN)/python benchmarks/mutants.py $(MUTANTS)

check-mutations: $(READY)  ## compare check --diff with all verdicts after random changes (CLONE=path, NUMBER=100)
	$(BIN)/python -m benchmarks.check_mutations $(CLONE) --number $(or $(NUMBER),100)

check-replay: $(READY)  ## replay real commits: check --diff, the full comparison, and with GONE=--gone what is to be read (CLONES="path …")
	$(BIN)/python -m benchmarks.check_replay $(CLONES) $(GONE)

check-recall: $(READY)  ## names and paths that documents cite, the tree lacks and history had, to be looked up (CLONES="path …")
	$(BIN)/python -m benchmarks.check_recall $(CLONES)

bench: $(READY)  ## how long people wait: P1 to P18 (CLONES="path …", BENCH="--only P14 --runs 3")
	$(BIN)/python -m benchmarks.speed $(if $(CLONES),--clones $(CLONES)) $(BENCH)

bench-check: $(READY)  ## how long check takes, and what it imports
	$(BIN)/python -m benchmarks.check_speed --profile 20

formatters: $(READY) $(NPM)  ## mdformat and prettier (INTERMEM_PRETTIER, or on the PATH) over every document of the corpus
	INTERMEM_FORMATTED=all $(WITH_PRETTIER) $(BIN)/python -m pytest -n auto --dist worksteal tests/test_formatters.py

docs: $(READY)  ## regenerate the generated pages of docs/
	$(BIN)/python docs/write_pages.py

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[dev]'
	@touch $@

$(NPM): $(READY)
	-@command -v npm > /dev/null && npm install --silent --no-audit --no-fund --prefix $(VENV)/npm prettier@3
	@mkdir -p $(@D) && touch $@

clean:
	rm -rf $(VENV) build dist .coverage .pytest_cache .mypy_cache .ruff_cache .hypothesis
