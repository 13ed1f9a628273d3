#!/bin/sh
# database.t - the commands on a site whose database is in PostgreSQL: without the module that brings the engine, and
# commands that read a file of SQLite. No server is needed: none is asked. TAP.
work=$(mktemp -d "${TMPDIR:-/tmp}/stet-database-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
# shellcheck source=t/cli/command.sh
. "${STET_SOURCE:-.}/t/cli/command.sh"
# All modules but this one.
mkdir "$work/modules" "$work/files" "$work/site"
for module in "$STET_MODULE_PATH"/*.so; do
	[ "${module##*/}" = database-postgresql.so ] || ln -s "$(realpath "$module")" "$work/modules"
done
export STET_MODULE_PATH="$work/modules"
cat >"$work/stet.conf" <<EOF
site "main" {
  data = "$work/site"
  database = "postgresql:///stet?host=$work"
  files-directory = "$work/files"
}
EOF
on() {
	run --config "$work/stet.conf" "$@" </dev/null
}

status=0 out=$("$build/.libs/stetd" --config "$work/stet.conf" --check 2>&1) err='' || status=$?
is its_keys_are_good 0 '*' ''
on init
is without_its_module_it_is_named 1 '' '*in PostgreSQL*database-postgresql.so is not in module-path*--without-postgresql*'
on call auth_whoami
is so_it_is_for_every_command 1 '' '*database-postgresql.so is not in module-path*'
out=$(ls "$work/site") status=0 err=''
is no_file_is_made_in_place_of_it 0 '' ''
for command in 'backup x' 'restore x' 'key rotate' 'key adopt' 'mail list' 'verify' 'database copy --into x'; do
	# shellcheck disable=SC2086 # words
	on $command
	name=$(echo "$command" | tr -c '[:alnum:]\n' _)
	is "${name}_says_what_is_missing" 1 '' '*database-postgresql.so is not in module-path*'
done
out=$(ls "$work/site" "$work"/*.zst "$work/x" 2>/dev/null) status=0 err=''
is they_leave_nothing 0 '*' ''
on doctor
is doctor_says_where_it_is 1 '*database: postgresql:///stet*schema stet_main*' ''
is doctor_looks_at_the_files 1 '*files: '"$work/files"', which no backup holds*' ''
rmdir "$work/files"
on doctor
is doctor_misses_their_directory 1 '*files: files-directory: '"$work/files"': No such file*' ''
echo "1..$count"
