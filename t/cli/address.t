#!/bin/sh
# address.t - links that commands print have the address at which the running daemon serves the site. TAP.
work=$(mktemp -d "${TMPDIR:-/tmp}/stet-address-XXXXXX") || exit 99
daemon=''
trap '[ -z "$daemon" ] || kill "$daemon"; rm -rf "$work"' EXIT
site=$work/site
# shellcheck source=t/cli/command.sh
. "${STET_SOURCE:-.}/t/cli/command.sh"

on() {
	run --data "$site" "$@" </dev/null
}
# Starts a daemon with these options and waits until it listens; sets $port.
start() {
	"$build/.libs/stetd" "$@" --foreground >"$work/log" 2>&1 &
	daemon=$!
	port=''
	for _ in $(seq 300); do
		port=$(sed -n 's,.*has no administrator yet: set it up at http://.*:\([0-9]*\)/_cms/setup#.*,\1,p' "$work/log")
		[ -z "$port" ] || return 0
		kill -0 "$daemon" 2>/dev/null || exit 99
		sleep 0.1
	done
	exit 99
}
stop() {
	kill "$daemon"
	wait "$daemon"
	daemon=''
}

on init
is 'init makes the site' 0 '*http://localhost:8080/_cms/setup#*' ''
on setup-link
is 'without a daemon the link is a guess, which is said' 0 'http://localhost:8080/_cms/setup#*' \
	'stet: no running daemon says where it listens: http://localhost:8080 is the default address'

start --data "$site" --listen 127.0.0.1:0
on setup-link
is 'the setup link leads to the daemon' 0 "http://localhost:$port/_cms/setup#*" ''
on doctor
is 'the doctor names its address' 0 "*people can sign in at http://localhost:$port*" ''
on user add ann@example.org --name Ann --role editor
on user recover ann@example.org
is 'so does a link for a user' 0 "http://localhost:$port/_cms/*" ''
on user recover ann@example.org --qr
is 'which is shown as a code for a phone, too' 0 "http://localhost:$port/_cms/*
█████*▀▀▀▀▀*" ''
# Two modules a cell: with its margin of four bright ones a code is as wide as it is high.
code=$(printf '%s\n' "$out" | sed -e 1d -e 's/█/#/g' -e 's/▀/^/g' -e 's/▄/_/g')
count=$((count + 1))
if printf '%s\n' "$code" | awk '
	{ bad = bad || width && length != width; width = length }
	!/^####.*####$/ && !/^\^*$/ || NR <= 2 && /[^#]/ { bad = 1 }
	END { exit bad || width < 29 || int((width + 1) / 2) != NR }'; then
	echo "ok $count - the code is a square with a margin"
else
	echo "not ok $count - the code is a square with a margin"
	printf '%s\n' "$code" | sed 's/^/# /'
fi
on --json user recover ann@example.org --qr
is 'JSON stays JSON' 0 '{"url":"http://localhost:*"}' ''
on help user recover
is 'the option is in its help' 0 'usage: stet user recover EMAIL* \[--qr\]*' ''
on call invite_create email=bob@example.org role=30
is 'and an invitation' 0 "*\"http://localhost:$port/_cms/*" ''

# The content of the lock file is not a URL. The lock itself stays.
bad() {
	on setup-link
	is "$1" 0 'http://localhost:8080/_cms/setup#*' 'stet: no running daemon says *'
}
head -c 100000 /dev/zero | tr '\0' a >"$site/stetd.lock"
bad 'a file that is too long is not read'
printf 'http://a.exa\0mple\n' >"$site/stetd.lock"
bad 'nor is one with a NUL'
printf 'http://localhost:%s' "$port" >"$site/stetd.lock"
bad 'nor half a line'
printf 'javascript://a.example\n' >"$site/stetd.lock"
bad 'nor what is no URL'
printf 'http://a.example/\033[31m\n' >"$site/stetd.lock"
bad 'nor a URL with control characters'
: >"$site/stetd.lock"
bad 'nor an empty one'
stop

printf 'listen = { "127.0.0.1:0" }\nsite "main" {\ndata = "%s"\nbase-url = "http://localhost:1234/"\n}\n' \
	"$site" >"$work/conf"
printf 'listen = { "127.0.0.1:0" }\nsite "main" {\ndata = "%s"\n}\n' "$site" >"$work/listens"
start --config "$work/listens"
run --config "$work/listens" setup-link
is 'a port that a configuration leaves open is known' 0 "http://localhost:$port/_cms/setup#*" ''
run --config "$work/conf" setup-link
is 'what a configuration says is what holds' 0 'http://localhost:1234/_cms/setup#*' ''
printf 'listen = { "127.0.0.1:1234" }\nsite "main" {\ndata = "%s"\nbase-url = "http://localhost:1234"\n}\n' \
	"$site" >"$work/conf"
run --config "$work/conf" setup-link
is 'also if that is what it would be without it' 0 'http://localhost:1234/_cms/setup#*' ''
stop
on setup-link
is 'what a daemon has left is not believed once it is gone' 0 'http://localhost:8080/*' 'stet: no running daemon *'
echo "1..$count"
