#!/usr/bin/env bash
# Tests the library as users of C and Rust get it, each part in a project outside of this one:
#
#     cmake     find_package(cairn), shared and static, in a folder that was moved or is linked
#     source    CMake builds Cairn within a project: the hashes of tests/bindings/reach, parts, lanes
#     symbols   the shared library exports the functions of api.json and nothing else; its soname
#     dll       the same for the library for Windows, which a program is linked with
#     wrap      a Meson project that gets Cairn by a wrap file
#     one       cairn.c and cairn.h, by gcc and clang; the hashes of tests/bindings/reach
#     elsewhere cairn.c is compiled for Windows, and for macOS if the headers of musl are installed
#     clang_cl  CMake builds Cairn by clang-cl, the clang of Visual Studio, with a replacement of its
#               headers and libraries (windows/). Programs with the static library and with the DLL
#               run in Wine: the hashes of tests/bindings/reach, all lanes, threads of Windows.
#               Visual Studio's own compiler is refused
#     rust      the example, if there is rustc
#
#     run.sh [PART...]      default: all
#
# Missing Debian packages are installed, except rustc.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. engine/bindings/setup.sh
parts=${*:-cmake source symbols dll wrap one elsewhere clang_cl rust}
# The folder of the tools of llvm. Not all of them have names without a version in PATH.
llvm_folder() {
    llvm-config --bindir
}

has_clang_cl() {
    local tool
    for tool in clang-cl lld-link llvm-lib llvm-dlltool; do [ -x "$(llvm_folder)/$tool" ] || return 1; done
}

want_build_tools
want binutils nm --version
for part in $parts; do
    case $part in
    cmake | source) want cmake cmake --version ;;
    one) want clang compiles clang c '' ;;
    dll | elsewhere)
        want clang compiles clang c ''
        want gcc-mingw-w64-x86-64 x86_64-w64-mingw32-gcc --version
        ;;
    clang_cl)
        want cmake cmake --version
        want 'clang lld llvm' has_clang_cl
        want wine64 eval 'PATH=$PATH:/usr/lib/wine command -v wine64'
        ;;
    esac
done
install_missing

. tests/bindings/support.sh
# These are tests of the packages: without optimisation, a build takes a fraction of the time. The
# scenes of tests/bindings/reach need a build as users have it, because options for exact results
# matter there. (Kernels that do not inline all compile in a third of the time.)
quick='-DCN_INLINE=static inline'
export CFLAGS="-O0 '$quick'"

# install_library KIND: into $work/KIND, then moves the folder to $work/moved-KIND
install_library() {
    [ ! -d "$work/moved-$1" ] || return 0
    quietly meson setup "$work/build-$1" "$source" --prefix="$work/$1" -Ddefault_library="$1" \
        -Ddemo=disabled -Dtests=disabled
    quietly meson install -C "$work/build-$1"
    mv "$work/$1" "$work/moved-$1"
}

test_cmake() {
    local project=$work/project kind
    write_cmake_project "$project" <<< 'find_package(cairn 0.2 REQUIRED CONFIG)'
    for kind in both static; do
        install_library $kind
        build_by_cmake "$project" "$work/cmake-$kind" -DCMAKE_PREFIX_PATH="$work/moved-$kind"
        echo "ok: cmake, $kind"
    done
    readelf -d "$work/cmake-both/game" | grep -q 'NEEDED.*libcairn' || fail 'not the shared library'
    ! readelf -d "$work/cmake-static/game" | grep -q 'NEEDED.*libcairn' || fail 'not the static one'
    build_by_cmake "$project" "$work/cmake-on" -DCMAKE_PREFIX_PATH="$work/moved-both" -DCAIRN_STATIC=ON
    ! readelf -d "$work/cmake-on/game" | grep -q 'NEEDED.*libcairn' || fail 'CAIRN_STATIC is ignored'
    # Found through a link to the folder of libraries, as /lib is on many systems.
    mkdir "$work/linked"
    ln -s "$work/moved-both/lib" "$work/linked/lib"
    build_by_cmake "$project" "$work/cmake-linked" -DCMAKE_PREFIX_PATH="$work/linked"
    # Another series of versions is refused.
    sed -i 's/cairn 0.2/cairn 0.9/' "$project/CMakeLists.txt"
    ! cmake -S "$project" -B "$work/cmake-bad" -DCMAKE_PREFIX_PATH="$work/moved-both" \
        > "$work/log" 2>&1 || fail 'version 0.9 was found'
    grep -q '0.2.0' "$work/log" || fail 'the version is not named'
    echo 'ok: cmake, versions'
}

# By add_subdirectory() and by FetchContent, with Cairn from this folder and from its last commit.
test_source() {
    local project=$work/source unoptimised=-DCMAKE_C_FLAGS_RELEASE=-O0
    write_cmake_project "$project" << END
if(BY_FETCH)
  include(FetchContent)
  FetchContent_Declare(cairn GIT_REPOSITORY "file://$source" GIT_TAG $(git rev-parse HEAD))
  FetchContent_MakeAvailable(cairn)
else()
  add_subdirectory("$source" cairn)
endif()
if(NOT CAIRN_PARTS STREQUAL "none")
  add_executable(scenes scenes.c)
  target_link_libraries(scenes PRIVATE cairn::cairn)
endif()
END
    write_scenes "$project/scenes.c"
    build_by_cmake "$project" "$work/source-all"
    gives_hashes "$work/source-all/scenes"
    echo 'ok: add_subdirectory, the hashes of the scenes'
    build_by_cmake "$project" "$work/source-core" -DBY_FETCH=ON -DCAIRN_PARTS=none \
        -DCAIRN_LANES=4 -DBUILD_SHARED_LIBS=ON -DCAIRN_CGLM_INCLUDE_DIR= "$unoptimised"
    echo 'ok: FetchContent, the core alone as a shared library'
    quietly cmake -S "$project" -B "$work/source-some" '-DCAIRN_PARTS=snapshot;explosions' -DCAIRN_LANES=1 \
        "$unoptimised"
    quietly cmake --build "$work/source-some" --parallel 2 --target game
    says "$work/source-some/game"
    local library=$work/source-some/cairn/libcairn.a
    nm "$library" > "$work/names"
    grep -q ' T cn_collide_contacts_1$' "$work/names" || fail 'CMake: no kernels for one lane'
    ! grep -q ' T cn_collide_contacts_\(8\|16\)$' "$work/names" || fail 'CMake: kernels for other lanes'
    ar t "$library" > "$work/names"
    grep -q '^blast.c' "$work/names" || fail 'CMake: a part is missing'
    grep -q '^outline.c' "$work/names" || fail 'CMake: a part that another part needs is missing'
    ! grep -q '^submerge.c' "$work/names" || fail 'CMake: a part that was not wanted is there'
    echo 'ok: CMake with some parts and lanes'
    ! cmake -S "$project" -B "$work/source-bad" -DCAIRN_LANES=5 > "$work/log" 2>&1 || fail 'CMake takes 5 lanes'
    grep -q 'no kernels for "5" lanes' "$work/log" || fail 'the wrong number is not in the error'
    ! cmake -S "$project" -B "$work/source-bad" -DCAIRN_LANES=all -DCAIRN_PARTS=querys > "$work/log" 2>&1 ||
        fail 'a part with a wrong name is accepted'
    grep -q 'no part "querys"' "$work/log" || fail 'the wrong name is not in the error'
}

# exports LIBRARY: the symbols that it exports, of Linux and of Windows
exports() {
    case $1 in
    *.dll) x86_64-w64-mingw32-objdump -p "$1" |
        awk '/^\[Ordinal\/Name Pointer\]/ { on = 1; next } /^$/ { on = 0 } on { print $NF }' ;;
    *) nm -D --defined-only "$1" | awk '{ print $3 }' | sed 's/@.*//' ;;
    esac
}

# The symbols at the standard input must be the functions of api.json.
compare_symbols() {
    sort |
        diff <(python3 -c '
import json
import sys
names = [f["name"] for f in json.load(open(sys.argv[1]))["functions"]]
print(*sorted(names), sep="\n")' "$source/engine/bindings/api.json") -
}

test_symbols() {
    install_library both
    local library
    library=$(find "$work/moved-both" -name 'libcairn.so')
    exports "$library" | LC_ALL=C compare_symbols || fail 'the library exports other symbols than api.json says'
    readelf -d "$library" | grep -q 'SONAME.*\[libcairn\.so\.0\.2\]' || fail 'another soname'
    # The comparison finds a symbol that is not in api.json.
    echo 'int cn_extra; void cn_world_step(void) {}' | cc -shared -fPIC -x c - -o "$work/bad.so"
    ! exports "$work/bad.so" | LC_ALL=C compare_symbols > "$work/log" || fail 'the comparison finds nothing'
    grep -q '^> cn_extra' "$work/log" || fail 'the comparison does not name the symbol'
    echo 'ok: symbols'
}

test_dll() {
    # This compiler does not look into the folder of this machine's headers.
    local header
    header=$(echo '#include <cglm/struct/vec2.h>' | cc -E $(pkg-config --cflags cglm 2> /dev/null) - |
        sed -n 's/^# 1 "\(.*\)\/struct\/vec2.h".*/\1/p' | head -1)
    mkdir "$work/include"
    ln -s "$header" "$work/include/cglm"
    quietly meson setup "$work/build-dll" "$source" --cross-file engine/bindings/cross/mingw64.ini \
        -Doptimization=0 -Ddemo=disabled -Dtests=disabled -Dc_args="-I$work/include"
    quietly ninja -C "$work/build-dll"
    exports "$work"/build-dll/libcairn-0.2.dll | LC_ALL=C compare_symbols ||
        fail 'the DLL exports other symbols than api.json says'
    write_hello "$work/hello-dll.c"
    quietly x86_64-w64-mingw32-gcc -Iengine -I"$work/include" "$work/hello-dll.c" \
        "$work/build-dll/libcairn.dll.a" -o "$work/hello-dll.exe"
    echo 'ok: dll'
}

test_wrap() {
    local project=$work/wrapped
    write_meson_project "$project"
    sed "s|^url = .*|url = file://$source|; s|^revision = .*|revision = $(git rev-parse HEAD)|
         /^depth/d" engine/bindings/cairn.wrap > "$project/subprojects/cairn.wrap"
    build_by_meson "$project" "$work/build-wrap"
    echo 'ok: wrap'
}

test_one() {
    local folder=$work/one
    quietly python3 engine/bindings/amalgamate.py "$folder"
    write_scenes "$folder/scenes.c"
    write_hello "$folder/hello.c"
    cd "$folder"
    # One command without options for exact results: cairn.c sets them itself. A compiler uses one core
    # for it, so two work at the same time.
    cc -O2 -Wall -Werror -I. scenes.c cairn.c -o scenes -lm -pthread > "$work/cc.log" 2>&1 &
    local job=$!
    quietly clang -O2 -Wall -Werror "$quick" -ffp-contract=off -I. scenes.c cairn.c -o scenes-clang -lm -pthread
    gives_hashes ./scenes-clang
    echo 'ok: cairn.c by clang, the hashes'
    if [ "$(uname -m)" = x86_64 ]; then # with instructions that round once where others round twice
        quietly cc -O2 -march=skylake-avx512 "$quick" -I. -S cairn.c -o cairn.s
        ! grep -q '^\s*vfn\?m' cairn.s || fail 'cairn.c has fused multiplications and additions'
        echo 'ok: cairn.c for other processors has no fused multiplications and additions'
    fi
    wait $job || { tail -40 "$work/cc.log"; fail 'cc cannot compile cairn.c'; }
    gives_hashes ./scenes
    echo 'ok: cairn.c, the hashes of the scenes'
    quietly cc -O0 -Wall -Wextra -Werror -I. -c hello.c
    if command -v c++ > /dev/null; then
        printf '#include "cairn.h"\nvec2s twice(vec2s v) { return {{2 * v.x, 2 * v.y}}; }\n' > user.cpp
        quietly c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -I. -c user.cpp
    fi
    # If cglm is included before, its vector is used.
    sed '1i #include <cglm/struct.h>' hello.c > after.c
    quietly cc -I. $(pkg-config --cflags cglm 2> /dev/null) -c after.c
    echo 'ok: cairn.h, alone and after cglm'
    cd "$source"
}

test_elsewhere() {
    local folder=$work/elsewhere
    quietly python3 engine/bindings/amalgamate.py "$folder"
    write_hello "$folder/hello.c"
    cd "$folder"
    quietly x86_64-w64-mingw32-gcc -O1 -I. hello.c cairn.c -o hello.exe
    quietly clang -target x86_64-w64-mingw32 -fsyntax-only cairn.c
    echo 'ok: cairn.c for Windows'
    if [ -d /usr/include/x86_64-linux-musl ]; then # a substitute for the headers of macOS
        quietly clang -target arm64-apple-macos11 -isystem /usr/include/x86_64-linux-musl \
            -fsyntax-only cairn.c
        echo 'ok: cairn.c for macOS (types only)'
    fi
    cd "$source"
}

# configure_clang_cl FOLDER OPTION...
configure_clang_cl() {
    local folder=$1 tools
    tools=$(llvm_folder)
    shift
    cmake -G Ninja -S "$source" -B "$folder" -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_SYSTEM_PROCESSOR=AMD64 \
        -DCMAKE_C_COMPILER="$tools/clang-cl" -DCMAKE_C_COMPILER_TARGET=x86_64-pc-windows-msvc \
        -DCMAKE_LINKER="$tools/lld-link" -DCMAKE_AR="$tools/llvm-lib" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_MT=true -DCMAKE_RC_COMPILER=true -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY \
        -DCAIRN_CGLM_INCLUDE_DIR= "$@"
}

# All sources, for all lanes, without warnings. No extension of GNU C is left, except those that
# clang-cl has, too: attributes, builtins, __typeof__ and vector types.
build_by_clang_cl() {
    local include="-imsvc $source/tests/bindings/packages/windows/include"
    CFLAGS="'-DCN_INLINE=static inline' $include -Werror /W3 -Wpedantic -Wgnu -Wvla" \
        quietly configure_clang_cl "$1"
    quietly cmake --build "$1" --parallel 2
    echo 'ok: clang-cl compiles all sources for all lanes'
}

# CMake is told that the compiler is another one.
refuse_other_compilers() {
    ! configure_clang_cl "$work/msvc" -DCMAKE_C_COMPILER_ID_RUN=1 -DCMAKE_C_COMPILER_ID=MSVC \
        -DCMAKE_C_COMPILER_VERSION=19.38 -DCMAKE_C_COMPILER_FORCED=1 > "$work/log" 2>&1 ||
        fail "Visual Studio's own compiler is not refused"
    grep -q 'cmake -T ClangCL' "$work/log" || fail 'the error does not name clang-cl'
    echo "ok: Visual Studio's own compiler is refused"
}

# compile_for_windows SOURCE...
compile_for_windows() {
    quietly "$(llvm_folder)/clang-cl" --target=x86_64-pc-windows-msvc -Werror /W3 /O2 /std:c17 /DNDEBUG \
        '/DCN_INLINE=static inline' -imsvc "$source/tests/bindings/packages/windows/include" /I. /c -- "$@"
}

# link_for_windows OPTION...: without the libraries of Visual Studio
link_for_windows() {
    quietly "$(llvm_folder)/lld-link" /nologo /nodefaultlib "$@" crt.obj ucrtbase.lib kernel32.lib
}

link_dll() {
    link_for_windows /dll /noentry /def:"$source/engine/bindings/cairn.def" /out:cairn-0.2.dll /implib:dll.lib \
        /wholearchive:cairn.lib
    "$(llvm_folder)/llvm-readobj" --coff-exports cairn-0.2.dll | sed -n 's/^ *Name: \(cn_\)/\1/p' |
        LC_ALL=C compare_symbols || fail 'clang-cl: the DLL exports other symbols than api.json says'
}

# run_in_wine PROGRAM LIBRARY > OUTPUT
run_in_wine() {
    link_for_windows /subsystem:console /entry:mainCRTStartup start.obj "$1.obj" "$2" /out:"$1.exe"
    wine64 "./$1.exe" | tr -d '\r'
}

test_clang_cl() {
    local folder=$work/clang-cl here=$source/tests/bindings/packages/windows library
    build_by_clang_cl "$folder"
    refuse_other_compilers
    quietly python3 engine/bindings/amalgamate.py "$folder/one"
    cd "$folder"
    cp one/cairn.[ch] .
    sed 's|"../../../engine/cairn.h"|"cairn.h"|' "$source/tests/bindings/reach/scenes.c" > scenes.c
    compile_for_windows "$here"/{crt,start,lanes}.c scenes.c cairn.c
    for library in ucrtbase kernel32; do
        quietly "$(llvm_folder)/llvm-dlltool" -m i386:x86-64 -d "$here/$library.def" -l $library.lib
    done
    link_dll
    export PATH=$PATH:/usr/lib/wine # Debian's wine64 is not in PATH
    export WINEDEBUG=-all WINEPREFIX=$folder/wine
    for library in cairn.lib dll.lib cairn.obj; do
        run_in_wine scenes $library | diff "$source/tests/bindings/reach/hashes.txt" - ||
            fail "clang-cl, $library: other hashes"
    done
    echo 'ok: clang-cl in Wine, as a library, a DLL and one file: the hashes of the scenes'
    run_in_wine lanes cairn.lib > lanes.txt || fail 'clang-cl: lanes'
    [ "$(sed -n 's/.* threads: //p' lanes.txt | sort -u | wc -l)" = 1 ] || fail 'clang-cl: hashes differ'
    ! grep -qw avx2 /proc/cpuinfo || grep -q '^8 lanes, 3 threads' lanes.txt || fail 'clang-cl: no 8 lanes'
    ! grep -qw avx512vl /proc/cpuinfo || grep -q '^16 lanes, 3 threads' lanes.txt || fail 'clang-cl: no 16 lanes'
    echo "ok: clang-cl in Wine: $(grep -c 'threads: ' lanes.txt) numbers of lanes and threads, one hash"
    wineserver64 -k 2> /dev/null || true
    cd "$source"
}

test_rust() {
    if ! command -v rustc > /dev/null; then
        echo 'skipped: there is no rustc'
        return 0
    fi
    install_library both
    local library folder=$work/rust
    library=$(dirname "$(find "$work/moved-both" -name libcairn.so)")
    mkdir -p "$folder"
    cp engine/bindings/rust/hello.rs "$folder"
    python3 engine/bindings/rust/generate.py engine/bindings/api.json "$folder/cairn.rs"
    quietly rustc --edition 2021 -D warnings -O "$folder/hello.rs" -L "$library" -l cairn -o "$folder/hello"
    LD_LIBRARY_PATH=$library says "$folder/hello"
    echo 'ok: rust'
}

for part in $parts; do "test_$part"; done
