#!/usr/bin/env bash
# Installs each file of a release into an empty place, and runs the first program of README.md there:
#
#     sums      SHA256SUMS has all files, and they are as it says
#     source    the sources, in a Meson project by cairn.wrap, and in a CMake project as a folder and as an
#               archive that CMake fetches
#     one       cairn.c, in C and in C++
#     linux     the libraries, by pkg-config and CMake; the hashes of tests/bindings/reach
#     windows   the same libraries, for programs that run in wine
#     lua       LuaJIT; LÖVE in a virtual display
#     npm       node, a bundle by esbuild, pages with <script type=module> and <script> in Chromium
#     python    a wheel in a bare environment, the source distribution, the wheels of other machines in
#               emulators
#     site      the pages and the demo, in Chromium
#
#     run.sh [PART]...      default: all
#
# CAIRN_DIST is the folder of the release. Without it, release.sh writes one into build/dist. Missing
# packages are installed: those of Debian, and puppeteer-core from npm.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. engine/bindings/setup.sh
parts=${*:-sums source one linux windows lua npm python site}
if [ -z "${CAIRN_DIST:-}" ]; then
    CAIRN_DIST=build/dist
    engine/bindings/release.sh --draft --no-tests --out "$CAIRN_DIST"
fi
dist=$(realpath "$CAIRN_DIST")
want_build_tools
want cmake cmake --version
want g++ compiles g++ c++ ''
for part in $parts; do
    case $part in
    windows)
        want gcc-mingw-w64-x86-64 x86_64-w64-mingw32-gcc --version
        PATH=$PATH:/usr/lib/wine want wine64 command -v wine64
        ;;
    lua)
        want luajit luajit -v
        want love love --version
        want 'xvfb xauth' command -v xvfb-run
        ;;
    npm | site)
        want nodejs node --version
        want npm npm --version
        want esbuild esbuild --version
        want chromium chromium --version
        ;;
    python)
        want python3-venv /usr/bin/python3 -c 'import ensurepip, venv'
        want 'python3-mesonpy patchelf' eval '/usr/bin/python3 -c "import mesonpy" && patchelf --version'
        ;;
    esac
done
install_missing
. tests/bindings/support.sh
# These are tests of the packages: builds without optimisation take a fraction of the time.
export CFLAGS="-O0 '-DCN_INLINE=static inline'" CMAKE_BUILD_TYPE=Debug

# file PATTERN: the only file of the release with such a name
file() {
    local found
    found=$(find "$dist" -maxdepth 1 -name "$1")
    [ -f "$found" ] || fail "the release has no $1, or several"
    echo "$found"
}

test_sums() {
    (cd "$dist" && quietly sha256sum --check --strict SHA256SUMS)
    (cd "$dist" && find . -type f ! -name SHA256SUMS | sed 's|^\./||' | sort) |
        diff <(cut -c 67- "$dist/SHA256SUMS" | sort) - || fail 'SHA256SUMS has other files'
}

test_source() {
    local archive name project=$work/source
    archive=$(file "$(sed -n 's/^source_filename = //p' "$dist/cairn.wrap")")
    name=$(basename "$archive" .tar.gz)
    write_meson_project "$project/meson"
    mkdir "$project/meson/subprojects/packagecache" # what was downloaded
    cp "$archive" "$project/meson/subprojects/packagecache"
    cp "$dist/cairn.wrap" "$project/meson/subprojects"
    build_by_meson "$project/meson" "$project/meson/build"
    echo 'ok: cairn.wrap'
    write_cmake_project "$project/folder" <<< "add_subdirectory($name)"
    tar -xf "$archive" -C "$project/folder"
    build_by_cmake "$project/folder" "$project/folder/build" -DCAIRN_LANES=4
    echo 'ok: add_subdirectory'
    write_cmake_project "$project/fetch" << END
include(FetchContent)
FetchContent_Declare(cairn URL "file://$archive" URL_HASH SHA256=$(sha256sum "$archive" | cut -c -64))
FetchContent_MakeAvailable(cairn)
END
    build_by_cmake "$project/fetch" "$project/fetch/build" -DCAIRN_LANES=4
    echo 'ok: FetchContent'
}

test_one() {
    local project=$work/one
    mkdir "$project"
    cp "$dist"/cairn.[ch] "$project"
    cd "$project"
    write_hello game.c
    quietly cc -O1 -I. game.c cairn.c -o game -lm -pthread
    says ./game
    echo 'ok: C'
    block engine/bindings/README.md cpp > game.cpp
    quietly cc -O1 -c cairn.c
    quietly g++ -std=c++20 -I. game.cpp cairn.o -o game_cpp -lm -pthread
    says='the crate falls at -0.167 m/s' says ./game_cpp
    echo 'ok: C++'
}

test_linux() {
    local folder
    tar -xf "$(file 'cairn-*-linux-x86_64.tar.gz')" -C "$work"
    folder=$(echo "$work"/cairn-*-linux-x86_64)
    mkdir "$work/linux"
    cd "$work/linux"
    write_hello game.c
    write_scenes scenes.c
    export PKG_CONFIG_PATH=$folder/lib/pkgconfig
    quietly cc game.c $(pkg-config --cflags --libs cairn) -o game
    LD_LIBRARY_PATH=$folder/lib says ./game
    quietly cc -O2 scenes.c $(pkg-config --cflags cairn) "$folder/lib/libcairn.a" -lm -pthread -o scenes
    gives_hashes ./scenes
    echo 'ok: pkg-config, the hashes'
    write_cmake_project cmake <<< 'find_package(cairn 0.2 REQUIRED CONFIG)'
    build_by_cmake cmake cmake/build -DCMAKE_PREFIX_PATH="$folder"
    echo 'ok: find_package'
}

# Programs for Windows find the DLL beside them.
test_windows() {
    local folder
    python3 -m zipfile -e "$(file 'cairn-*-windows-x86_64.zip')" "$work"
    folder=$(echo "$work"/cairn-*-windows-x86_64)
    mkdir "$work/windows"
    cd "$work/windows"
    cp "$folder"/bin/libcairn-*.dll .
    write_hello game.c
    write_scenes scenes.c
    export PATH=$PATH:/usr/lib/wine WINEDEBUG=-all WINEPREFIX=$work/wine
    quietly x86_64-w64-mingw32-gcc -I"$folder/include" game.c "$folder/lib/libcairn.dll.a" -o game.exe
    says wine64 game.exe
    quietly x86_64-w64-mingw32-gcc -O2 -I"$folder/include" scenes.c "$folder/lib/libcairn.dll.a" -o scenes.exe
    gives_hashes wine64 scenes.exe
    rm libcairn-*.dll
    quietly x86_64-w64-mingw32-gcc -static -I"$folder/include" game.c "$folder/lib/libcairn.a" -o static.exe
    says wine64 static.exe
    cmp "$folder"/bin/libcairn-*.dll "$folder/lua/cairn.dll" || fail 'another DLL in lua/'
    ! command -v wineserver64 > /dev/null || wineserver64 -k || true
}

test_lua() {
    local folder program=engine/bindings/lua/README.md
    mkdir -p "$work/lua"
    tar -xf "$(file 'cairn-*-linux-x86_64.tar.gz')" -C "$work/lua"
    folder=$(echo "$work"/lua/cairn-*/lua)
    block $program lua > "$work/lua/first.lua"
    (cd "$folder" && LUA_CPATH="./?.so" quietly luajit "$work/lua/first.lua")
    tail -n 1 "$work/log" | grep -Pq '^2\.\d+\t(0\.9[89]|1\.0)\d*$' || fail 'the program in Lua prints something else'
    echo 'ok: LuaJIT'
    tests/bindings/lua/love.sh "$folder"
}

# Installs puppeteer-core in a folder, which is then $tools.
install_browser() {
    tools=$work/tools/build
    [ -d "$tools" ] || quietly npm install --prefix "$tools" --no-save --no-audit --no-fund --silent puppeteer-core@24
}

test_npm() {
    local project=$work/npm
    mkdir "$project"
    cd "$project"
    quietly npm install --no-audit --no-fund --offline "$(file 'cairn2d-*.tgz')"
    block README.md js > game.mjs
    says node game.mjs
    echo 'ok: node'
    quietly esbuild game.mjs --bundle --minify --format=esm --outfile=bundle.js
    cp bundle.js "$work/bundle.mjs" # without node_modules
    says node "$work/bundle.mjs"
    echo 'ok: esbuild'
    {
        echo '<!doctype html><script type="importmap">{"imports":{"cairn2d":"./node_modules/cairn2d/index.js"}}</script>'
        printf '<script type="module">\n%s\n</script>\n' "$(cat game.mjs)"
    } > module.html
    echo '<!doctype html><script type="module" src="bundle.js"></script>' > bundle.html
    {
        echo '<!doctype html><script src="node_modules/cairn2d/cairn2d.global.js"></script>'
        printf '<script>\n%s\n</script>\n' \
            "$(sed 's/^import \(.*\) from "cairn2d";$/const \1 = cairn2d;/' game.mjs)"
    } > global.html
    install_browser
    node "$source/tests/bindings/release/pages.mjs" "$project" "$work/tools" "$says" \
        module.html bundle.html global.html
}

test_python() {
    local project=$work/python wheel
    mkdir "$project"
    cd "$project"
    export PIP_DISABLE_PIP_VERSION_CHECK=1
    block README.md python > game.py
    /usr/bin/python3 -m venv bare
    quietly bare/bin/pip install --no-index --find-links "$dist" --only-binary :all: cairn2d
    says bare/bin/python game.py
    echo 'ok: the wheel'
    for wheel in "$dist"/cairn2d-*.whl; do
        quietly bare/bin/pip install --target "$(basename "$wheel").d" --no-index --no-deps --only-binary :all: \
            --platform "$(basename "${wheel##*-}" .whl)" --find-links "$dist" cairn2d
        [ -d "$(basename "$wheel").d/cairn2d" ] || fail "$wheel has no package"
        echo "ok: pip takes $(basename "$wheel")"
    done
    /usr/bin/python3 -m venv --system-site-packages source
    quietly source/bin/pip install --no-index --no-build-isolation --no-deps "$(file 'cairn2d-*.tar.gz')"
    says source/bin/python game.py
    echo 'ok: the source distribution'
    "$source/tests/bindings/python/elsewhere.sh" "$dist"
}

test_site() {
    install_browser
    node tests/bindings/site/browser.mjs "$dist/site" "$(command -v chromium)" "$tools"
}

for part in $parts; do
    "test_$part"
    cd "$source"
    echo "ok: $part (after $SECONDS s)"
done
