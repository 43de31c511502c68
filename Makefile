.PHONY: run test check

run:
	python3 -m scorekeeper

test:
	python3 -m tests

# Lint and types alone.
check:
	python3 -m tests --check
