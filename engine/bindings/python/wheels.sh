#!/usr/bin/env bash
# Builds what is uploaded to the package index: the source distribution of the last commit, and from
# it the wheels, for this machine and for others by cross compilers.
#
#     wheels.sh FOLDER [PLATFORM]...      default: native aarch64 mingw64
#
# aarch64 is Linux on 64-bit ARM, mingw64 Windows on x86-64: see engine/bindings/cross/. Missing
# Debian packages are installed. The files have the time of the last commit, so the same commit
# gives the same bytes.
set -euo pipefail
out=$(mkdir -p "$1" && cd "$1" && pwd)
shift
cd "$(dirname "$0")/../../.."
. engine/bindings/setup.sh
here=$PWD/engine/bindings/python
platforms=${*:-native aarch64 mingw64}

want_build_tools
want git git --version
want binutils readelf --version
want python3-venv /usr/bin/python3 -c 'import ensurepip, venv'
want python3-wheel /usr/bin/python3 -m wheel version
want 'python3-mesonpy patchelf' /usr/bin/python3 -c 'import mesonpy'
for platform in $platforms; do
    case $platform in
    aarch64)
        want 'gcc-aarch64-linux-gnu libc6-dev-arm64-cross' compiles aarch64-linux-gnu-gcc c ''
        want qemu-user-static qemu-aarch64-static --version # runs what meson tries
        ;;
    mingw64) want gcc-mingw-w64-x86-64 x86_64-w64-mingw32-gcc --version ;;
    esac
done
install_missing

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH PYTHON=/usr/bin/python3

quietly() {
    "$@" > "$work/log" 2>&1 || { tail -40 "$work/log" >&2; exit 1; }
}

# The source distribution is the content of a clean clone.
build_sdist() {
    git clone --quiet --no-hardlinks . "$work/clone"
    (cd "$work/clone" && quietly "$PYTHON" -c "import mesonpy; mesonpy.build_sdist('$work')")
    mv "$work"/cairn2d-*.tar.gz "$out"
    sdist=$(echo "$out"/cairn2d-*.tar.gz)
    echo "$sdist"
}

# old_threads COMPILER: sets `link` to an option for the linker. Since glibc 2.34, the functions
# that create and join threads have new versions, and a library that is linked here would not run
# with an older glibc. This substitute has the versions that every glibc has.
old_threads() {
    local version folder=$work/threads-$1
    link=
    version=$(readelf -W --dyn-syms "$("$1" -print-file-name=libc.so.6)" |
        sed -n 's/.* pthread_join@\(GLIBC_[0-9.]*\).*/\1/p')
    [ -n "$version" ] || return 0
    mkdir "$folder"
    echo "$version { global: pthread_create; pthread_join; };" > "$folder/map"
    echo 'void pthread_create(void) {} void pthread_join(void) {}' |
        quietly "$1" -w -fno-builtin -shared -fPIC -nostdlib -x c - -o "$folder/libpthread.so" \
            -Wl,-soname,libpthread.so.0 -Wl,--version-script="$folder/map"
    link=-L$folder
}

build_native() {
    old_threads cc
    quietly "$PYTHON" -m venv --system-site-packages "$work/venv"
    LDFLAGS="${LDFLAGS-} $link" quietly "$work/venv/bin/pip" wheel --no-build-isolation --no-deps \
        --no-index --wheel-dir "$work/native" "$sdist"
    wheel=$(echo "$work"/native/cairn2d-*.whl)
}

# build_library PLATFORM: the library for another platform, from the same sources
build_library() {
    local target=engine/bindings/python/libcairn2d.so
    [ "$1" != mingw64 ] || target=${target%.so}.dll
    mkdir -p "$work/source"
    tar -xf "$sdist" -C "$work/source" --strip-components=1
    # The cross file links statically, which a library for Linux cannot be.
    local link_args=()
    if [ "$1" = aarch64 ]; then
        old_threads aarch64-linux-gnu-gcc
        link_args=(-Dc_link_args="$link")
    fi
    QEMU_LD_PREFIX=/usr/aarch64-linux-gnu quietly meson setup "$work/$1" "$work/source" \
        --cross-file "engine/bindings/cross/$1.ini" "${link_args[@]}" -Dpython=enabled \
        -Ddefault_library=static -Dtests=disabled -Ddemo=disabled
    quietly ninja -C "$work/$1" "$target"
    library=$work/$1/$target
}

rm -f "$out"/cairn2d-*.whl "$out"/cairn2d-*.tar.gz
build_sdist
build_native
for platform in $platforms; do
    if [ "$platform" = native ]; then
        "$here/retag.sh" "$wheel" "$out"
    else
        build_library "$platform"
        "$here/retag.sh" "$wheel" "$out" "$library"
    fi
done
