.PHONY: run test check bench words

run:
	python3 -m scorekeeper

test:
	python3 -m tests

# Lint and types alone.
check:
	python3 -m tests --check

# Brings every catalogue up to date with what the code says; what is new in it has no words yet.
# A further language begins as an empty file, such as scorekeeper/translations/de.po.
words: .venv
	mkdir -p build
	.venv/bin/pybabel -q extract -F babel.cfg -k say --add-location=file --sort-by-file --width=100 \
		--project=Scorekeeper --header-comment="# The words of Scorekeeper." -o build/words.pot .
	for language in scorekeeper/translations/*.po; do \
		.venv/bin/pybabel -q update -i build/words.pot -o $$language -l $$(basename $$language .po) \
			--no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date \
			--update-header-comment --width=100 || exit 1; \
	done

.venv:
	python3 -c "from scorekeeper.bootstrap import enter_environment; enter_environment()"

# How fast it is, and how much it takes, on this machine.
bench:
	python3 -m bench
