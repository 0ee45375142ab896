# Every target sets up what it needs inside the project folder; nothing is installed globally
# (but Debian's Chromium and PostgreSQL, by `make test`, `make check` and `make screenshots`, when run as root on a
# machine without them).

PYTHON  ?= python3
RUN     := .venv-run
DEV     := .venv
RELEASE := .venv-release
RUN_PY  := $(RUN)/bin/python
DEV_PY  := $(DEV)/bin/python
DEMO    ?= .demo
ROUNDS  ?= 3
PAGE    := tests/page
CONSOLE := extension/console/app
BUILT   := extension/console/built/index.html
MODULES := $(CONSOLE)/node_modules
CHECKED := extension adapter tools tests
PYTEST  := $(DEV_PY) -m pytest -q
CHECK   := requirements/preflight.sh
# In the order of the folders: files of a few long tests would come last otherwise.
BESIDE  := -n 2 --dist=loadfile --no-loadscope-reorder
# Tests of servers and of git wait for a third of their time: three fill two processors.
THREE   := -n 3 --dist=loadfile --no-loadscope-reorder
# Browser tests share what a worker has, not what a file has: whoever is free takes the next.
BROWSER := -n 2 --dist=worksteal
# In memory where it has room: tests write 100,000 small files, and what they test waits for the disk after many.
MEMORY   = $(shell df -k /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 6000000 { print "-p /dev/shm" }')

# GATEWAY_SRC=DIR/src runs everything against a working copy of the gateway; gates still judge the mirror.
export PYTHONPATH := $(GATEWAY_SRC)
export MYPYPATH := $(GATEWAY_SRC)
# Hundreds of tests start a Python, and each would compile the project anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: preflight run fleet test package-tests browser-tests check soak bench screenshots requirements clean lint types page console \
  docs imports gates gateway-tests gateway-alone gateway-beside gateway-bench browser postgresql test-stock native \
  native-tests dist

run: $(RUN)/.ready
	@$(MAKE) --no-print-directory $(BUILT) NPM_FROM=$(RUN)
	@echo "Starting the demo pool in $(DEMO): providers, gateway and extension"
	@$(RUN_PY) -m tools demo run --folder $(DEMO)

# Three gateways, two workers and a console, on PostgreSQL or the database in POOLKEEPER_DATABASE_URL.
fleet: $(DEV)/.ready $(BUILT) $(if $(POOLKEEPER_DATABASE_URL),,postgresql)
	@echo "Starting the demo fleet in $(DEMO)-fleet: gateways, PostgreSQL, console and workers"
	@$(DEV_PY) -m tools demo fleet --folder $(DEMO)-fleet

# Two things at a time, each step by itself: what has one process beside another of its kind, then what has workers.
test: $(DEV)/.ready $(PAGE)/node_modules/.ready $(MODULES)/.checks $(BUILT) browser postgresql
	@$(MAKE) --no-print-directory -j 2 types page lint gates native-tests gateway-alone
	@$(MAKE) --no-print-directory gateway-beside
	@$(MAKE) --no-print-directory package-tests
	@$(MAKE) --no-print-directory browser-tests

package-tests: $(DEV)/.ready $(BUILT) postgresql
	@echo "== tests of the packages, of the contract, of the repository and of the whole house"
	folder=$$(mktemp -d $(MEMORY)) && trap 'rm -rf "$$folder"' EXIT && \
	  $(PYTEST) $(THREE) --basetemp="$$folder/tests" -m "not soak" --ignore=tests/browser

browser-tests: $(DEV)/.ready $(PAGE)/node_modules/.ready $(BUILT) browser
	@echo "== browser tests"
	$(PYTEST) $(BROWSER) -m "not soak" tests/browser

check: $(DEV)/.ready $(BUILT) postgresql lint types page gates
	$(PYTEST) $(BESIDE) -m "not slow and not soak" --ignore=tests/browser

# The port's suite, faults, pass-through and the round trip against a real stock gateway, with its figures:
# make test-stock GATEWAY=/path/to/binary [ROUNDS=30]
# With several releases each is switched in every family, and the rest runs against the first:
# make test-stock GATEWAYS="/path/to/newest /path/to/older"
GATEWAYS ?= $(GATEWAY)

test-stock: $(DEV)/.ready $(BUILT)
	@test -n "$(strip $(GATEWAYS))" || { echo "Name the binary of a stock gateway: make test-stock GATEWAY=/path/to/binary"; exit 2; }
	@for binary in $(abspath $(GATEWAYS)); do test -x "$$binary" || { echo "$$binary is no program: name the binary of a stock gateway"; exit 2; }; done
	@$(MAKE) --no-print-directory native
	POOLKEEPER_STOCK_GATEWAY="$(abspath $(GATEWAYS))" POOLKEEPER_STOCK_ROUNDS="$(ROUNDS)" $(DEV_PY) -m pytest -q --timeout=300 -p tests.stock.table tests/contract tests/stock

# The long forms, and generated examples that no run before has seen. Hours; nobody waits for it.
soak: export HYPOTHESIS_PROFILE := soak
soak: $(DEV)/.ready browser postgresql $(PAGE)/node_modules/.ready $(BUILT)
	$(PYTEST) -m "soak or hypothesis" -s --timeout=1800

bench: $(DEV)/.ready
	$(DEV_PY) -m tests.bench

screenshots: $(DEV)/.ready $(BUILT) browser
	$(DEV_PY) -m tests.browser.screenshots

lint: $(DEV)/.ready
	@echo "== ruff"
	$(DEV)/bin/ruff check $(CHECKED)
	$(DEV)/bin/ruff format --check --quiet $(CHECKED)

types: $(DEV)/.ready
	@echo "== mypy"
	$(DEV)/bin/mypy

# The built console, once: `make run`, the tests and the wheel use the same files. Node comes with either environment.
NPM_FROM ?= $(DEV)
SOURCES  := $(wildcard $(addprefix $(CONSOLE)/,public/* src/*.* src/*/*.* src/*/*/*.*)) $(addprefix $(CONSOLE)/,package-lock.json vite.config.ts \
            ../static/_generated_constants.js)

console: $(BUILT)

$(BUILT): $(MODULES)/.ready $(SOURCES)
	@echo "Building the console"
	@cd $(CONSOLE) && $(CURDIR)/$(NPM_FROM)/bin/node node_modules/vite/bin/vite.js build --logLevel warn
	@touch $@

# What builds the console is installed by itself: what checks it takes longer, and `make run` does without.
$(MODULES)/.ready: $(NPM_FROM)/.ready $(CONSOLE)/package-lock.json $(CONSOLE)/.npmrc
	@rm -f $(MODULES)/.checks
	@cd $(CONSOLE) && PATH="$(CURDIR)/$(NPM_FROM)/bin:$$PATH" npm ci --omit=dev --loglevel=error >/dev/null
	@touch $@

$(MODULES)/.checks: $(DEV)/.ready $(CONSOLE)/package-lock.json $(CONSOLE)/.npmrc
	@cd $(CONSOLE) && PATH="$(CURDIR)/$(DEV)/bin:$$PATH" npm ci --loglevel=error >/dev/null
	@touch $(MODULES)/.ready $@

# The console's own checks, with the node of the development environment.
page: $(MODULES)/.checks
	@echo "== console: format, types, lint, tests"
	cd $(CONSOLE) && PATH="$(CURDIR)/$(DEV)/bin:$$PATH" TZ=UTC npm run --silent check
	$(DEV_PY) -m tools generate page --check

# Tables in the documents, which repeat the code. Tests compare them.
docs: $(DEV)/.ready
	$(DEV_PY) -m tools generate docs

# The same contracts as within the gates, with import-linter's own words.
imports: $(DEV)/.ready
	@echo "== lint-imports"
	$(DEV)/bin/lint-imports

gates: $(DEV)/.ready
	@echo "== gates: mirror check, patches, entry check, boundary (lint-imports and what it cannot see), contract"
	$(DEV_PY) -m tools gates
	@echo "== gate: manifest of the library for stock gateways"
	$(DEV_PY) -m tools native --check

# The library for stock gateways, put where an editable install finds it; needs cargo, as nothing else does.
# The target folder is CARGO_TARGET_DIR, else ~/.cache/poolkeeper/native.
native: $(DEV)/.ready
	$(DEV_PY) -m tools native

# What a release consists of, in dist/: wheels with the console, for two processors with the library and one without,
# archives for the plugin store, a bill of materials, checksums. Needs cargo, and rustup for the other processor.
PROCESSORS := x86_64 aarch64
dist: $(DEV)/.ready $(RELEASE)/.ready $(BUILT)
	@rm -rf dist && mkdir -p dist/store
	rustup target add $(PROCESSORS:%=%-unknown-linux-gnu)
	for name in $(PROCESSORS); do PATH="$(CURDIR)/$(RELEASE)/bin:$$PATH" $(DEV_PY) -m tools native --processor $$name || exit 1; done
	for name in $(PROCESSORS) any; do WHEEL_FOR=$$name $(WHEEL) . || exit 1; done
	$(WHEEL) ./mirror/gateway
	$(DEV_PY) -m tools native --store dist/store --store-url "$(STORE_URL)"
	$(RELEASE)/bin/cyclonedx-py requirements --pyproject pyproject.toml --output-reproducible -o dist/sbom.json requirements/runtime.txt
	cd dist && find . -type f ! -name SHA256SUMS | sed 's|^\./||' | LC_ALL=C sort | xargs sha256sum > SHA256SUMS && cat SHA256SUMS
WHEEL = $(DEV_PY) -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir dist
# Where the archives of the plugin store will lie.
STORE_URL ?= .

native-tests: $(DEV)/.ready
	@echo "== the library for stock gateways: rustfmt, clippy, unit tests"
	$(DEV_PY) -m tools native --test
	@echo "== gate: generated messages of the plugin contract"
	$(DEV_PY) -m tools proto --check

# The mirrored project's own tests, in a copy, so that nothing is left behind in the mirror.
# Two parts are not for workers: the recorded exchanges are counted in the output, and a name with a time in it (of a
# compressed body) differs from worker to worker.
SERIAL  := tests/recorded tests/outbound/test_body.py
IN_COPY  = copy=$$(mktemp -d) && trap 'rm -rf "$$copy"' EXIT && cp -R mirror/gateway/. "$$copy" && cd "$$copy" && \
	  PYTHONPATH="$$copy/src" $(CURDIR)/$(DEV_PY)

gateway-tests: gateway-alone gateway-beside

gateway-alone: $(DEV)/.ready
	@echo "== the mirrored gateway's own tests that are not for workers"
	$(IN_COPY) -m pytest -q $(SERIAL)

gateway-beside: $(DEV)/.ready
	@echo "== the mirrored gateway's own tests"
	$(IN_COPY) -m pytest -q -n 2 --dist=loadfile $(SERIAL:%=--ignore=%)

# The mirrored project's own measurements, beside those of a stock gateway: 10,000 keys, 200 streams. Two minutes.
gateway-bench: $(DEV)/.ready
	$(IN_COPY) -m benchmarks

browser: $(DEV)/.ready
	$(DEV_PY) -m tests.browser.chromium

# The store's tests run on PostgreSQL, too: a machine without one is told what to install.
postgresql: $(DEV)/.ready
	@$(DEV_PY) -m tests.postgresql.programs

# Runs before everything that needs an environment, and only looks.
preflight:
	@$(CHECK) git

# Two environments: what `poolkeeper serve` needs, and what checks and tests need on top.
# The gateway is installed as the separate distribution it is, from the mirror, never in place.
$(RUN)/.ready: requirements/build.txt requirements/runtime.txt pyproject.toml mirror/upstream.lock | preflight
	@$(CHECK) python $(PYTHON)
	@echo "Installing into $(RUN): once, for about a minute, from the package index"
	@$(PYTHON) -m venv $(RUN)
	@$(CHECK) install $(RUN) --require-hashes -r requirements/build.txt -r requirements/runtime.txt
	@$(CHECK) install $(RUN) --no-deps --no-build-isolation --force-reinstall mirror/gateway
	@$(CHECK) install $(RUN) --no-deps --no-build-isolation -e .
	@touch $@

$(DEV)/.ready: requirements/build.txt requirements/runtime.txt requirements/development.txt pyproject.toml mirror/upstream.lock | preflight
	@$(CHECK) python $(PYTHON)
	@echo "Installing into $(DEV): once, for about a minute, from the package index"
	@$(PYTHON) -m venv $(DEV)
	@$(CHECK) install $(DEV) --require-hashes -r requirements/build.txt -r requirements/runtime.txt -r requirements/development.txt
	@$(CHECK) install $(DEV) --no-deps --no-build-isolation --force-reinstall mirror/gateway
	@$(CHECK) install $(DEV) --no-deps --no-build-isolation -e .
	@touch $@

$(RELEASE)/.ready: requirements/release.txt | preflight
	@$(PYTHON) -m venv $(RELEASE)
	@$(CHECK) install $(RELEASE) --require-hashes -r requirements/release.txt
	@touch $@

$(PAGE)/node_modules/.ready: $(DEV)/.ready $(PAGE)/package.json $(PAGE)/package-lock.json $(PAGE)/.npmrc
	cd $(PAGE) && $(CURDIR)/$(DEV)/bin/npm ci --loglevel=error
	@touch $@

# Pins the newest versions that fit; needs uv. The index's address stays out of the files.
requirements:
	for name in build runtime development fleet release; do \
	  uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --upgrade \
	    requirements/$$name.in -o requirements/$$name.txt || exit 1; \
	done

clean:
	rm -rf $(RUN) $(DEV) $(RELEASE) $(PAGE)/node_modules $(MODULES) $(dir $(BUILT)) $(DEMO) $(DEMO)-fleet dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +
