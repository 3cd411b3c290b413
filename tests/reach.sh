#!/usr/bin/env bash
# Tests the bindings, the packages, the demo on the web, the documentation site, README.md as a new user
# reads it, and the files of a release. Each part has its own script, which installs the packages that it
# needs.
#
#     tests/reach.sh [PART]...      default: all of them
#
# The last line is "N passed, N failed".
set -uo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- web python lua reach packages web_demo site readme release

passed=0 failed=0
for part; do
    echo "==== $part"
    if "tests/bindings/$part/run.sh"; then
        passed=$((passed + 1))
        echo "==== $part: passed (after $SECONDS s)"
    else
        failed=$((failed + 1))
        echo "==== $part: failed (after $SECONDS s)"
    fi
done
echo "$passed passed, $failed failed"
exit $((failed > 0))
