# Shared by the scripts beside it; sourced, never run.
# Sets: project_root, mqi_cache, mpich_version; defines functions, each described there.

project_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Everything that outlives a checkout (MPICH, parsed debug information) is kept here.
mqi_cache=${MQI_CACHE:-${XDG_CACHE_HOME:-${HOME:-/var/tmp}/.cache}/mqinspect}

# The upstream version of Debian 12's source package.
mpich_version=4.0.2

say() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; }
die() { say "$@"; exit 2; }

# Runs a command as root: directly, or through sudo where that asks nothing.
as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then sudo "$@"
    else die "needs root to run: $*"; fi
}

# mpich_devices: what DEVICE may be, the default first.
mpich_devices='ch3:nemesis ch3:sock ch4:ofi ch4:ucx, each also with /plain'

# check_device DEVICE: ends the script if it is not one of them.
check_device() {
    case "${1%/plain}" in
        ch3:nemesis | ch3:sock | ch4:ofi | ch4:ucx) ;;
        *) die "unknown device '$1': $mpich_devices" ;;
    esac
}

# mpich_flags DEVICE: the configure arguments that make one build differ from another.
# DEVICE/plain is the same without the lists that --enable-debuginfo keeps for debuggers:
# types and symbols only, as -g gives them.
mpich_flags() {
    printf '%s\n' "--with-device=${1%/plain}"
    [ "$1" != "${1%/plain}" ] || printf '%s\n' --enable-debuginfo
    # A static library would be compiled from every source once more.
    printf '%s\n' --enable-g=dbg --enable-shared --disable-static
    if [ "$1" = ch3:nemesis ]; then
        printf '%s\n' --enable-fortran=all --disable-doc \
            FFLAGS=-fallow-argument-mismatch FCFLAGS=-fallow-argument-mismatch
        return
    fi
    # Built for tests only, so without what these never use.
    printf '%s\n' --disable-fortran --disable-romio --disable-doc
    # A network library that is asked for is Debian's; without the argument, and without
    # the package, MPICH would silently compile the copy that it comes with. Its own
    # dataloop engine takes a fraction of the time of the default, yaksa.
    case "$1" in
        ch4:ofi*) printf '%s\n' --with-libfabric --with-datatype-engine=dataloop ;;
        ch4:ucx*) printf '%s\n' --with-ucx --with-datatype-engine=dataloop ;;
    esac
}

# mpich_packages DEVICE: the Debian packages that only this device needs. Debian's
# libfabric.la names the libraries of three more.
mpich_packages() {
    case "$1" in
        ch4:ofi*) printf '%s\n' libfabric-dev libpsm-infinipath1-dev libpsm2-dev librdmacm-dev ;;
        ch4:ucx*) printf '%s\n' libucx-dev ;;
    esac
}

# mpich_prefix DEVICE: where the MPICH that build-mpich builds for DEVICE lives.
mpich_prefix() {
    local key
    key=$(mpich_flags "$1" | sha256sum | cut -c1-8)
    printf '%s/mpich/%s-%s-%s\n' "$mqi_cache" "$mpich_version" "$(tr ':/' '--' <<<"$1")" "$key"
}

# install_packages PACKAGE...: those that are missing.
install_packages() {
    local missing=() installed package
    installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true)
    for package in "$@"; do
        grep -qxF "$package installed" <<<"$installed" || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    say "installing ${missing[*]}"
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
}
