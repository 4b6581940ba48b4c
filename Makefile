# A thin front door; the build itself is CMake (CMakePresets.json), and CONTRIBUTING.md says more.
#
#   make          the tools, optimised, in build/release/bin
#   make demo     audits the bundled subject with every lane, and sweeps a bundled Go binary
#   make test     builds and runs every test; says what was skipped
#   make test-programs   real programs in the sealed world: curl, npm, Chromium, PostgreSQL, ...
#   make bench    prints the figures as ratios, with the host
#   make fuzz     the parsers of foreign bytes under libFuzzer, a minute each (SECONDS=N)
#   make clean    removes build/
BUILD := build/release
.PHONY: all build demo test test-programs bench fuzz clean packages packages-test

all: build

packages:
	@scripts/install-dependencies build

packages-test:
	@scripts/install-dependencies build test

# Ninja runs CMake again by itself when a CMakeLists.txt has changed.
$(BUILD)/build.ninja: | packages
	cmake --preset release

# The demo needs no test program.
build: packages $(BUILD)/build.ninja
	@cmake --build --preset release --target programs

demo: build
	@scripts/demo $(BUILD)/bin

test: packages-test $(BUILD)/build.ninja
	cmake --build --preset release
	@scripts/run-tests $(if $(TALLY),--tally $(TALLY)) $(BUILD) -LE '^programs$$'

test-programs: packages $(BUILD)/build.ninja
	@scripts/install-dependencies build programs
	cmake --build --preset release --target programs validate_results
	@scripts/run-tests $(if $(TALLY),--tally $(TALLY)) $(BUILD) -L '^programs$$'

bench: packages-test $(BUILD)/build.ninja
	cmake --build --preset release --target programs benchmarks
	@scripts/bench $(BUILD)/bin

fuzz: packages-test
	@scripts/install-dependencies ci
	@scripts/fuzz $(or $(SECONDS),60)

clean:
	rm -rf build
