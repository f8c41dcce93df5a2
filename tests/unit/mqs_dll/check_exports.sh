#!/bin/sh
# Compares the dynamic symbols of the debugger DLL with the golden list, and checks
# that it needs no library but libc.
# Usage: check_exports.sh LIBRARY GOLDEN
set -eu
exported=$(nm -D --defined-only "$1" | awk '{print $3}' | sort)
if [ "$exported" != "$(cat "$2")" ]; then
    echo "exported functions differ from $2:"
    echo "$exported" | diff "$2" - || true
    exit 1
fi
needed=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
for library in $needed; do
    case $library in
        libc.so.*|ld-linux*|libasan.so.*|libubsan.so.*) ;;
        *) echo "needs $library"; exit 1 ;;
    esac
done
