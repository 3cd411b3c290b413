# What this machine lacks, apt installs. Sourced by demo/run.sh, tests/run.sh and .ci/run:
#
#     want PACKAGES COMMAND...     the Debian packages are wanted if the command fails
#     install_missing              installs all that is wanted, or says what to install and exits
#
# Where nothing is missing neither apt nor sudo is called.

missing=()

want() {
    local packages=$1
    shift
    "$@" > /dev/null 2>&1 || missing+=($packages)
}

# compiles COMPILER LANGUAGE LINE: is there such a compiler, with what it needs to make a program?
compiles() {
    printf '%s\nint main(void) { return 0; }\n' "$3" | "$1" -x "$2" - -o /dev/null
}

has_cglm() {
    compiles cc c '#include <cglm/struct/vec2.h>' || pkg-config --exists cglm
}

want_build_tools() {
    want 'gcc libc6-dev' compiles cc c ''
    want meson meson --version
    want ninja-build ninja --version
    want pkg-config pkg-config --version
    want libcglm-dev has_cglm
}

want_demo_libraries() {
    want libsdl2-dev pkg-config --exists sdl2
    want libstb-dev eval "pkg-config --exists stb || compiles cc c '#include <stb/stb_image_write.h>'"
}

may_install() {
    command -v apt-get > /dev/null || return
    [ "$(id -u)" = 0 ] && return
    command -v sudo > /dev/null || return
    [ -t 0 ] || sudo -n true 2> /dev/null # with a terminal sudo can ask for the password
}

run_apt_get() {
    local prefix=()
    [ "$(id -u)" = 0 ] || prefix=(sudo)
    "${prefix[@]}" env DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=a \
        apt-get -y -o DPkg::Lock::Timeout=300 "$@"
}

install_missing() {
    [ ${#missing[@]} -gt 0 ] || return 0
    echo "cairn: this machine lacks ${missing[*]}"
    if ! may_install; then
        echo "cairn: these packages cannot be installed from here: that takes apt-get, and root or" >&2
        echo "sudo without a password. Have them installed, then start this again:" >&2
        echo "    apt-get install ${missing[*]}" >&2
        exit 1
    fi
    run_apt_get update || echo "cairn: apt-get update failed; trying with the lists that are there" >&2
    if ! run_apt_get install --no-install-recommends "${missing[@]}"; then
        echo "cairn: apt-get could not install ${missing[*]} (on Ubuntu they need 'universe')" >&2
        exit 1
    fi
    missing=()
}
