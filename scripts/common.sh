# Shared by the scripts beside it; sourced, never run.
# Sets: project_root, mqi_cache, mpich_version; defines: say, die, as_root.

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

# mpich_flags DEVICE: the configure arguments that make one build differ from another.
mpich_flags() {
    printf '%s\n' "--with-device=$1" --enable-debuginfo --enable-g=dbg --enable-shared \
        --enable-fortran=all --disable-doc \
        FFLAGS=-fallow-argument-mismatch FCFLAGS=-fallow-argument-mismatch
}

# mpich_prefix DEVICE: where the MPICH that setup builds for DEVICE lives.
mpich_prefix() {
    local key
    key=$(mpich_flags "$1" | sha256sum | cut -c1-8)
    printf '%s/mpich/%s-%s-%s\n' "$mqi_cache" "$mpich_version" "${1//:/-}" "$key"
}
