# The doors to the scripts in Tools/; each script says with --help what it takes.
.DEFAULT_GOAL := help
.PHONY: help run test assembled lint build release install deb deb-twice dist packages-test bench fuzz mutants api-coverage forms clean

PREFIX ?= /usr/local
# Not every shell takes the tilde for the home folder there.
override PREFIX := $(patsubst ~/%,$(HOME)/%,$(PREFIX))
DESTDIR ?=

help: ## say what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 22

run: ## build, and sign in to a sample site with a sample vault
	@Tools/bootstrap run
	@Tools/run

test: ## lint, and every test there is (PACKAGES=1: with those of packages-test, and the packages attacked)
	@Tools/bootstrap test
	$(if $(PACKAGES),@Tools/bootstrap package)
	@Tools/test $(if $(PACKAGES),--packages)

assembled: ## attack the installed system alone, as root (INSTALLED=PREFIX for one that is there already)
	@Tools/bootstrap test
	@Tools/assembled $(if $(INSTALLED),--prefix '$(INSTALLED)')

lint: ## formatting, types, shell and Python scripts, arrows between the rooms
	@Tools/bootstrap test
	@Tools/test lint

build: ## debug build
	@Tools/bootstrap build
	@swift build

release: ## the programs as they ship: runtime linked in, stripped
	@Tools/bootstrap build
	@Tools/release

install: ## lay the release build out under PREFIX (after `make release`)
	@Tools/install --prefix '$(PREFIX)' --destdir '$(DESTDIR)'

deb: ## the Debian packages of this commit, built in a clean copy of it, into .build/deb
	@Tools/bootstrap package
	@Tools/deb

deb-twice: ## the same twice: both builds must be equal byte by byte
	@Tools/bootstrap package
	@Tools/deb --twice

dist: ## a tarball of the programs, with checksums, of the packages that `make deb` built
	@Tools/bootstrap package
	@Tools/dist

packages-test: ## install the Debian packages on a clean Debian, live with them there, and attack them, as root
	@Tools/bootstrap package
	@Tools/test packages

bench: ## every benchmark, as a table
	@Tools/bootstrap bench
	@Benchmarks/run

fuzz: ## the fuzz targets, each for SECONDS (10)
	@Tools/bootstrap build
	@Tools/test fuzz

mutants: ## switch each guard off in a copy of the tree, and see its test fail (ONLY=T5, CHANGED=1 or a commit)
	@Tools/bootstrap test
	@Tools/mutants $(foreach what,$(ONLY),--only '$(what)') $(if $(CHANGED),--changed $(filter-out 1,$(CHANGED)))

api-coverage: ## how much of the reference's API the module has, row for row (Tools/api-coverage --help)
	@Tools/bootstrap build
	@Tools/api-coverage $(if $(ROWS),--rows)

forms: ## which field of a page is what, scored on labelled pages (PAGES=FOLDER; Tools/forms --help)
	@Tools/bootstrap test
	@Tools/forms $(if $(PAGES),'$(PAGES)')

clean: ## remove what building made
	@rm -rf .build Browser/dist
