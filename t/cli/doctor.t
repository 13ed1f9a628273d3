#!/bin/sh
# doctor.t - "stet doctor" as built: its findings and exit status. TAP.
work=$(mktemp -d "${TMPDIR:-/tmp}/stet-doctor-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
site=$work/site
# shellcheck source=t/cli/command.sh
. "${STET_SOURCE:-.}/t/cli/command.sh"
export STET_CLOCK="$work/clock"

on() {
	run --data "$site" "$@" </dev/null
}
doctor() {
	run --config "$work/stet.conf" doctor </dev/null
}
# Writes the site's configuration with these lines.
conf() {
	{
		printf 'site "main" {\ndata = "%s"\n' "$site"
		printf '%s\n' "$@" '}'
	} >"$work/stet.conf"
}

on doctor
is a_directory_that_is_not_there_is_an_error 1 '*ERROR *directory: *No such file*stet restore*' ''
on init
chmod o= "$site"
on doctor
is a_new_site_is_fine 0 '*ok *directory*ok *room*ok *database*ok *migrations*' ''
on doctor more
is it_takes_no_words 2 '' '*one word too many*'
on --json doctor
is findings_are_json_too 0 '{"ok":true,"findings":\[{*"grade":"ok"*' ''
chmod o+rx "$site"
on doctor
is an_open_directory_is_told 1 '*WARNING *open to everybody*chmod*' ''
chmod o= "$site"

if [ "$(id -u)" = 0 ]; then
	chown 12345 "$site/stet.db"
	on doctor
	is a_file_of_somebody_else_is_told 1 '*ERROR *belong to somebody else*stet.db*' ''
	chown 12345:12345 "$site" "$site"/* "$site"/tmp
	on user add ann@example.org --name Ann --role admin
	rm -f "$site"/stet*
	on init
	judged=$(find "$site" ! -user 12345)
	status=$? out=$judged err=''
	is what_root_makes_belongs_to_the_owner_of_the_directory 0 '' ''
	chown -R root:root "$site"
fi

conf 'backup-at = "03:30"'
doctor
is a_site_without_its_first_backup_is_told 1 '*WARNING *backups: none was made yet*' ''
echo 1780284000000 >"$work/clock"
touch -d @1780283000 "$site"/*
echo "{\"made\": 1780200000000, \"file\": \"$work/stet.conf\"}" >"$site/backup.json"
doctor
is a_backup_of_yesterday_is_fine 0 '*ok *backups: the last is from 2026-05-31*' ''
echo "{\"made\": 1780200000000, \"file\": \"$work/nothing\"}" >"$site/backup.json"
doctor
is a_backup_that_went_is_told 1 '*ERROR *backups: *nothing, is not there*' ''
echo "{\"made\": 1780000000000, \"error\": \"no room\"}" >"$site/backup.json"
doctor
is an_old_backup_and_a_failure_are_told 1 '*ERROR *last try failed: no room*ERROR *the last is from 2026-05-28*' ''
rm "$site/backup.json"
conf
echo 1780280000000 >"$work/clock"
doctor
is a_clock_that_was_set_back_is_told 1 '*ERROR *clock: *is from 2026-06-01*yet to come*' ''
echo 0 >"$work/clock"
doctor
is a_clock_of_long_ago_is_told 1 '*ERROR *clock: it says 1970*NTP*' ''
rm "$work/clock"

if command -v openssl >/dev/null 2>&1; then
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 5 \
		-subj /CN=a.example -addext subjectAltName=DNS:a.example \
		-keyout "$work/key.pem" -out "$work/cert.pem" 2>/dev/null
	conf 'hosts = { "a.example" }' "tls-certificate = \"$work/cert.pem\"" \
		"tls-key = \"$work/key.pem\""
	doctor
	is a_certificate_that_ends_soon_is_told 1 '*WARNING *certificate: *cert.pem ends at*Renew*' ''
	conf 'hosts = { "b.example" }' "tls-certificate = \"$work/cert.pem\"" \
		"tls-key = \"$work/key.pem\""
	doctor
	is a_certificate_for_others_is_told 1 '*WARNING *cert.pem is not for b.example*' ''
	conf "tls-certificate = \"$work/key.pem\"" "tls-key = \"$work/key.pem\""
	doctor
	is a_file_without_a_certificate_is_told 1 '*ERROR *certificate: *holds no certificate*' ''
else
	skip certificates_are_judged openssl
fi

conf 'hosts = { "*" }'
echo 'user = "nobody-of-this-name"' >>"$work/stet.conf"
doctor
is a_user_who_is_not_there_is_told 1 '*ERROR *owner: there is no user nobody-of-this-name*' ''
conf
STET_PLUGIN_PATH=$build/t/plugins/broken/.libs
doctor
is refused_plugins_are_told 1 '*WARNING *modules: *is refused: *' '*'
STET_PLUGIN_PATH=

# Checks that a faulty or hostile plugin brings.
STET_PLUGIN_PATH=$build/t/plugins/checks/.libs
on module enable checker
on doctor
is a_check_of_a_plugin_looks_at_its_own_tables 1 '*ok *main, checker/rows: 0 rows*' ''
is one_that_looks_at_the_machine_names_no_site 1 \
	'*note     checker/roof: it rains in*ERROR    checker/roof: the check crashed*ok *main, directory*' ''
is one_that_crashes_is_told_and_so_is_what_it_found 1 '*note *checker/crash: so far, so good*ERROR *checker/crash: the check crashed: Segmentation fault*' ''
is one_that_hangs_ends_with_its_time 1 '*ERROR *checker/hang: the check did not end within 1 seconds*' ''
is one_that_ends_the_process_is_told 1 '*ERROR *checker/leave: the check ended the process with status 7*' ''
is none_writes 1 '*ERROR *checker/store: *MIGRATION_FAILED: *open for reading only*' ''
is what_it_prints_is_nobodys 1 '*note *checker/chatter: line*0*' ''
case $out in *'a word on'* | *"$(printf '\033')"*) status=1 ;; *) status=$(printf '%s\n' "$out" | grep -c chatter) ;; esac
is and_it_says_no_more_than_a_hundred_things 100 '*' ''
status=1
is one_that_fails_is_told_why 1 '*ERROR *checker/fault: UNAVAILABLE: the other machine is gone*' ''
is the_others_run_all_the_same 1 '*WARNING *checker/tank: the tank is 3 % full*Pour some in.*' ''
on module disable checker
on doctor
case $out in *checker*) status=9 ;; esac
is a_module_that_is_off_checks_nothing 0 '*ok *migrations*' ''
run --data "$work/second" init
chmod o= "$work/second"
printf 'site "%s" {\nhosts = { "%s.example" }\ndata = "%s"\n}\n' main a "$site" second b "$work/second" >"$work/stet.conf"
doctor
status=$(printf '%s\n' "$out" | grep -c 'images: ')
is what_decodes_images_is_looked_at_once_for_all_sites 1 '* images: *main, directory*second, directory*' ''
run --config "$work/stet.conf" --site second doctor </dev/null
is whichever_site_is_asked_for 1 '* images: *second, directory*' ''
run --config "$work/stet.conf" --site second --json doctor </dev/null
is json_has_it_without_a_site 1 '*{"site":null,"check":"images",*' ''
run --data "$work/second" module disable media </dev/null
run --config "$work/stet.conf" --site second doctor </dev/null
case $out in *'images: '*) status=9 ;; esac
is a_site_without_the_library_has_no_word_of_images 1 '*second, directory*' ''
conf
STET_PLUGIN_PATH=

# Checks of bundled modules.
on webhook add https://example.org/hook
on doctor
is targets_that_are_well_are_told 0 '*ok *main, webhooks: 1, none fails*' ''

if command -v sqlite3 >/dev/null 2>&1; then
	on call collection_create slug=posts label=Posts
	on call content_add --input '{"collection":"posts","slug":"late","data":{}}'
	on doctor
	is what_is_published_in_time_is_no_finding 0 '*ok *webhooks*' ''
	sqlite3 "$site/stet.db" "UPDATE c_posts SET scheduled_at = '2020-01-01T00:00:00.000Z', status = 'scheduled',
		schedule_error = '{\"code\":\"SLUG_CONFLICT\",\"message\":\"taken\",\"at\":\"2020-01-01T00:00:00.000Z\"}'"
	on doctor
	is an_overdue_item_is_told_with_its_reason 1 \
		'*WARNING *main, schedules: posts *scheduled for 2020-01-01T00:00:00.000Z, could not be published: SLUG_CONFLICT: taken*' ''
	sqlite3 "$site/stet.db" "DELETE FROM c_posts"
	sqlite3 "$site/stet.db" "UPDATE webhook SET enabled = 0, disabled_reason = 'it answered 410'"
	on doctor
	is a_target_that_is_disabled_is_told 1 '*WARNING *webhooks: https://example.org/hook is disabled: it answered 410*' ''
	sqlite3 "$site/stet.db" 'UPDATE webhook SET enabled = 1, disabled_reason = NULL, waiting = 100000'
	on doctor
	is a_target_with_a_full_queue_is_told 1 '*WARNING *100000 deliveries wait for https://example.org/hook*webhook drop*' ''
	sqlite3 "$site/stet.db" "UPDATE webhook SET waiting = 0, failures = 4;
		DELETE FROM migration WHERE module = 'widgets'"
	rows=$(sqlite3 "$site/stet.db" 'SELECT count(*) FROM migration')
	on doctor
	is a_migration_that_waits_is_left_waiting 0 '*note *modules: their checks were left out: *module widgets: migration 1 *waits*' ''
	[ "$(sqlite3 "$site/stet.db" 'SELECT count(*) FROM migration')" = "$rows" ] || status=1
	is and_none_was_run 0 '*' ''
	on upgrade --plan
	is it_is_in_the_plan_of_an_upgrade 0 '*widgets *1 *Daemons of the version before do not go on*' ''
	[ "$(sqlite3 "$site/stet.db" 'SELECT count(*) FROM migration')" = "$rows" ] || status=1
	is which_runs_none_either 0 '*' ''
	on upgrade
	is an_upgrade_is_planned_only 2 '' '*stetd itself upgrades*'
	sqlite3 "$site/stet.db" "INSERT INTO migration VALUES ('core', 99, 'x', 'x', 'x')"
	doctor
	is a_newer_database_is_told 1 '*ERROR *migrations: *a newer version wrote it*' ''
else
	skip a_newer_database_is_told sqlite3
fi
head -c 8192 /dev/urandom >"$site/stet.db"
rm -f "$site"/stet.db-*
doctor
is what_is_no_database_is_told 1 '*ERROR *database: *stet verify*' '*'
conf 'hosts = { "a.example", "a.example" }'
doctor
is a_host_that_is_named_twice_is_told 1 '' '*a.example*already taken*'

echo "1..$count"
