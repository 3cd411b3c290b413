#!/usr/bin/env bash
# Builds the Python package and tests it: from a folder, with numpy; after `pip install .`; and as
# the wheel for the package index, in bare environments without numpy, of this machine's Python and
# of those that pyenv has installed, if there are any. Missing packages are installed.
#
#     tests/bindings/python/run.sh [TEST]...      default: all, for example test_world.Errors
#
# The builds are in build/python. CAIRN_BUILD may name a build folder of Cairn: the folder is then
# made from that build. elsewhere.sh tests the wheels for other machines.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. engine/bindings/setup.sh

want_build_tools
want python3-numpy /usr/bin/python3 -c 'import numpy'
if [ $# -eq 0 ]; then
    want python3-venv /usr/bin/python3 -c 'import ensurepip, venv'
    want 'python3-mesonpy patchelf' /usr/bin/python3 -c 'import mesonpy'
    want mypy command -v mypy
fi
install_missing

out=$PWD/build/python
engine/bindings/python/package.sh "$out"
library=${CAIRN_BUILD:-$out/engine}/libcairn.a
cglm=$(pkg-config --cflags cglm 2> /dev/null || true)
compile() {
    ${CC:-cc} -std=c17 -O2 -ffp-contract=off -Wall -Wextra -Wconversion -Werror $cglm "$1" \
        "$library" -lm -pthread -o "$2"
}
compile tests/bindings/reach/record.c "$out/record"
compile demo/gym/lander_loop.c "$out/lander_loop"
export RECORD=$out/record LANDER_LOOP=$out/lander_loop PYTHONDONTWRITEBYTECODE=1

fail() {
    echo "python: $*" >&2
    exit 1
}

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

# Kernels that do not inline all compile in a third of the time.
quick="'-DCN_INLINE=static inline'"

echo '==== pip install .'
rm -rf "$out/installed"
/usr/bin/python3 -m venv --system-site-packages "$out/installed"
CFLAGS=$quick "$out/installed/bin/pip" install --quiet --no-build-isolation --no-deps --no-index .
installed=$(cd / && "$out/installed/bin/python" -c 'import cairn2d; print(*cairn2d.__path__)')
[[ $installed = $out/installed/* ]] || fail "$installed is not the package that was installed"
diff -r --brief --exclude='*.so' --exclude=__pycache__ "$out/package/cairn2d" "$installed"
test_with "$out/installed/bin/python" test_world test_batch

echo '==== the wheel'
CFLAGS=$quick engine/bindings/python/wheels.sh "$out/dist" native
wheel=$(echo "$out"/dist/cairn2d-*.whl)
[[ $wheel = *-py3-none-manylinux_2_17_* ]] || fail "$wheel needs a new glibc"

# A new environment has no packages, so no numpy. Its pip checks the tag.
for python in /usr/bin/python3 "$HOME"/.pyenv/versions/3.*/bin/python3; do
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2> /dev/null || continue
    echo "==== the wheel in $("$python" --version), without numpy"
    rm -rf "$out/bare"
    "$python" -m venv "$out/bare"
    "$out/bare/bin/pip" install --quiet --disable-pip-version-check --no-index "$wheel"
    (! "$out/bare/bin/python" -c 'import numpy' 2> /dev/null) || fail 'there is a numpy'
    test_with "$out/bare/bin/python" test_world test_reach test_names test_replay
done

echo '==== the type checker'
check='mypy --enable-incomplete-feature=Unpack --warn-unused-ignores'
$check --python-executable "$out/installed/bin/python" tests/bindings/python/typed.py
(cd "$out/package" && $check cairn2d)
