# server.sh - a PostgreSQL server for tests: Debian's programs, a cluster in $work/pg that belongs to an unprivileged
# user, a Unix socket there and no other, nothing flushed to the disk. For scripts that have $work, a directory of
# theirs that everybody may enter. An existing cluster of the machine is not touched.
# shellcheck shell=sh disable=SC2154

# Sets `postgresql` to the directory of the programs of the newest version; "": there is none.
server_find() {
	postgresql=$(find /usr/lib/postgresql -mindepth 3 -maxdepth 3 -path '*/bin/initdb' 2>/dev/null | sort -V | tail -n 1)
	postgresql=${postgresql%/initdb}
}

# Says that there is none, in words; in CI that is a failure. Returns the exit status. (NAME of the suite)
server_missing() {
	if [ -n "${CI:-}" ]; then
		echo "not ok 1 - $1: PostgreSQL is installed"
		return 1
	fi
	echo '1..0 # SKIP no PostgreSQL: apt-get install postgresql'
}

# It refuses to run as root.
server_unprivileged() {
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid=nobody --regid=nogroup --clear-groups "$@"
	else
		"$@"
	fi
}

# The user of the database, which is that of the server's process.
server_user() {
	if [ "$(id -u)" -eq 0 ]; then echo nobody; else id -un; fi
}

server_query() {
	server_unprivileged psql -X -q -h "$work/pg" -d postgres "$@"
}

# Makes the cluster, unless it is there. Text is compared by bytes where a column says so, and by nothing else: a
# collation that nobody meant does not pass unnoticed as it would in a cluster of locale C.
server_make() {
	[ ! -d "$work/pg/data" ] || return 0
	mkdir "$work/pg" || return 1
	[ "$(id -u)" -ne 0 ] || chown nobody:nogroup "$work/pg" || return 1
	server_unprivileged "$postgresql/initdb" -D "$work/pg/data" -A trust --no-sync --locale=C.UTF-8 -E UTF8 \
		>"$work/why" 2>&1
}

# Starts it, with these options; sets `server` to its process. On failure $work/why says why. The server's log is a file
# of its own: it goes on writing there, a line for each checkpoint every five minutes.
server_start() {
	server_make || return 1
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid=nobody --regid=nogroup --clear-groups "$postgresql/postgres" -D "$work/pg/data" \
			-k "$work/pg" -h '' -F "$@" >"$work/log" 2>&1 &
	else
		"$postgresql/postgres" -D "$work/pg/data" -k "$work/pg" -h '' -F "$@" >"$work/log" 2>&1 &
	fi
	server=$!
	for _ in $(seq 300); do
		server_query -c 'SELECT 1' >/dev/null 2>&1 && return
		kill -0 "$server" 2>/dev/null || break
		sleep 0.1
	done
	cp "$work/log" "$work/why"
	return 1
}

# SIGINT: it ends its sessions, and itself.
server_end() {
	[ -z "${server:-}" ] || { kill -INT "$server" && wait "$server"; } 2>/dev/null
}
