#!/bin/sh
# check.sh - hello, in a daemon of its own: a temporary site, a free port, requests, and an orderly end.
# STETD and STET name the installed programs; the plugin is the one just built (.libs).
set -eu
STETD=${STETD:-stetd} STET=${STET:-stet}
dir=$(mktemp -d)
pid=

finish() {
	status=$?
	if [ -n "$pid" ]; then
		kill "$pid" 2>/dev/null || :
		wait "$pid" || status=1
	fi
	[ "$status" -eq 0 ] || cat "$dir/log" >&2
	rm -rf "$dir"
	exit "$status"
}
trap finish EXIT

# expect WHAT TEXT: the last answer holds the text.
expect() {
	case $answer in
	*"$2"*) echo "ok - $1" ;;
	*)
		echo "not ok - $1: $answer is without $2"
		exit 1
		;;
	esac
}

request() {
	answer=$(curl -sS --max-time 10 -H "Authorization: Bearer $token" -H 'X-CMS-Request: 1' \
		-H 'Content-Type: application/json' "$@")
}

# The plugin's directory must not be writable by others, or the daemon refuses it.
mkdir -m 700 "$dir/plugins"
cp .libs/hello.so "$dir/plugins/"
chmod 600 "$dir/plugins/hello.so"
export STET_PLUGIN_PATH="$dir/plugins"

$STET --data "$dir/site" init >>"$dir/log" 2>&1
$STET --data "$dir/site" user add ann@example.org --name Ann --role admin >>"$dir/log" 2>&1
token=$($STET --data "$dir/site" token add ann@example.org --name check --scope admin 2>>"$dir/log")

$STETD --data "$dir/site" --listen 127.0.0.1:0 --foreground >>"$dir/log" 2>&1 &
pid=$!
port=
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	port=$(sed -n 's/.*127\.0\.0\.1:\([1-9][0-9]*\).*/\1/p' "$dir/log" | head -n 1)
	[ -z "$port" ] || break
	sleep 0.25
done
api=http://127.0.0.1:$port/_cms/api

request "$api/plugins/hello/greeting"
expect 'a plugin that is not enabled has no routes' NOT_FOUND
request -X POST "$api/admin/plugins/hello/enable"
expect 'it is enabled without a restart' '"success":true'

request "$api/plugins/hello/greeting?name=Ann"
expect 'it greets' '"text":"Hello, Ann!"'
answer=$(curl -sS --max-time 10 "$api/plugins/hello/greeting")
expect 'anybody is greeted' '"text":"Hello, world!"'
request -X PUT "$api/admin/plugins/hello/settings" -d '{"values": {"greeting": "Good day"}}'
expect 'the greeting is a setting' '"success":true'
request "$api/plugins/hello/greeting?name=Ann"
expect 'which counts at once' '"text":"Good day, Ann!"'
request "$api/plugins/hello/greeting?name="
expect 'an empty name is refused' VALIDATION_ERROR

request "$api/plugins/hello/guests" -d '{"name": "Bea"}'
expect 'guests sign' '"name":"Bea"'
request "$api/plugins/hello/guests"
expect 'and are listed' '"name":"Bea"'
answer=$(curl -sS --max-time 10 "$api/plugins/hello/guests" -d '{"name": "Eve"}')
expect 'nobody signs without a token' UNAUTHORIZED

request -X POST "$api/admin/plugins/hello/disable"
expect 'it is disabled' '"success":true'
request "$api/plugins/hello/greeting"
expect 'and its routes are gone' NOT_FOUND
