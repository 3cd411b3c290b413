#!/usr/bin/env bash
# Makes the wheel for the package index from a wheel that meson-python has built.
#
#     retag.sh WHEEL FOLDER [LIBRARY]
#
#     FOLDER/cairn2d-VERSION-py3-none-PLATFORM.whl
#
# meson-python tags a wheel for one version of Python and for the machine that built it. But ctypes
# loads the library, which fits every Python 3. So the new tag has no version of Python, and the
# platform is what the library needs: the processor, and on Linux the oldest glibc that has all the
# functions it calls. LIBRARY replaces the library in the wheel: the other files are the same on all
# platforms.
#
# Needs `python3 -m wheel` (PYTHON names another Python that has it) and readelf.
set -euo pipefail
python=${PYTHON:-python3}
wheel=$1
out=$(mkdir -p "$2" && cd "$2" && pwd)
library=${3:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "retag.sh: $*" >&2
    exit 1
}

# The platform of a library for Linux. No wheel is tagged with an older glibc than 2.17.
linux_platform() {
    local machine glibc
    machine=$(LC_ALL=C readelf -h "$1" | sed -n 's/^ *Machine: *//p')
    case $machine in
    *X86-64) machine=x86_64 ;;
    AArch64) machine=aarch64 ;;
    *) fail "no wheels for the machine '$machine'" ;;
    esac
    glibc=$(readelf -W --version-info "$1" | grep -o 'GLIBC_2\.[0-9]*' | cut -d_ -f2)
    glibc=$(printf '%s\n' 2.17 $glibc | sort -V | tail -1)
    echo "manylinux_${glibc/./_}_$machine"
}

"$python" -m wheel unpack --dest "$work" "$wheel" > "$work/log"
package=$(echo "$work"/cairn2d-*)
if [ -n "$library" ]; then
    rm "$package"/cairn2d/libcairn2d.*
    cp "$library" "$package/cairn2d/"
fi
library=$(echo "$package"/cairn2d/libcairn2d.*)
case $library in
*.so) platform=$(linux_platform "$library") ;;
*.dll) platform=win_amd64 ;;
*) platform=$(basename "${wheel##*-}" .whl) ;;
esac
sed -i "s/^Tag: .*/Tag: py3-none-$platform/" "$package"/cairn2d-*.dist-info/WHEEL
"$python" -m wheel pack --dest-dir "$out" "$package" > "$work/log"
echo "$out/$(basename "$package")-py3-none-$platform.whl"
