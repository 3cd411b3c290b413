#!/usr/bin/env bash
# Builds with gcov, runs the suite, and prints the lines and branches of engine/ that it covers, per
# file and in total:
#
#     tests/coverage.sh [--new]
#
# Fails if a line is not covered and not in uncovered.txt, if a line there is covered or no longer
# exists, or if fewer than 95 % of the branches are taken. --new prints lines for uncovered.txt.
# Assertions are compiled out: their branches cannot be taken. Needs GCC 9 or later.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -d build-coverage ] ||
    CC=gcc meson setup build-coverage -Db_coverage=true -Dbuildtype=plain -Doptimization=1 \
        -Ddebug=true -Db_ndebug=true -Dtests=enabled -Ddemo=disabled
ninja -C build-coverage
find build-coverage -name '*.gcda' -delete
meson test -C build-coverage --no-rebuild --num-processes 1 --no-suite speed --no-suite package
python3 tests/rules/coverage.py build-coverage tests/rules/uncovered.txt "$@"
