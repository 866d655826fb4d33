# Bare `make` prints the targets.
.DEFAULT_GOAL := help
LANE ?= confidential
MODULES := node_modules/.package-lock.json

.PHONY: help install build test test-root page test-page demo lint typecheck bench bench-peers vectors terraform test-terraform clean

help: ## print this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

install: $(MODULES) ## npm ci, without install scripts

$(MODULES): package-lock.json
	npm ci --ignore-scripts --no-audit --no-fund

build: $(MODULES) ## compile every room
	npm run --silent build

test: build ## the whole suite
	npm test

test-root: $(MODULES) ## what mounts file systems: doubles of configfs-tsm and /dev/sev-guest; needs root and /dev/fuse
	@test "$$(id -u)" = 0 || { echo 'make test-root mounts file systems, so it has to be run by root' >&2; exit 1; }
	@test -c /dev/fuse || { echo 'make test-root needs /dev/fuse, and there is none (modprobe fuse)' >&2; exit 1; }
	npm run --silent test:root

page: $(MODULES) ## the verifier as one offline HTML file: verifier/dist/parley-verify.html
	npm run --silent page

test-page: $(MODULES) ## that page in a browser, against Node's results; needs chromium (apt-get install chromium)
	npm run --silent test:page

demo: build ## the whole story on loopback; LANE=software, CONTRACT=NAME of the registry, JSON=1 for a last line of JSON
	@LANE=$(LANE) CONTRACT=$(CONTRACT) JSON=$(JSON) npm run --silent demo

lint: $(MODULES) ## import table, trust mints, formatting
	npm run --silent lint

typecheck: $(MODULES) ## sources and tests
	npm run --silent typecheck

bench: build ## ratios against named floors
	npm run --silent bench

bench-peers: ## the other verifiers that the bench compares with
	npm run --silent bench:peers

vectors: build ## write the committed vectors again
	npm run --silent vectors

terraform: $(MODULES) ## the Terraform of infra, checked offline: format, the provider's schema, security invariants
	@command -v terraform > /dev/null || { echo 'make terraform needs terraform 1.11 on the path, and there is none' >&2; exit 1; }
	npx --no-install tsx infra/terraform/check/main.ts

test-terraform: $(MODULES) ## that each kind of mistake fails those checks
	@command -v terraform > /dev/null || { echo 'make test-terraform needs terraform 1.11 on the path, and there is none' >&2; exit 1; }
	npx --no-install vitest run --config infra/terraform/vitest.terraform.config.ts

clean: ## remove what was built
	rm -rf */dist out coverage
