#!/bin/sh
# copy.t - a site moves from SQLite to PostgreSQL and back by "stet database copy", and by backups: exports are equal,
# tokens and cursors go on, the audit log verifies. Starts a server of its own. TAP.
work=$(mktemp -d "${TMPDIR:-/tmp}/stet-copy-XXXXXX") || exit 99
server='' daemon=''
finish() {
	for pid in $daemon $server; do
		kill "$pid" && wait "$pid"
	done 2>/dev/null
	rm -rf "$work"
}
trap finish EXIT
# shellcheck source=t/cli/command.sh
. "${STET_SOURCE:-.}/t/cli/command.sh"
# shellcheck source=t/engine/server.sh
. "${STET_SOURCE:-.}/t/engine/server.sh"
server_find
if [ -z "$postgresql" ]; then
	server_missing copy
	exit
fi
if [ ! -f "$STET_MODULE_PATH/database-postgresql.so" ]; then
	echo '1..0 # SKIP built without PostgreSQL'
	exit 0
fi
chmod 755 "$work"
mkdir "$work/files"
sh "${STET_SOURCE:-.}/t/engine/server" "$work" >"$work/server.log" 2>&1 &
server=$!
site=$work/site uri="postgresql:///postgres?host=$work/pg&user=$(server_user)"

# Prints a configuration: the data directory, the schema.
conf() {
	cat <<-END
		listen = { "127.0.0.1:${port:-0}" }
		site "main" {
			data = "$1"
			base-url = "http://localhost:${port:-0}"
			database = "$uri"
			database-schema = "$2"
			files-directory = "$work/files"
		}
	END
}
on() {
	run --data "$site" "$@" </dev/null
}
# Runs a command on the site in this schema of PostgreSQL, whose data directory has the same name.
pg() {
	conf "$work/${1#stet_}" "$1" >"$work/$1.conf"
	name=$1
	shift
	run --config "$work/$name.conf" "$@" </dev/null
}
call() {
	on call "$@"
	[ "$status" = 0 ] || echo "# $*: $err"
}
# Reports a test: it passes if two directories are equal, byte for byte.
same() {
	out=$(diff -r "$work/$2" "$work/$3" 2>&1)
	status=$? err=''
	is "$1" 0 '' ''
}
# Reports a test: the command has succeeded, and printed this text.
says() {
	[ "$status" = 0 ] && [ "$out" = "$2" ] || echo "# $status: $out $err"
	[ "$status" = 0 ] && [ "$out" = "$2" ]
	status=$? out='' err=''
	is "$1" 0 '' ''
}
schemas() {
	server_query -At -c "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'stet%' ORDER BY 1"
}

on init
on user add ann@example.org --name Ann --role admin
on token add ann@example.org --name secret --scope admin
token=$out
call collection_create --input '{"slug":"posts","label":"Posts","supports":["drafts","revisions","search"],"publicRead":true}'
for field in '"title","type":"string","required":true,"searchable":true' '"n","type":"number","indexed":true' \
	'"i","type":"integer"' '"any","type":"json"'; do
	call field_create --input "{\"collection\":\"posts\",\"label\":\"L\",\"slug\":$field}"
done
on search enable posts true
n=0
for values in '"n":-0.0,"i":9007199254740991' '"n":1e308,"i":-9007199254740991' '"n":0.1,"any":{"a":[null,"\u0001\"\\😀"]}'; do
	n=$((n + 1))
	call content_add --input '{"collection":"posts","slug":"p'$n'","status":"published","data":{"title":"word'$n' é \t 😀 '"'"'",'"$values"'}}'
done
# COPY_ITEMS more, with odd texts and numbers.
if [ "${COPY_ITEMS:-0}" -gt 0 ]; then
	awk -v items="$COPY_ITEMS" 'BEGIN {
		srand(7)
		split("é 😀 \\\\ \\\" \\t \\u0001 \\u2028 \\u00a0 Ⅷ ß İ \047 % _ $1 ?1 \\\\N", odd, " ")
		for (i = 0; i < items; i++) {
			printf "{\"slug\":\"r%d\",\"status\":\"%s\",\"data\":{\"title\":\"T%s%s %d\"", i,
			    rand() < 0.3 ? "draft" : "published", odd[1 + int(rand() * 16)],
			    odd[1 + int(rand() * 16)], int(rand() * 1e6)
			if (rand() < 0.7) printf ",\"n\":%.*g", 1 + int(rand() * 17), (rand() - 0.5) * 10 ^ int(rand() * 300 - 150)
			if (rand() < 0.5) printf ",\"i\":%d", int(rand() * 2e15) - 1e15
			if (rand() < 0.5) printf ",\"any\":[%.*g,\"%s\",{\"a\":{\"b\":[]}}]", 17, rand(), odd[1 + int(rand() * 16)]
			print "}}"
		}
	}' >"$work/lines"
	on import jsonl "$work/lines" --collection posts
	is many_odd_items_are_there 0 '*' ''
fi
for _ in $(seq 300); do
	[ ! -e "$work/ready" ] || break
	sleep 0.1
done

# A copy that waits, since another session has begun to make its schema; meanwhile the site is written.
waits_for() {
	for _ in $(seq 100); do
		[ "$(server_query -At -c "SELECT count(*) FROM pg_stat_activity WHERE $1")" = 0 ] || break
		sleep 0.05
	done
}
server_query -c 'CREATE SCHEMA stet_race; SELECT pg_sleep(60)' >"$work/sleeper" 2>&1 &
waits_for "state = 'active' AND query LIKE 'CREATE SCHEMA stet_race;%'"
"$build/.libs/stet" --data "$site" database copy --into "$uri" --schema stet_race >"$work/race" 2>&1 &
copy=$!
waits_for "wait_event_type = 'Lock'"
call menu_create --input '{"name":"main","label":"Main"}'
server_query -c "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'CREATE SCHEMA stet_race;%'" \
	>"$work/sleeper.end"
wait "$copy"
status=$? out='' err=$(cat "$work/race")
is what_is_written_meanwhile_is_not_lost 1 '' '*nothing was copied: the site was written meanwhile*'
out=$(schemas) status=0 err=''
is so_no_schema_is_left 0 '' ''

call changes
cursor=$(echo "$out" | sed 's/.*"cursor":"\([^"]*\)".*/\1/')
call content_add --input '{"collection":"posts","slug":"p4","status":"published","data":{"title":"later"}}'
call changes since="$cursor"
feed=$out
on export "$work/export"
on audit verify
head=$(echo "$out" | sed -n 's/^head *//p')
on database copy
is it_has_to_be_said_where_to 2 '' '*--into*'
on database copy --into 'postgresql://me:secret@h/d'
is a_password_in_the_uri_is_refused 1 '' '*must not hold a password*'
on database copy --into 'postgres://h/d'
is another_uri_is_no_path 1 '' '*the URI must begin with postgresql://'
on database copy --into "$uri" --schema Bad
is a_schema_has_a_good_name 1 '' '*small letters*'
on database copy --into "$work/x.db" --schema s
is a_file_has_no_schema 1 '' '*--schema and --password-file are about PostgreSQL'
on database copy --into "$site/stet.db"
is a_file_that_is_there_is_refused 1 '' '*stet.db is there already*'
on database copy --into 'postgresql:///d?host=/nowhere'
is a_server_that_does_not_answer_is_told 1 '' '*cannot be reached*'
run --data "$work/nothing" database copy --into "$work/x.db"
is there_has_to_be_a_site 1 '' '*there is no site in*nothing*'
server_query -c 'CREATE SCHEMA stet_other CREATE TABLE t (a int)'
on database copy --into "$uri" --schema stet_other
is foreign_tables_are_not_touched 1 '' '*the schema stet_other of the database holds other tables'
on --json database copy --into "$uri" --schema stet_site
is it_is_copied 0 '{"site":"main","into":"postgresql:*","schema":"stet_site","tables":[1-9]*,"rows":[1-9]*,"notes":\[*files-directory*\]}' ''
on database copy --into "$uri" --schema stet_site
is a_site_that_is_there_is_refused 1 '' '*holds a site already'

pg stet_site export "$work/in-pg"
same exports_are_equal export in-pg
pg stet_site audit verify --pin "$head"
is the_audit_log_verifies 0 "*problems *-*head *$head*" ''
pg stet_site call changes since="$cursor"
says cursors_go_on "$feed"
pg stet_site verify
is nothing_is_damaged 0 '*database*ok*amcheck is not installed*search*ok*' ''
pg stet_site doctor
# The test's server flushes nothing to the disk, and is told so.
is doctor_looks_into_it 1 '*database: postgresql*schema stet_site*migrations: known*durability: fsync is off*key: *secrets: *' ''
pg stet_site mail list
is mails_are_listed 0 '*' ''
pg stet_site key rotate
is its_key_can_be_changed 0 '*sealed*' ''
pg stet_site init
is init_sees_that_it_is_there 0 '*createdDatabase *no*' ''
pg stet_none call changes
is an_empty_schema_has_no_site 1 '' '*no site in the schema stet_none*'

# A daemon in PostgreSQL.
port=$((20000 + $$ % 12000))
conf "$site" stet_site >"$work/daemon.conf"
"$build/.libs/stetd" --config "$work/daemon.conf" --foreground >"$work/log" 2>&1 &
daemon=$!
for _ in $(seq 100); do
	export STET_TOKEN="$token"
	run call --site "http://localhost:$port" content_list collection=posts limit=1
	[ "$status" != 0 ] || break
	sleep 0.1
done
is tokens_stay_valid 0 '*"items":*' ''
# A second daemon, as stet-daemons(7) tells: the same key and files, a directory of its own.
first=$port port=$((port + 1))
{
	echo 'daemon-name = "second"'
	conf "$work/second" stet_site | sed "s|files-directory|key-file = \"$site/key\"\n&|"
} >"$work/second.conf"
"$build/.libs/stetd" --config "$work/second.conf" --foreground >"$work/second.log" 2>&1 &
daemon="$daemon $!"
second=$!
for _ in $(seq 100); do
	run call --site "http://localhost:$port" content_list collection=posts limit=1
	[ "$status" != 0 ] || break
	sleep 0.1
done
is a_second_daemon_serves_the_same 0 '*"items":*' ''
kill "$second"
wait "$second"
daemon=${daemon% *} port=$first
run call --site "http://localhost:$port" backups_start
is a_backup_can_be_asked_for 0 '*' ''
pg stet_site database copy --into "$work/x.db"
is not_while_a_daemon_runs 1 '' '*daemon*'
for _ in $(seq 100); do
	ls "$site"/backups/*.zst >/dev/null 2>&1 && break
	sleep 0.1
done
kill "$daemon"
wait "$daemon"
daemon=''
run verify "$site"/backups/*.zst
is the_daemon_makes_good_ones 0 '*archive*ok*database*ok*' ''

pg stet_site backup "$work/b.tar.zst"
is a_backup_is_made 0 '*databaseBytes*damage *-*' ''
mkdir "$work/back"
cp "$site/key" "$work/back"
pg stet_site database copy --into "$work/back/stet.db"
is it_is_copied_back 0 '*rows*' ''
out=$(ls "$work"/back/*part* 2>/dev/null) status=0 err=''
is no_other_file_is_left 0 '' ''
site=$work/back
on database copy --into "$work/again.db"
is a_copy_can_be_copied_at_once 0 '*rows*' ''
on export "$work/back-again"
same exports_are_equal_after_both export back-again
on call changes since="$cursor"
says cursors_still_go_on "$feed"
on audit verify --pin "$head"
is the_audit_log_still_verifies 0 '*problems *-*' ''
on verify
is nothing_is_damaged_after_both 0 '*database*ok*references*ok*search*ok*' ''
on search stats
is search_knows_that_it_has_to_begin_anew 0 '*updating*yes*' ''
"$build/.libs/stetd" --data "$site" --listen 127.0.0.1:0 --foreground >"$work/log" 2>&1 &
daemon=$!
for _ in $(seq $((100 + ${COPY_ITEMS:-0} / 100))); do
	on search stats
	case $out in *updating*no*) break ;; esac
	sleep 0.1
done
kill "$daemon"
wait "$daemon"
daemon=''
is which_the_daemon_does 0 '*posts.indexed *4*' ''
on call search_query q=word2
is search_finds_again 0 '*"slug":"p2"*' ''

run --data "$work/new" restore "$work/b.tar.zst" --key-file "$work/site/key" </dev/null
is a_backup_becomes_a_site_on_sqlite 0 '*from *main*' ''
run --data "$work/new" export "$work/restored"
same its_export_is_equal export restored
pg stet_two restore "$work/b.tar.zst" --key-file "$work/site/key"
is and_one_in_a_schema 0 '*from *main*' ''
pg stet_two export "$work/restored-pg"
same its_export_is_equal_too export restored-pg
before=$(schemas)
pg stet_two restore "$work/b.tar.zst"
is a_schema_with_a_site_needs_force 1 '' '*site in the schema stet_two already; --force*'
head -c 20000 "$work/b.tar.zst" >"$work/short.tar.zst"
pg stet_two restore "$work/short.tar.zst" --force --yes
is a_damaged_backup_is_refused 1 '' '*nothing was restored*'
[ "$before" = "$(schemas)" ] && [ ! -e "$work/two/stet.db" ]
status=$? out='' err=''
is and_nothing_is_left_of_it 0 '' ''
# The last step fails: the schema cannot get another name.
server_query -c "CREATE FUNCTION public.refuse() RETURNS event_trigger LANGUAGE plpgsql AS
	'BEGIN RAISE EXCEPTION ''it keeps its name''; END'" -c "CREATE EVENT TRIGGER refuse ON ddl_command_start
	WHEN TAG IN ('ALTER SCHEMA') EXECUTE FUNCTION public.refuse()" >/dev/null
pg stet_two restore "$work/b.tar.zst" --force --yes --key-file "$work/site/key"
is a_failure_of_the_last_step_is_told 1 '' '*nothing was restored*it keeps its name*directory is the one from before*'
pg stet_two user add soon@example.org --role admin
is and_the_site_can_be_written_to_at_once 0 '*' '*'
server_query -c 'DROP EVENT TRIGGER refuse' -c 'DROP FUNCTION public.refuse()' >/dev/null
# Nobody can make a schema for some seconds, so it stands still at its beginning.
server_query -c 'BEGIN; LOCK TABLE pg_catalog.pg_namespace IN SHARE MODE; SELECT pg_sleep(5); COMMIT' >/dev/null &
holder=$!
sleep 0.5
(
	pg stet_two restore "$work/b.tar.zst" --force --yes --key-file "$work/site/key"
	echo "$status" >"$work/forced-status"
	echo "$out" >"$work/forced-out"
) &
restoring=$!
closed=''
for _ in $(seq 50); do
	closed=$(server_query -At -c 'SELECT closed <> 0 FROM stet_two.site_state')
	[ "$closed" != t ] || break
	sleep 0.1
done
status=1 out=$closed err=''
[ "$closed" != t ] || status=0
is force_closes_the_old_site_while_it_copies 0 t ''
pg stet_two user add late@example.org --role admin
is which_others_do_not_write_to 75 '' '*UNAVAILABLE*'
wait "$restoring" "$holder"
status=$(cat "$work/forced-status") out=$(cat "$work/forced-out") err=''
is force_replaces_it 0 '*keptSchema *stet_two_before_*' ''
pg stet_two export "$work/forced"
same with_an_equal_export export forced
pg stet_two user add late@example.org --role admin
is which_is_open 0 '*' '*'
echo "1..$count"
