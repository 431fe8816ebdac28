#!/bin/bash
# layering.sh [ROOT]: reads every #include line and enforces the one direction of the folders (CONTRIBUTING.md, "Folders").
#
#   folder          may include of ours                 and of the outside
#   formats/        formats/                            C library, zstd, xxhash
#   weaver/         formats/ weaver/                    C library
#   weaver/tool/    formats/ weaver/                    C library, POSIX, libzip (offline weaving)
#   logging/control/ formats/ logging/control/          C library, POSIX (both ends of the control socket, and attaching)
#   logging/        formats/ logging/ (not agent/)      C library, POSIX; lmdb.h in store.c, pcre2.h in patterns.c only; zstd
#   logging/agent/  formats/ logging/ weaver/weave.h weaver/filter.h    + jni.h jvmti.h and the generated hook_classes.h
#   reader/         formats/ reader/ (not cli/)         C library, POSIX; lmdb.h, cJSON
#   reader/cli/     formats/ reader/                    the same; weaver/tool/offline.h, logging/control/*.h
# test/ and bench/ may include everything. Exit status 1 and one line per forbidden include.
set -u
root=${1:-$(cd "$(dirname "$0")/.." && pwd)}
cd "$root" || exit 2
bad=0 lines=0

complain() { echo "$1: includes $2: $3"; bad=1; }

check() { # FILE INCLUDED
    local file=$1 inc=$2 place
    case $file in
    logging/agent/*) place=agent ;; logging/control/*) place=control ;; weaver/tool/*) place=tool ;;
    reader/cli/* | reader/man/*) place=cli ;;
    *) place=${file%%/*} ;;
    esac
    case $inc in
    formats/*) return ;;
    weaver/tool/*)
        [ $place = tool ] || { [ $place = cli ] && [ "$inc" = weaver/tool/offline.h ]; } || complain "$file" "$inc" "the command weaves through weaver/tool/offline.h" ;;
    weaver/weave.h | weaver/filter.h)
        case $place in weaver | tool | agent) return ;; esac
        complain "$file" "$inc" "only the agent and weaver/tool/ weave" ;;
    weaver/*)
        [ $place = weaver ] || complain "$file" "$inc" "the doors of weaver/ are weaver/weave.h and weaver/filter.h" ;;
    logging/control/*)
        case $place in control | agent | cli) return ;; esac
        complain "$file" "$inc" "only the agent and the command talk to each other" ;;
    logging/agent/*)
        [ $place = agent ] || complain "$file" "$inc" "only logging/agent/ knows the agent" ;;
    logging/*)
        case $place in logging | agent) return ;; esac
        complain "$file" "$inc" "$place must not know logging/" ;;
    reader/cli/*)
        [ $place = cli ] || complain "$file" "$inc" "only reader/cli/ knows the command" ;;
    reader/*)
        case $place in reader | cli) return ;; esac
        complain "$file" "$inc" "$place must not know reader/" ;;
    jvmti.h | jni.h | jni_md.h | classfile_constants.h | hook_classes.h)
        [ $place = agent ] || complain "$file" "$inc" "JVM types stay in logging/agent/" ;;
    lmdb.h)
        case $file in logging/store/*.c | reader/*) return ;; esac
        complain "$file" "$inc" "LMDB belongs to logging/store/store.c and reader/" ;;
    pcre2.h)
        [ "$file" = logging/capture/patterns.c ] || complain "$file" "$inc" "PCRE2 belongs to logging/capture/patterns.c" ;;
    cJSON.h | cjson/*)
        case $place in reader | cli) return ;; esac
        complain "$file" "$inc" "cJSON belongs to reader/" ;;
    zip.h)
        [ $place = tool ] || complain "$file" "$inc" "libzip belongs to weaver/tool/" ;;
    test/* | bench/*) complain "$file" "$inc" "the product must not know its tests" ;;
    ../* | */../*) complain "$file" "$inc" "write the path from the root" ;;
    esac
}

while IFS=: read -r file line; do
    inc=$(printf '%s\n' "$line" | sed -nE 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]([^>"]+)[>"].*/\1/p')
    [ -n "$inc" ] || continue
    lines=$((lines + 1))
    check "$file" "$inc"
    # Ours are written with their folder, so that the reader of a file sees the layer.
    case $line in
    *\"*\"*) case $inc in */* | hook_classes.h) ;; *) complain "$file" "\"$inc\"" "write the path from the root" ;; esac ;;
    esac
done < <(grep -rHE --include='*.[ch]' --include='*.def' '^[[:space:]]*#[[:space:]]*include' formats weaver logging reader)

[ $lines -gt 0 ] || { echo "layering: no include lines found in $root"; exit 2; }
[ $bad = 0 ] && echo "layering: $lines includes, all in the allowed direction"
exit $bad
