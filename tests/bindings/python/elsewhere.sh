#!/usr/bin/env bash
# Tests the wheels for other machines.
#
#     tests/bindings/python/elsewhere.sh [FOLDER [PLATFORM...]]
#
# FOLDER has the wheels that engine/bindings/python/wheels.sh has made. Without a folder, they are
# built in build/python/elsewhere. The platforms are
#
#     aarch64   Debian's Python for 64-bit ARM installs the wheel and runs the tests, in qemu
#     mingw64   the DLL exports what the package calls, needs only DLLs of Windows, and gives the
#               hashes of tests/bindings/reach to a C program in wine. Python itself does not run.
#     debian11  Python 3.9 of Debian 11, with its glibc 2.31, runs the tests of the wheel for
#               x86-64. Only if it is named: it needs a mirror that has this version of Debian.
#
# Missing Debian packages are installed. The other Pythons are unpacked in build/python.
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

# unpack_python NAME ARCHITECTURE [RELEASE]: downloads Python and what it needs of another machine
# or another version of Debian, with package lists of its own, and unpacks it. Nothing is installed.
# Sets `root` to the folder.
unpack_python() {
    local apt=$out/$1/apt mirror deb options
    root=$out/$1/root
    [ ! -e "$root/usr/bin/python3" ] || return 0
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
    : > "$apt/status"
    options=(-o APT::Architecture="$2" -o APT::Architectures="$2" -o Dir::State="$apt"
        -o Dir::State::status="$apt/status" -o Dir::Cache="$apt/cache"
        -o APT::Install-Recommends=false -o APT::Sandbox::User=root)
    local packages=(python3-pip-whl)
    if [ $# = 3 ]; then
        packages=(python-pip-whl python3-distutils) # its older name, and what that needs
        mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep '/debian/*$' | head -1)
        echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $3 main" \
            > "$apt/list"
        options+=(-o Dir::Etc::SourceList="$apt/list" -o Dir::Etc::SourceParts=/dev/null)
    fi
    apt-get -qq "${options[@]}" update
    apt-get -qq "${options[@]}" --yes --download-only install python3-minimal libpython3-stdlib \
        "${packages[@]}" > "$work/log" || { cat "$work/log"; fail "no Python for $1"; }
    for deb in "$apt"/cache/archives/*.deb; do dpkg-deb --extract "$deb" "$root"; done
}

# test_with PYTHON: installs the wheel by pip, which checks the tag, and runs tests
test_with() {
    rm -rf "$work/package"
    "$1" "$(echo "$root"/usr/share/python-wheels/pip-*.whl)/pip" install --quiet --no-index \
        --disable-pip-version-check --target "$work/package" "$wheel"
    (cd tests/bindings/python && PYTHONPATH=$work/package PYTHONDONTWRITEBYTECODE=1 \
        "$1" -m unittest test_world test_reach test_names)
}

# The Python is a script, so that the tests can start it again.
test_aarch64() {
    find_wheel 'manylinux*_aarch64'
    unpack_python aarch64 arm64
    cat > "$work/python3" << END
#!/bin/sh
PYTHONHOME=$root/usr exec qemu-aarch64-static -L $root -0 "\$0" $root/usr/bin/python3.[0-9]* "\$@"
END
    chmod +x "$work/python3"
    test_with "$work/python3"
}

test_debian11() {
    find_wheel 'manylinux*_x86_64'
    unpack_python debian11 amd64 bullseye
    cat > "$work/python3" << END
#!/bin/sh
PYTHONHOME=$root/usr exec $root/lib/x86_64-linux-gnu/ld-2.31.so --inhibit-cache --library-path \
    $root/lib/x86_64-linux-gnu:$root/usr/lib/x86_64-linux-gnu $root/usr/bin/python3.9 "\$@"
END
    chmod +x "$work/python3"
    test_with "$work/python3"
}

# The functions of api.json, and those of the two C files of the package.
expected_exports() {
    python3 -c '
import json
print(*(f["name"] for f in json.load(open("engine/bindings/api.json"))["functions"]), sep="\n")'
    python3 engine/bindings/python/generate.py "$work"
    cat engine/bindings/python/native.c "$work/many.c" | grep -o '^CAIRN2D_API [^(]*' |
        grep -o '\w*$'
}

test_mingw64() {
    find_wheel win_amd64
    python3 -m zipfile --extract "$wheel" "$work/windows"
    local dll=$work/windows/cairn2d/libcairn2d.dll
    x86_64-w64-mingw32-objdump -p "$dll" > "$work/tables"
    awk '/^\[Ordinal\/Name Pointer\]/ { on = 1; next } /^$/ { on = 0 } on { print $NF }' \
        "$work/tables" | LC_ALL=C sort | diff <(expected_exports | LC_ALL=C sort) - ||
        fail 'the DLL exports other functions'
    ! sed -n 's/.*DLL Name: //p' "$work/tables" | grep -iv '^kernel32\.dll$\|^msvcrt\.dll$' ||
        fail 'the DLL needs others, which are not part of Windows'
    x86_64-w64-mingw32-gcc -std=c17 -O2 -ffp-contract=off tests/bindings/reach/scenes.c "$dll" \
        -o "$work/windows/cairn2d/scenes.exe"
    export WINEDEBUG=-all WINEPREFIX=$work/wine
    wine64 "$work/windows/cairn2d/scenes.exe" < /dev/null 2> "$work/log" | tr -d '\r' > "$work/hashes"
    wineserver64 -k -w || true
    diff tests/bindings/reach/hashes.txt "$work/hashes" || fail 'the DLL has other hashes'
}

[ $is_built = 1 ] || engine/bindings/python/wheels.sh "$dist" $platforms
for platform in $platforms; do
    echo "==== the wheel for $platform"
    "test_$platform"
    echo "ok: $platform"
done
