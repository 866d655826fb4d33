# Bare `make` prints the targets.
.DEFAULT_GOAL := help
LANE ?= confidential
MODULES := node_modules/.package-lock.json

.PHONY: help install build test test-root page test-page demo demo-boundary lint typecheck bench bench-peers vectors terraform test-terraform containers test-containers image image-reproducible image-test clean

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

demo-boundary: build ## two agents and what lies between: rejections, consent, approvals, every end of an effect; JSON=1 as above
	@JSON=$(JSON) node scripts/dist/boundary-demo/main.js

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

NODE24 := infra/node24/node_modules/.package-lock.json
ENGINE_CLIENT := infra/containers/node_modules/.package-lock.json

$(NODE24) $(ENGINE_CLIENT): %/node_modules/.package-lock.json: %/package-lock.json
	npm ci --prefix $* --ignore-scripts --no-audit --no-fund

containers: build $(NODE24) ## relay (software lane), host-proxy and agent from scratch, with SBOM: out/containers, and images where an engine answers
	npx --no-install tsx infra/containers/build/main.ts

test-containers: build $(NODE24) $(ENGINE_CLIENT) ## a session between containers, with Debian's engine if there is no other; on processes where there is none
	infra/containers/engine.sh sh -c 'npx --no-install tsx infra/containers/build/main.ts && npx --no-install vitest run --config infra/containers/vitest.containers.config.ts'

image: build ## the measured image of a release in out/image; KEYS=FOLDER, GCP_MEASUREMENT=HEX, FIRMWARE=FILE
	node scripts/dist/image/main.js release $(if $(KEYS),--keys $(KEYS)) $(if $(GCP_MEASUREMENT),--gcp-measurement $(GCP_MEASUREMENT)) $(if $(FIRMWARE),--firmware $(FIRMWARE))

image-reproducible: build ## builds the image here and in another folder, and compares
	node scripts/dist/image/main.js reproducible

image-test: build ## boots the image on emulated machines with a software TPM; needs no KVM
	node scripts/dist/image-test/main.js

clean: ## remove what was built
	rm -rf */dist out coverage
