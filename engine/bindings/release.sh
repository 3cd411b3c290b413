#!/usr/bin/env bash
# Makes a release: writes everything that is uploaded into a folder, and tests it.
#
#     release.sh [--draft] [--no-tests] [--out FOLDER] [--url URL]
#
#     --draft      a trial: CHANGELOG.md needs no date, and changes that are not committed are left out
#     --no-tests   without tests/reach.sh, which also installs each file of the release
#     --out        default: dist. An old release there is replaced
#     --url        the address that the files will have, for cairn.wrap; default: that in ../cairn.wrap
#
# Everything is built from a clean clone of the last commit, in build/release, and has the time of that
# commit. Nothing is uploaded: CONTRIBUTING.md says what goes where. The folder then has, for example,
#
#     cairn-0.2.0.tar.gz                  the sources; the same commit gives the same bytes
#     cairn.wrap                          for Meson: the address and the hash of the sources
#     cairn.c, cairn.h                    the library in one file
#     cairn-0.2.0-linux-x86_64.tar.gz     libraries, files for pkg-config and CMake, lua/ for LÖVE
#     cairn-0.2.0-windows-x86_64.zip      the same for Windows
#     cairn2d-0.2.0.tgz                   the package for npm
#     cairn2d-0.2.0.tar.gz, *.whl         the packages for Python
#     site/                               the documentation and the demo, for any file server
#     SHA256SUMS                          of all files
#
# Missing Debian packages are installed.
set -euo pipefail
cd "$(dirname "$0")/../.."
. engine/bindings/setup.sh
root=$PWD work=$PWD/build/release
out=$PWD/dist url= is_draft=false tests=true

usage() {
    sed -n '4s/^# *//p' "$0" >&2
    exit 2
}

while [ $# -gt 0 ]; do
    case $1 in
    --draft) is_draft=true ;;
    --no-tests) tests=false ;;
    --out) out=$(realpath -m "${2:?}") && shift ;;
    --url) url=${2:?} && shift ;;
    *) usage ;;
    esac
    shift
done

fail() {
    echo "release.sh: $*" >&2
    exit 1
}

# ---- checks

check() {
    local option=--released
    [ "$(uname -sm)" = 'Linux x86_64' ] || fail 'releases are made on Linux on x86-64'
    ! $is_draft || option=
    version=$(python3 tests/rules/check_version.py --print $option) || fail 'the versions are not right'
    $is_draft || [ -z "$(git status --porcelain)" ] || fail 'there are changes that are not committed'
    [ ! -e "$out" ] || [ -f "$out/SHA256SUMS" ] || rmdir "$out" 2> /dev/null ||
        fail "$out has no release: remove it, or name another folder"
}

want_packages() {
    want_build_tools
    want_demo_libraries
    want git git --version
    want binutils readelf --version
    want nodejs node --version
    want npm npm --version
    want esbuild esbuild --version
    want luajit luajit -v
    want python3-markdown-it /usr/bin/python3 -c 'import markdown_it'
    want python3-numpy /usr/bin/python3 -c 'import numpy'
    want gcc-mingw-w64-x86-64 x86_64-w64-mingw32-gcc --version
    PATH=$root/engine/bindings/cross:$PATH want 'clang lld llvm wasi-libc libclang-rt-dev-wasm32' \
        compiles wasi-cc c '#include <stdio.h>'
    install_missing
}

# ---- what is written

# archive REPOSITORY: the sources of the last commit
archive() {
    git -C "$1" -c tar.umask=0022 archive --format=tar --prefix="cairn-$version/" HEAD | gzip -9n
}

write_source() {
    local file=cairn-$version.tar.gz
    archive "$root" > "$dist/$file"
    (umask 077 && TZ=Asia/Tokyo archive "$source") | cmp - "$dist/$file" || fail "$file is not the same again"
    [ -n "$url" ] || url=$(sed -n 's|^url = \(.*\)/.*|\1|p' engine/bindings/cairn.wrap)
    cat > "$dist/cairn.wrap" << END
# Put this file into subprojects/ of a Meson project, and use dependency('cairn').
[wrap-file]
directory = cairn-$version
source_url = $url/$file
source_filename = $file
source_hash = $(sha256sum "$dist/$file" | cut -d ' ' -f 1)

[provide]
dependency_names = cairn
END
}

write_one_file() { python3 engine/bindings/amalgamate.py "$dist"; }

# install_library PLATFORM OPTION...: builds the library and installs it in a folder, which is then $folder
install_library() {
    local build=build/$1
    folder=$work/packed/cairn-$version-$1-x86_64
    shift
    meson setup "$build" --prefix="/$(basename "$folder")" --libdir=lib --strip -Ddefault_library=both \
        -Dpkgconfig.relocatable=true -Ddemo=disabled -Dtests=disabled "$@"
    ninja -C "$build"
    meson install -C "$build" --no-rebuild --destdir "$work/packed"
    mkdir "$folder/lua"
    cp LICENSE "$folder"
    cp engine/bindings/lua/cairn.lua "$folder/lua"
}

# describe PLATFORM LIBRARIES NEEDS: the README.txt of the folder
describe() {
    cat > "$folder/README.txt" << END
Cairn $version for $1 on x86-64: a 2D rigid-body physics engine. The licence is in LICENSE.

include/cairn.h         the header, which is also the manual
$2
lua/                    for LuaJIT and LÖVE: put cairn.lua into your program, and the library beside it
share/cairn/api.json    all functions and structs, for bindings of other languages

You may move this folder. PKG_CONFIG_PATH=FOLDER/lib/pkgconfig tells pkg-config where it is, and
-DCMAKE_PREFIX_PATH=FOLDER tells CMake, for find_package(cairn).

$3
END
    find "$folder" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
}

write_linux() {
    local glibc
    install_library linux
    cp "$folder/lib/libcairn.so" "$folder/lua"
    glibc=$(readelf -W --version-info "$folder/lua/libcairn.so" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
    describe Linux 'lib/                    libcairn.so and libcairn.a' \
        "The libraries need glibc ${glibc#GLIBC_} or later."
    tar --sort=name --owner=0 --group=0 --numeric-owner --mode=u+w,go-w,a+rX \
        -C "$work/packed" -cf - "$(basename "$folder")" | gzip -9n > "$dist/$(basename "$folder").tar.gz"
}

write_windows() {
    install_library windows --cross-file engine/bindings/cross/mingw64.ini
    cp "$folder"/bin/libcairn-*.dll "$folder/lua/cairn.dll"
    describe Windows "bin/                    the DLL
lib/                    libcairn.dll.a for the DLL, and libcairn.a" \
        'The libraries are made for gcc of MinGW-w64. They need no other DLL than those of Windows.'
    (cd "$work/packed" && TZ=UTC python3 -m zipfile -c "$dist/$(basename "$folder").zip" "$(basename "$folder")")
}

write_npm() {
    node engine/bindings/web/build.mjs build/web
    npm pack --silent --pack-destination "$dist" ./build/web/package
}

write_python() { engine/bindings/python/wheels.sh "$dist"; }

# The demo makes the pictures. The reference has the signatures of each language.
write_site() {
    demo/web/build.sh build/web_demo
    meson configure build/linux -Ddemo=enabled
    ninja -C build/linux demo/cairn-demo
    CAIRN_BUILD=build/linux engine/bindings/python/package.sh build/python
    /usr/bin/python3 engine/bindings/docs/build.py "$dist/site" --demo build/linux/demo/cairn-demo \
        --web-demo build/web_demo --web build/web --python build/python/package --lua build/linux/libcairn.so
}

write_sums() {
    (cd "$dist" && find . -type f ! -name SHA256SUMS | sed 's|^\./||' | LC_ALL=C sort |
        tr '\n' '\0' | xargs -0 sha256sum > SHA256SUMS)
}

# ---- main

# stage NAME: runs write_NAME in the clone, and shows its output only if it fails
stage() {
    log=$work/$1.log
    TIMEFORMAT="$1: %R s (CPU: %U s + %S s)"
    time "write_$1" > "$log" 2>&1
    log=
}

log=
show_log() { [ -z "$log" ] || { tail -n 40 "$log"; echo "release.sh: this failed: see $log"; } >&2; }
trap show_log EXIT

check
want_packages
rm -rf "$work"
source=$work/source dist=$work/dist
mkdir -p "$dist" "$work/packed"
git clone -q "$root" "$source"
cd "$source"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
for name in source one_file linux windows npm python site sums; do stage $name; done
if $tests; then CAIRN_DIST=$dist tests/reach.sh; fi
rm -rf "$out"
mkdir -p "$(dirname "$out")"
mv "$dist" "$out"
(cd "$out" && du -ah --max-depth=1 --apparent-size | sort -k 2)
echo "release.sh: $out has version $version of $(git rev-parse --short HEAD) (after $SECONDS s)"
