#!/bin/sh
# media.t - "stet media" as built: uploads local files, verifies all files, removes files without an item; items and
# files are restored from an export and a backup. TAP.
work=$(mktemp -d "${TMPDIR:-/tmp}/stet-media-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
export STET_CHECK_REPLIES=1
# shellcheck source=t/cli/command.sh
. "${STET_SOURCE:-.}/t/cli/command.sh"

# Runs the command on a site; sets status, out and err.
on() {
	site=$work/$1
	shift
	run --data "$site" "$@" </dev/null
	err=$(grep '^\(stet\|usage\): ' "$work/err")
}
# Reports a test: NAME; it passes if the command succeeds.
good() {
	name=$1
	shift
	if "$@" >"$work/out" 2>&1; then status=0; else status=1; fi
	out='' err=''
	[ $status = 0 ] || out=$(cat "$work/out")
	is "$name" 0 '' ''
}
# Prints the id in line N of the output.
id_of() {
	echo "$out" | sed -n "$1p" | cut -f 1
}

# Makes a PNG of one pixel, with different bytes after it each time, and a file of unknown type.
picture() {
	printf '\211PNG\r\n\032\n\0\0\0\015IHDR\0\0\0\001\0\0\0\001\010\0\0\0\0\072~\233U\000\000\000\012IDATx\332c\010\000\000\000R\000QZ\251\243\072\000\000\000\000IEND\256B\140\202%s' "$2" >"$work/$1"
}
picture one.png one
picture two.png two
picture same.png one
printf 'words' >"$work/words.txt"
: >"$work/empty"

on a init
on a call media_folder_create name=Photos
on a media add "$work/one.png" "$work/two.png" --folder ' photos' --alt 'A pixel'
is 'files become items' 0 "*	$work/one.png
*	$work/two.png" ''
one=$(id_of 1)
on a media add "$work/same.png"
is 'a file that is there already makes no second item' 0 "$one	$work/same.png	(was there already)" ''
on a media show "$one"
is 'an item has what the command line says of it' 0 '*one.png*image/png*A pixel*' ''
on a media list
is 'items are listed' 0 '*two.png*one.png*' ''
on a media add "$work/words.txt" "$work/nothing" "$work"
is 'each file that is refused is told, with the reason' 1 '' "*words.txt: INVALID_TYPE*text/plain*
*nothing: *no file*
*: *no file*"
on a media add "$work/words.txt" --type video/mp4
is 'bytes of no known kind are taken as they are declared' 0 "*	$work/words.txt" ''
on a media add "$work/one.png" --folder nowhere
is 'a folder has to be there' 1 '' '*Media folder not found'
on a media add
is 'it wants files' 2 '' 'usage: stet media add FILE*'
on a media verify
is 'all files are as they should be' 0 '3 files, all as they should be' ''
good 'no temporary file stays' sh -c '[ -z "$(ls -A "$1/a/tmp")" ]' sh "$work"

# ---- faults of the disk ----

file=$(find "$work/a/files/media" -type f -name '*.png' | sort | head -n 1)
cp "$file" "$work/kept"
printf 'X' | dd of="$file" bs=1 seek=90 conv=notrunc 2>/dev/null
on a media verify
is 'a file with other bytes is told' 1 '*has * bytes, and should have*
3 files, not all*' ''
cp "$work/kept" "$file"
printf 'E' | dd of="$file" bs=1 seek=33 conv=notrunc 2>/dev/null
on a media verify
is 'a file with a changed byte is told' 1 '*is not what it was when it was kept
3 files, not all*' ''
mv "$file" "$work/away"
on a media verify
is 'a file that is missing is told' 1 '*is missing
3 files, not all*' ''
on a doctor
is 'doctor tells it' 1 '*media*files of 1 of the newest 3 items are missing*' '*'
cp "$work/kept" "$file"
cat >"$work/stet.conf" <<EOF
site "main" { data = "$work/a" max-media-bytes = "80" }
EOF
run --config "$work/stet.conf" doctor </dev/null
is 'and that the library is nearly full' 1 '*media*3 items, 0.0 MiB of the 0.0 MiB of max-media-bytes*' '*'
picture three.png three
run --config "$work/stet.conf" media add "$work/three.png" </dev/null
is 'what does not fit in is refused' 1 '' '*three.png: INSUFFICIENT_STORAGE*'

# ---- broken pictures ----

head -c 45 "$work/one.png" >"$work/broken.png"
on broken init
on broken media add --type image/png "$work/broken.png"
is 'a picture that ends early is refused in words' 1 '' '*broken.png: IMAGE_UNREADABLE: The image cannot be read*'
helpers=${STET_HELPER_PATH:-}
export STET_HELPER_PATH=/nonexistent
on broken media add --type image/png "$work/broken.png"
is 'where pictures cannot be decoded it is a file' 0 '*broken.png*' ''
export STET_HELPER_PATH="$helpers"
on broken doctor
is 'and doctor tells that it has no size' 0 '*1 images have no size, the first is *' '*'

# ---- what nothing names ----

stray=$(dirname "$file")/01ARZ3NDEKTSV4RRFFQ69G5FAV.png
cp "$file" "$stray"
on a media sweep
is 'a file that came within the hour stays' 0 '0 files*' ''
touch -d '2 hours ago' "$stray" "$file"
on a media sweep
is 'a file that nothing names is removed' 0 '1 files*' ''
good 'only that one' sh -c '[ ! -e "$1" ] && [ -e "$2" ]' sh "$stray" "$file"

# ---- renditions ----

on a media renditions
is 'there are no renditions yet' 0 'count *0
bytes *0*' ''
mkdir -p "$work/a/file-cache"
kept=$(basename "$file")
printf '12345' >"$work/a/file-cache/media.renditions@$kept-0123456789abcdef"
printf '123' >"$work/a/file-cache/media.renditions@other.png-0123456789abcdef"
printf '1' >"$work/a/file-cache/media@$kept"
on a media renditions
is 'those that are kept are counted' 0 'count *2
bytes *8*' ''
on a media renditions --id nobody
is 'of an item that is not there nothing is' 1 '' '*NOT_FOUND*'
on a media renditions clear
is 'they are removed' 0 'count *2
bytes *8*' ''
good 'and nothing else is' sh -c '[ "$(ls "$1/a/file-cache")" = "media@$2" ]' sh "$work" "$kept"

# ---- an export, a backup ----

on a call media_update id="$one" focalX=0.25 focalY=1
is 'an item gets a focal point' 0 '*"focalX":0.25,"focalY":1*' ''
on a export "$work/export"
is 'the library is exported' 0 '*' ''
on b init
on b import site "$work/export"
is 'and imported' 0 '*' ''
on b media verify
is 'its files are there' 0 '3 files, all as they should be' ''
on b media show "$one"
is 'its items are' 0 '*one.png*image/png*A pixel*focalX *0.25
*focalY *1*' ''
on b export "$work/again"
good 'an export of what was imported is the same' diff -r "$work/export" "$work/again"
on a backup "$work/backups"
is 'the library is backed up with its files' 0 '*files          3*leftOut        0*damage         -*' ''

on a media delete "$one"
is 'an item is deleted' 0 '*' ''
good 'and its file' sh -c '[ "$(find "$1/a/files/media" -type f | wc -l)" -eq 2 ]' sh "$work"
echo "1..$count"
