#!/bin/sh
# refusals.t - databases in PostgreSQL that a site refuses, each with its reason: what is no site, or another one; an
# old server, a standby, a pooler that loses what a session keeps. TAP.
work=$(mktemp -d "${TMPDIR:-/tmp}/stet-refusals-XXXXXX") || exit 99
source=${STET_SOURCE:-.}
# shellcheck source=t/engine/server.sh
. "$source/t/engine/server.sh"
server='' standby='' pooler='' fake=''
end() {
	for process in "$fake" "$pooler" "$standby"; do
		[ -z "$process" ] || { kill -TERM "$process" && wait "$process"; } 2>/dev/null
	done
	[ -z "$server" ] || { kill -TERM "$server" && wait "$server"; } 2>/dev/null
	rm -rf "$work"
}
trap end EXIT
server_find
if [ -z "$postgresql" ]; then
	server_missing refusals
	exit
fi
# shellcheck source=t/cli/command.sh
. "$source/t/cli/command.sh"
chmod 755 "$work"
server_start || { cat "$work/why"; exit 99; }
mkdir "$work/files"
user=$(server_user)

# Writes stet.conf with a database at this URI, and this line more. DATA is the directory $data.
data=site
conf() {
	printf 'site "main" {\n\tdata = "%s"\n\tdatabase = "%s"\n\t%s\n}\n' "$work/$data" "$1" \
		"${2:-files-directory = \"$work/files\"}" >"$work/stet.conf"
}
# The URI of the server whose socket is in this directory.
at() {
	echo "postgresql:///postgres?host=$1&user=$user"
}
on() {
	run --config "$work/stet.conf" "$@" </dev/null
}
check() {
	status=0 out=$("$build/.libs/stetd" --config "$work/stet.conf" --check 2>&1) err='' || status=$?
}
query() {
	server_query "$@" >/dev/null 2>&1
}
# Waits for the socket in a directory.
socket() {
	for _ in $(seq 100); do [ -S "$1/.s.PGSQL.5432" ] || sleep 0.1; done
}

conf "postgresql://stet:secret@localhost/stet"
check
is a_password_in_the_uri 1 '*must not hold a password*database-password-file*' ''
case $out in *secret*) out=told ;; *) out='' ;; esac
status=0
is which_is_not_told 0 '' ''
conf "$(at "$work/pg")" 'files = "directory"'
check
is files_below_data 1 '*files*' ''

conf "$(at "$work/pg")"
query -c 'CREATE SCHEMA stet_main' -c 'CREATE TABLE stet_main.customers (id integer)'
on init
is a_schema_that_is_not_stets 1 '' '*the schema stet_main of the database has tables, but not those of a site*'
query -c 'DROP SCHEMA stet_main CASCADE'
on init
is a_site_is_made 0 '*' '*'

# Another site, whose key is not here. A daemon stays out (t/http/heard.c).
data=other
conf "$(at "$work/pg")"
on init
is a_schema_with_another_site 0 '*' '*its secrets can be neither sealed nor opened: *other/key*'
on doctor
is a_schema_with_another_site_is_told_by_doctor 1 '*ERROR*key*' '*'
data=site
conf "$(at "$work/pg")"

query -c "UPDATE stet_main.migration SET digest = 'x' || digest WHERE module = 'core' AND version = 2"
on user add a@example.org --role admin
is another_journal 1 '*' '*migration 2*is not the one that was applied*'
query -c "UPDATE stet_main.migration SET digest = substr(digest, 2) WHERE module = 'core' AND version = 2"
query -c "INSERT INTO stet_main.migration VALUES ('core', 999, 'of tomorrow', '2030-01-01', 'x')"
on user add a@example.org --role admin
is a_newer_journal 1 '*' '*migration 999 (of tomorrow)*a newer version wrote it*'
query -c "DELETE FROM stet_main.migration WHERE version = 999"

# A server that says that it is old.
mkdir "$work/old"
if perl -MIO::Socket::UNIX -e 1 2>/dev/null; then
	perl "$source/t/cli/oldserver.pl" "$work/old/.s.PGSQL.5432" &
	fake=$!
	socket "$work/old"
	conf "$(at "$work/old")"
	on call auth_whoami
	is a_server_older_than_13 1 '' '*the server is older than PostgreSQL 13*'
	# One that takes connections and does not answer leaves time for the next.
	kill -STOP "$fake"
	conf "$(at "$work/old,$work/pg")" "files-directory = \"$work/files\"
	database-timeout = 2s"
	on module list
	is a_server_that_does_not_answer_before_one_that_does 0 '*' '*'
	kill -CONT "$fake"
else
	skip a_server_older_than_13 perl
fi

# A standby.
mkdir "$work/standby"
[ "$(id -u)" -ne 0 ] || chown nobody:nogroup "$work/standby"
if server_unprivileged "$postgresql/pg_basebackup" -h "$work/pg" -D "$work/standby/data" -R --checkpoint=fast \
	>"$work/why" 2>&1; then
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid=nobody --regid=nogroup --clear-groups "$postgresql/postgres" -D "$work/standby/data" \
			-k "$work/standby" -h '' -F >"$work/log2" 2>&1 &
	else
		"$postgresql/postgres" -D "$work/standby/data" -k "$work/standby" -h '' -F >"$work/log2" 2>&1 &
	fi
	standby=$!
	for _ in $(seq 100); do
		server_unprivileged psql -X -q -h "$work/standby" -d postgres -c 'SELECT 1' >/dev/null 2>&1 && break
		sleep 0.1
	done
	conf "$(at "$work/standby")"
	on call auth_whoami
	is a_standby 1 '' '*read-only*'
	on doctor
	is a_standby_is_told_by_doctor 1 '*the server is a standby, which takes no writes*' '*'
	conf "$(at "$work/standby,$work/pg")"
	on module list
	is unless_the_primary_is_named_too 0 '*' '*'
	on doctor
	is standbys_that_are_not_synchronous_are_told 1 '*no standby is synchronous*' '*'
else
	cat "$work/why"
	skip a_standby pg_basebackup
fi

# A pooler.
pool() {
	mkdir -p "$work/pool"
	cat >"$work/pool/ini" <<-END
		[databases]
		postgres = host=$work/pg dbname=postgres user=$user
		[pgbouncer]
		listen_addr =
		listen_port = 5432
		unix_socket_dir = $work/pool
		auth_type = any
		pool_mode = $1
		$2
		logfile = $work/pool/log
	END
	if [ "$(id -u)" -eq 0 ]; then
		chown -R nobody:nogroup "$work/pool"
		setpriv --reuid=nobody --regid=nogroup --clear-groups pgbouncer -q "$work/pool/ini" >"$work/pool.out" 2>&1 &
	else
		pgbouncer -q "$work/pool/ini" >"$work/pool.out" 2>&1 &
	fi
	pooler=$!
	socket "$work/pool"
}
conf "$(at "$work/pool")"
PATH=$PATH:/usr/sbin
if command -v pgbouncer >/dev/null; then
	pool transaction
	on user add a@example.org --role admin
	is a_pooler_of_transactions 1 '' '*a pooler lends sessions for one transaction, which loses*pool_mode = session*'
	on doctor
	is a_pooler_of_transactions_is_told_by_doctor 1 '*a pooler lends sessions for one transaction*' '*'
	kill -TERM "$pooler"
	wait "$pooler" 2>/dev/null
	# What two more connections would show is not known: that is not good.
	pool transaction 'max_client_conn = 2'
	on user add a@example.org --role admin
	is a_pooler_that_was_not_tested 1 '' '*what a pooler does to sessions could not be found out*'
	kill -TERM "$pooler"
	wait "$pooler" 2>/dev/null
	# One session, which the first connection has: the others would wait for two minutes.
	pool session 'default_pool_size = 1'
	began=$(date +%s)
	on user add a@example.org --role admin
	[ $(($(date +%s) - began)) -lt 30 ] || err="$err, after $(($(date +%s) - began)) seconds"
	is a_pooler_that_does_not_answer 1 '' '*what a pooler does to sessions could not be found out*'
	kill -TERM "$pooler"
	wait "$pooler" 2>/dev/null
	pool session
	on user add a@example.org --role admin
	is a_pooler_of_sessions_is_good 0 '*' '*'
else
	skip a_pooler_of_transactions pgbouncer
fi
echo "1..$count"
