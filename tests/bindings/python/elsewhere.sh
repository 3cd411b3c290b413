#!/usr/bin/env bash
# Tests the wheels for other machines.
#
#     tests/bindings/python/elsewhere.sh [FOLDER] [PLATFORM]...
#
# FOLDER has the wheels that engine/bindings/python/wheels.sh has made. Without a folder, they are built
# in build/python/elsewhere. The platforms are
#
#     aarch64   Debian's Python for 64-bit ARM installs the wheel and runs the tests, in qemu
#     mingw64   the DLL exports what the package calls, needs only DLLs of Windows, and gives the
#               hashes of tests/bindings/reach to a C program in wine. Python itself does not run.
#
# Missing Debian packages are installed. Python for ARM is unpacked in build/python/aarch64.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. engine/bindings/setup.sh
out=$PWD/build/python
dist=$(realpath -m "${1:-$out/elsewhere}")
is_built=$(($# > 0))
shift $is_built
platforms=${*:-aarch64 mingw64}
export PATH=$PATH:/usr/lib/wine # Debian's wine64 is not in PATH

want_build_tools
for platform in $platforms; do
    case $platform in
    aarch64) want qemu-user-static qemu-aarch64-static --version ;;
    mingw64)
        want gcc-mingw-w64-x86-64 x86_64-w64-mingw32-gcc --version
        want wine64 command -v wine64
        ;;
    esac
done
install_missing
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "elsewhere: $*" >&2
    exit 1
}

# find_wheel TAG: sets `wheel`
find_wheel() {
    wheel=$(echo "$dist"/cairn2d-*-py3-none-$1.whl)
    [ -f "$wheel" ] || fail "there is no wheel for $1 in $dist"
}

# Downloads Python and what it needs for 64-bit ARM, with lists of packages of its own, and unpacks
# it. Nothing is installed on this machine.
unpack_python() {
    local apt=$out/aarch64/apt deb
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
    : > "$apt/status"
    local options=(-o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State="$apt"
        -o Dir::State::status="$apt/status" -o Dir::Cache="$apt/cache"
        -o APT::Install-Recommends=false -o APT::Sandbox::User=root)
    apt-get -qq "${options[@]}" update
    apt-get -qq "${options[@]}" --yes --download-only install python3-minimal libpython3-stdlib \
        python3-pip-whl > "$work/log" || { cat "$work/log"; fail 'no Python for ARM'; }
    for deb in "$apt"/cache/archives/*.deb; do dpkg-deb --extract "$deb" "$out/aarch64/root"; done
}

test_aarch64() {
    local root=$out/aarch64/root
    [ -e "$root/usr/bin/python3" ] || unpack_python
    find_wheel 'manylinux*_aarch64'
    # The program that tests start again as Python.
    cat > "$work/python3" << END
#!/bin/sh
PYTHONHOME=$root/usr exec qemu-aarch64-static -L $root -0 "\$0" $root/usr/bin/python3.[0-9]* "\$@"
END
    chmod +x "$work/python3"
    "$work/python3" "$root"/usr/share/python-wheels/pip-*.whl/pip install --quiet --no-index \
        --disable-pip-version-check --target "$work/package" "$wheel"
    (cd tests/bindings/python && PYTHONPATH=$work/package PYTHONDONTWRITEBYTECODE=1 \
        "$work/python3" -m unittest test_world test_reach test_names)
}

# The functions of api.json, and those of the two C files of the package.
expected_exports() {
    python3 -c '
import json
print(*(f["name"] for f in json.load(open("engine/bindings/api.json"))["functions"]), sep="\n")'
    python3 engine/bindings/python/generate.py "$work"
    cat engine/bindings/python/native.c "$work/many.c" | grep -o '^CAIRN2D_API [^(]*' | grep -o '\w*$'
}

test_mingw64() {
    find_wheel win_amd64
    python3 -m zipfile --extract "$wheel" "$work/windows"
    local dll=$work/windows/cairn2d/libcairn2d.dll
    x86_64-w64-mingw32-objdump -p "$dll" > "$work/tables"
    awk '/^\[Ordinal\/Name Pointer\]/ { on = 1; next } /^$/ { on = 0 } on { print $NF }' "$work/tables" |
        LC_ALL=C sort | diff <(expected_exports | LC_ALL=C sort) - || fail 'the DLL exports other functions'
    ! sed -n 's/.*DLL Name: //p' "$work/tables" | grep -iv '^kernel32\.dll$\|^msvcrt\.dll$' ||
        fail 'the DLL needs others, which are not part of Windows'
    x86_64-w64-mingw32-gcc -std=c17 -O2 -ffp-contract=off tests/bindings/reach/scenes.c "$dll" \
        -o "$work/windows/cairn2d/scenes.exe"
    WINEDEBUG=-all WINEPREFIX=$work/wine wine64 "$work/windows/cairn2d/scenes.exe" < /dev/null |
        tr -d '\r' | diff tests/bindings/reach/hashes.txt - || fail 'the DLL has other hashes'
}

[ $is_built = 1 ] || engine/bindings/python/wheels.sh "$dist" $platforms
for platform in $platforms; do
    echo "==== the wheel for $platform"
    "test_$platform"
    echo "ok: $platform"
done
