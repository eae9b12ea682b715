#!/bin/bash
# Copies the newest backups to another machine.
set -euo pipefail

readonly SOURCE=${1:-/var/backups}
readonly TARGET="$2"
declare -a failed=()

log() {
    local level=$1
    shift
    printf '%s [%s] %s\n' "$(date +%T)" "$level" "$*" >&2
}

for file in "$SOURCE"/*.tar.gz; do
    [[ -e $file ]] || continue
    size=$(stat -c %s "$file")
    if (( size > 1000000 )); then
        log warn "$file is large: $size"
    elif ! gzip -t "$file" 2>/dev/null; then
        failed+=("$file")
        continue
    fi
    case "$file" in
        *-full*) rsync -a "$file" "$TARGET/full/" ;;
        *) cp -- "$file" "$TARGET" || failed+=("$file") ;;
    esac
done

while read -r name; do
    echo "left out: $name"
done <<< "${failed[*]}"

cat <<END
Done: $(ls "$TARGET" | wc -l) files.
END
exit $(( ${#failed[@]} > 0 ))
