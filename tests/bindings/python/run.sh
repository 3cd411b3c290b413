#!/usr/bin/env bash
# Builds the Python package and tests it: with numpy, with a Python that has none, and as a wheel
# that is installed in a bare environment. Missing packages are installed.
#
#     tests/bindings/python/run.sh [TEST]...      default: all, for example test_world.Errors
#
# The build is in build/python. CAIRN_BUILD may name a build folder of Cairn that is up to date.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. engine/bindings/setup.sh

want_build_tools
want python3-numpy /usr/bin/python3 -c 'import numpy'
want binutils command -v objdump
if [ $# -eq 0 ]; then
    want python3-venv /usr/bin/python3 -c 'import ensurepip, venv'
    want mypy command -v mypy
fi
install_missing

out=$PWD/build/python
engine/bindings/python/wheel.sh "$out"
library=${CAIRN_BUILD:-$out/engine}/libcairn.a
cglm=$(pkg-config --cflags cglm 2> /dev/null || true)
compile() {
    ${CC:-cc} -std=c17 -O2 -ffp-contract=off -Wall -Wextra -Wconversion -Werror $cglm "$1" \
        "$library" -lm -pthread -o "$2"
}
compile tests/bindings/reach/record.c "$out/record"
compile demo/gym/lander_loop.c "$out/lander_loop"
export RECORD=$out/record LANDER_LOOP=$out/lander_loop PYTHONDONTWRITEBYTECODE=1

# test_with PYTHON MODULE...: runs unit tests with this Python
test_with() {
    local python=$1
    shift
    (cd tests/bindings/python && "$python" -W error::ResourceWarning -m unittest "$@")
}

if [ $# -gt 0 ]; then
    PYTHONPATH=$out/package test_with /usr/bin/python3 "$@"
    exit
fi

echo '==== with numpy'
PYTHONPATH=$out/package test_with /usr/bin/python3 test_world test_reach test_names test_replay \
    test_batch test_lander test_readme

# A new environment has no packages, so no numpy.
echo '==== the wheel, in a bare environment without numpy'
rm -rf "$out/bare"
/usr/bin/python3 -m venv "$out/bare"
"$out/bare/bin/pip" install --quiet --no-index "$out"/cairn2d-*.whl
(! "$out/bare/bin/python" -c 'import numpy' 2> /dev/null) || { echo 'there is a numpy'; exit 1; }
test_with "$out/bare/bin/python" test_world test_reach test_names test_replay

echo '==== the type checker'
check='mypy --enable-incomplete-feature=Unpack --warn-unused-ignores'
$check --python-executable "$out/bare/bin/python" tests/bindings/python/typed.py
(cd "$out/package" && $check cairn2d)
