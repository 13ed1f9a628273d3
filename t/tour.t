#!/bin/sh
# tour.t - the commands of stet-tour(7) work as printed, against the demo of "make run" (on a port and in a directory
# of its own).
set -u
work=$(mktemp -d)
pid=

finish() {
	[ -z "$pid" ] || { kill "$pid" && wait "$pid"; } 2>/dev/null
	rm -rf "$work"
}
trap finish EXIT

echo 1..29
DEMO=$work/demo PORT=0 sh "${STET_SOURCE:?}/etc/demo" >"$work/log" 2>&1 &
pid=$!
port=
for _ in $(seq 1200); do
	port=$(sed -n 's|^  API  *http://127\.0\.0\.1:\([0-9]*\)/.*|\1|p' "$work/log")
	[ -z "$port" ] || break
	sleep 0.1
done
if [ -z "$port" ]; then
	sed 's/^/# /' "$work/log"
	echo 'Bail out! the demo does not start'
	exit 1
fi

# The commands are what the page shows literally; \e is a backslash there.
awk '/^\.Ed/ { on = 0 } on { gsub(/\\e/, "\\"); print } /^\.Bd/ { on = 1 }' \
	"$STET_SOURCE/man/stet-tour.7" >"$work/printed"
sed "s|127\.0\.0\.1:8080|127.0.0.1:$port|; s|build/demo/|$work/demo/|" "$work/printed" >"$work/tour"
sh "$work/tour" >"$work/out" 2>&1

number=0
line() {
	number=$((number + 1))
	answer=$(sed -n "${number}p" "$work/out")
	case $answer in
	*$2*) echo "ok $number - $1" ;;
	*)
		echo "not ok $number - $1"
		echo "# expected $2 in: $answer"
		;;
	esac
}
line 'who am I' '"email":"admin@example.org"'
line 'a collection' '"slug":"notes"'
line 'a field' '"slug":"title"'
line 'an indexed field' '"indexed":true'
line 'an item, as a draft' '"slug":"let-it-stand","status":"draft"'
line 'an item, published; its time in UTC' '"day":"2026-11-21T11:00:00.000Z"'
line 'published by its slug' '"status":"published"'
line 'the first page has the latest' '"slug":"second-thoughts"'
line 'the second page has the other' '"slug":"let-it-stand"'
line 'one item with its _rev' '"_rev":"'
line 'changed; readers have it as it was' '"liveData":{"title":"Let it stand"'
line 'a stale _rev is refused' '"code":"CONFLICT"'
line 'what was staged is published' '"draftRevisionId":null'
line 'with a key' '"slug":"once"'
line 'the key again: no second item' '"slug":"once"'
line 'what is wrong is refused' '"path":"data.colour"'
line 'into the trash' '"deleted":true'
line 'a menu' '"name":"footer"'
line 'an item of the menu' '"url":"/"'
line 'a term' '"slug":"news"'
line 'a publication' '"status":"published"'
line 'which the feed tells' '"change":"publish"'
line 'the last write' '"op":"content_put"'
line 'a tool' '"structuredContent":{"items":[{'
line 'the latest post of the sample site' '"slug":"a-list-of-our-misprints"'
line 'its menu leads to its terms' '"url":"/category/marks"'
line 'its posts are found' '"slug":"what-stet-means"'

number=$((number + 1))
if [ "$(wc -l <"$work/out")" -eq 27 ]; then
	echo "ok $number - nothing else is printed"
else
	echo "not ok $number - nothing else is printed"
	sed 's/^/# /' "$work/out"
fi
number=$((number + 1))
if kill "$pid" && wait "$pid"; then
	echo "ok $number - the daemon ends in order"
else
	echo "not ok $number - the daemon ends in order"
	sed 's/^/# /' "$work/log"
fi
pid=
