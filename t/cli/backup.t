#!/bin/sh
# backup.t - "stet backup", "restore" and "verify FILE" as built: what they restore, and what they refuse. TAP.
work=$(mktemp -d "${TMPDIR:-/tmp}/stet-backup-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
site=$work/site
# shellcheck source=t/cli/command.sh
. "${STET_SOURCE:-.}/t/cli/command.sh"

on() {
	run --data "$site" "$@" </dev/null
}

# Runs a command on the site of this name, which a restore is to create.
into() {
	name=$1
	shift
	run --data "$work/$name" "$@" </dev/null
}

# Sets the outcome (status, out, err) by a command other than stet.
judge() {
	if "$@" >"$work/judge" 2>&1; then status=0; else status=1; fi
	out='' err=$(cat "$work/judge")
}

# Succeeds if a failed restore has left no files.
untouched() {
	[ ! -e "$work/$1" ] && [ -z "$(ls -d "$work/$1".* 2>/dev/null)" ]
}

on init
on user add ann@example.org --name Ann --role admin
mkdir -p "$site/media/ab"
long=$(printf 'n%.0s' 1 2 3 4 5 6 7 8 9 10 11 12)$(printf '%0100d' 7)
head -c 300000 /dev/urandom >"$site/media/ab/$long.bin"
echo hello >"$site/media/ab/hello.txt"
: >"$site/media/empty"

on backup
is a_file_has_to_be_named 2 '' '*FILE is missing*'
on backup "$work/nowhere/b.tar.zst"
is a_directory_that_is_not_there_is_told 1 '' '*no backup was made*nowhere*No such file*'
on backup "$work/b.tar.zst"
is a_backup_is_made 0 '*databaseBytes *[0-9]*files *3*damage *-*' ''
judge test "$(stat -c %a "$work/b.tar.zst")" = 600
is it_is_for_its_owner_alone 0 '' ''
on backup "$work/b.tar.zst"
is an_existing_file_is_not_replaced 1 '' '*b.tar.zst is there already; --force*'
on --json backup "$work/b.tar.zst" --force --rate 0
is force_replaces_it 0 '{*"files":3*"sealed":false*}' ''
judge test -z "$(find "$work" -maxdepth 1 -name '.b.tar.zst*')"
is no_other_names_are_left 0 '' ''
judge test -z "$(ls -A "$site/tmp")"
is no_copy_is_left 0 '' ''
on backup "$work/b.tar" --uncompressed --rate 1GiB
is a_backup_may_be_uncompressed 0 '*bytes*' ''
on backup "$work/x" --rate fast
is a_rate_is_a_size 2 '' '*--rate is a size*'
ln -s /etc/passwd "$site/media/link"
on backup "$work/link.tar.zst"
is links_are_left_out_and_told 0 '*leftOut *1*' '*1 links, devices*'
rm "$site/media/link"
into nothing backup "$work/x"
is no_site_is_no_backup 1 '' '*there is no site in*nothing*'
(cd "$work" && mkdir sums && tar xf b.tar -C sums) && cd "$work/sums" && judge b2sum -c B2SUMS
is other_tools_read_it 0 '' '*stet.db: OK*'
cd "$work" || exit 99

run verify "$work/b.tar.zst"
is a_backup_verifies_without_a_site 0 '*archive *ok*database *ok*' ''
run verify "$work/b.tar"
is so_does_an_uncompressed_one 0 '*archive *ok*database *ok*' ''
into new restore "$work/b.tar.zst" --key-file "$site/key"
is a_backup_is_restored 0 '*site *main*files *4*kept *-*' ''
judge diff -r "$site/media" "$work/new/media"
is every_file_is_as_it_was 0 '' ''
into new backup "$work/again.tar.zst"
is what_was_put_back_can_be_backed_up 0 '*files *3*' ''
run verify "$work/b.tar.zst" --key-file "$work/nothing"
is a_key_is_not_asked_for_without_a_seal 0 '*archive *ok*' ''
into new user list
is the_database_is_as_it_was 0 '*ann@example.org*' ''
into new restore "$work/b.tar.zst" --key-file "$site/key"
is a_site_is_not_replaced 1 '' '*there is a site in*--force*'
into new restore "$work/b.tar.zst" --force
is force_wants_to_be_confirmed 1 '' '*--yes*'
into new user add bob@example.org --name Bob --role editor
mkdir "$work/new/backups" && echo old >"$work/new/backups/old"
into new restore "$work/b.tar.zst" --force --yes
is a_site_is_replaced_when_it_is_meant 0 '*kept *new.before-restore-*' ''
into new user list
is what_came_later_is_gone 0 '*ann@example.org*' ''
kept=$(ls -d "$work"/new.before-restore-*)
run --data "$kept" user list </dev/null
is what_was_replaced_is_kept 0 '*bob@example.org*' ''
judge test -e "$work/new/backups/old"
is backups_stay_with_the_site 0 '' ''
run --data "$work/piped" restore - <"$work/b.tar.zst"
is standard_input_is_a_backup_too 0 '*files *4*' ''
program --data "$site" backup - 2>"$work/err" >"$work/piped.zst" </dev/null
status=$? out='' err=$(cat "$work/err")
is standard_output_takes_one_and_the_report_goes_beside 0 '' '*bytes*'
run verify - <"$work/piped.zst"
is what_came_out_verifies 0 '*archive *ok*' ''

# Encrypted archives.
echo 'let it stand' >"$work/pass"
echo 'let it lie' >"$work/other"
on backup "$work/sealed" --passphrase-file "$work/pass"
is a_passphrase_seals_a_backup 0 '*sealed *yes*' ''
run verify "$work/sealed" </dev/null
is without_its_passphrase_nothing_is_said_of_it 1 '' '*passphrase*'
judge grep -q 'SQLite\|hello' "$work/sealed"
is nothing_of_it_is_to_be_read 1 '' ''
into p1 restore "$work/sealed" --passphrase-file "$work/other"
is another_passphrase_does_not_open_it 1 '' '*nothing was restored: wrong passphrase*'
into p1 restore "$work/sealed" --passphrase-file "$work/nothing"
is a_passphrase_that_cannot_be_read_is_told 1 '' '*nothing: No such file*'
judge untouched p1
is a_wrong_passphrase_leaves_nothing 0 '' ''
into p1 restore "$work/sealed" --passphrase-file "$work/pass"
is the_passphrase_opens_it 0 '*files *4*' ''
run backup --new-key "$work/key"
public=$out
is a_pair_of_keys_is_made 0 'stet-public-*' ''
judge test "$(stat -c %a "$work/key")" = 600
is a_secret_key_is_for_its_owner_alone 0 '' ''
run backup --new-key "$work/key"
is a_secret_key_is_never_replaced 1 '' '*key: File exists*'
on backup "$work/boxed" --public-key "$public"
is a_public_key_seals_a_backup 0 '*sealed *yes*' ''
on backup "$work/boxed" --public-key "$public" --passphrase-file "$work/pass"
is one_seal_is_enough 2 '' '*exclude each other*'
on backup "$work/x" --public-key stet-public-abc
is a_key_that_is_none_is_refused 1 '' '*stet-public-abc*'
into k1 restore "$work/boxed"
is the_secret_key_has_to_be_named 1 '' '*--key-file*'
run backup --new-key "$work/other-key"
into k1 restore "$work/boxed" --key-file "$work/other-key"
is another_key_does_not_open_it 1 '' '*this secret key does not open it*'
into k1 restore "$work/boxed" --key-file "$work/pass"
is a_file_without_a_key_is_refused 1 '' '*holds no secret key*'
into k1 restore "$work/sealed" --key-file "$work/key"
is a_key_does_not_open_a_passphrase 1 '' '*sealed with a passphrase*'
judge untouched k1
is a_wrong_key_leaves_nothing 0 '' ''
into k1 restore "$work/boxed" --key-file "$work/key"
is the_secret_key_opens_it 0 '*files *4*' ''

# Damaged archives.
size=$(stat -c %s "$work/b.tar.zst")
good=0
for cut in 0 1 100 1000 $((size / 2)) $((size - 4)) $((size - 1)); do
	head -c "$cut" "$work/b.tar.zst" >"$work/cut"
	run verify "$work/cut"
	case $status:$out in 1:*DAMAGED*'cut off'* | 1:*'is empty'*) good=$((good + 1)) ;; esac
done
status=$good
is a_cut_archive_is_told_wherever_it_is_cut 7 '*' '*'
size=$(stat -c %s "$work/sealed")
good=0
for cut in 50 127 128 1000 65681 $((size / 2)) $((size - 1)); do
	head -c "$cut" "$work/sealed" >"$work/cut"
	run verify "$work/cut" --passphrase-file "$work/pass"
	case $status:$out in 1:*DAMAGED*) good=$((good + 1)) ;; esac
done
status=$good
is a_cut_sealed_archive_is_told_too 7 '*' '*'
head -c $((size - 10)) "$work/sealed" >"$work/cut"
into c1 restore "$work/cut" --passphrase-file "$work/pass"
is a_sealed_archive_says_that_it_is_cut 1 '' '*cut off*'
{ cat "$work/sealed" && echo more; } >"$work/longer"
into c1 restore "$work/longer" --passphrase-file "$work/pass"
is nothing_may_stand_behind_a_sealed_archive 1 '' '*nothing was restored*'
{ cat "$work/b.tar.zst" && echo more; } >"$work/longer"
into c1 restore "$work/longer"
is nothing_may_stand_behind_an_archive 1 '' '*behind*end*'
# Change a byte of a file's content in an archive that is not compressed, so that only the file's checksum can notice
# it.
at=$(grep -abo hello "$work/b.tar" | tail -1 | cut -d: -f1)
cp "$work/b.tar" "$work/changed"
printf J | dd of="$work/changed" bs=1 seek="$at" conv=notrunc 2>/dev/null
into c1 restore "$work/changed"
is a_changed_file_is_named 1 '' '*ab/hello.txt in it is not what its sum says*'
cp "$work/sealed" "$work/changed"
# Eight bytes, since one byte could be equal by chance.
printf JJJJJJJJ | dd of="$work/changed" bs=1 seek=70000 conv=notrunc 2>/dev/null
into c1 restore "$work/changed" --passphrase-file "$work/pass"
is a_change_of_a_sealed_archive_is_told 1 '' '*damaged*'
into c1 restore "$work/pass"
is a_text_is_not_a_backup 1 '' '*nothing was restored*'
into c1 restore "$site"
is a_directory_is_not_a_backup 1 '' '*nothing was restored*'

# Hostile archives, made by tar from the files of a good one.
evil() {
	(cd "$work/sums" && tar --format=ustar --owner=0 --group=0 -cf "$work/evil" "$@" 2>/dev/null)
}
evil stet-backup.json stet.db media/ab/hello.txt B2SUMS
into c1 restore "$work/evil"
is sums_are_of_what_is_there 1 '' '*is not what its sum says*'
evil stet-backup.json stet.db media/ab/hello.txt
into c1 restore "$work/evil"
is without_sums_it_is_not_whole 1 '' '*not whole*'
evil stet.db
into c1 restore "$work/evil"
is the_head_comes_first 1 '' '*not a backup*'
evil stet-backup.json media/empty
into c1 restore "$work/evil"
is the_database_comes_next 1 '' '*the database is not in*'
evil -P --transform 's,media/empty,media/../../evil-was-here,' stet-backup.json stet.db media/empty B2SUMS
into c1 restore "$work/evil"
is a_name_that_leads_elsewhere_is_refused 1 '' '*leads elsewhere*'
evil -P --transform 's,media/empty,/tmp/evil-was-here,' stet-backup.json stet.db media/empty B2SUMS
into c1 restore "$work/evil"
is an_absolute_name_is_refused 1 '' '*leads elsewhere*'
ln -s /etc/passwd "$work/sums/media/link"
evil stet-backup.json stet.db media/link B2SUMS
into c1 restore "$work/evil"
is a_link_is_refused 1 '' '*link*'
ln "$work/sums/media/ab/hello.txt" "$work/sums/media/hard"
evil stet-backup.json stet.db media/ab/hello.txt media/hard B2SUMS
into c1 restore "$work/evil"
is a_hard_link_is_refused 1 '' '*link*'
mkfifo "$work/sums/media/pipe"
evil stet-backup.json stet.db media/pipe B2SUMS
into c1 restore "$work/evil"
is a_pipe_is_refused 1 '' '*other than files*'
evil stet-backup.json stet.db media B2SUMS
into c1 restore "$work/evil"
is a_directory_is_refused 1 '' '*other than files*'
evil stet-backup.json stet.db media/empty media/empty B2SUMS --hard-dereference
into c1 restore "$work/evil"
is a_name_stands_in_it_once 1 '' '*twice*'
evil --transform 's,media/empty,stetd.lock,' stet-backup.json stet.db media/empty B2SUMS
into c1 restore "$work/evil"
is only_files_of_the_site_are_taken 1 '' '*no place in a site*'
evil --transform 's,media/empty,backups/empty,' stet-backup.json stet.db media/empty B2SUMS
into c1 restore "$work/evil"
is directories_of_the_program_are_not_taken 1 '' '*no place in a site*'
mkdir "$work/bomb" && cp "$work/sums/stet-backup.json" "$work/bomb" && truncate -s 5T "$work/bomb/stet.db"
(cd "$work/bomb" && tar --format=posix --pax-option=delete=atime,delete=ctime,delete=mtime -cf - \
	stet-backup.json stet.db 2>/dev/null | head -c 100000 >"$work/evil")
into c1 restore "$work/evil"
is no_more_is_unpacked_than_the_head_says 1 '' '*the database in it has another size than the archive*head says*'
# bomb BYTES: writes an archive whose manifest claims a database of this size.
bomb() {
	sed "s/\"databaseBytes\": *[0-9]*/\"databaseBytes\": $1/" "$work/sums/stet-backup.json" >"$work/bomb/stet-backup.json"
	(cd "$work/bomb" && tar --format=posix --pax-option=delete=atime,delete=ctime,delete=mtime -cf - \
		stet-backup.json stet.db 2>/dev/null | head -c 2000000 >"$work/evil")
}
bomb 5497558138880
into c1 restore "$work/evil"
is an_absurd_size_is_refused 1 '' '*is said to have * MiB, and there is room for*'
truncate -s 1000000 "$work/bomb/stet.db"
bomb 1000000
into c1 restore "$work/evil"
is zeros_are_no_database 1 '' '*what should be the database in it is none*'
on verify "$work/evil"
is that_is_told_by_verify_too 1 '*what should be the database in it is none*'
cp "$work/sums/stet.db" "$work/bomb/stet.db" && truncate -s +1M "$work/bomb/stet.db"
bomb "$(stat -c %s "$work/bomb/stet.db")"
into c1 restore "$work/evil"
is a_database_has_the_size_that_its_own_head_says 1 '' '*another size than its own head says*'
bomb -1
into c1 restore "$work/evil"
is a_size_below_nothing_is_refused 1 '' '*another size than the archive*head says*'
printf '{"format":3,"stet":"9.0","site":"x","createdAt":"x"}' >"$work/bomb/stet-backup.json"
(cd "$work/bomb" && tar --format=ustar -cf "$work/evil" stet-backup.json)
into c1 restore "$work/evil"
is a_newer_format_is_refused_in_words 1 '' '*a newer version of stet made*9.0*'
judge untouched c1
is nothing_of_all_that_was_written 0 '' ''
judge test ! -e "$work/evil-was-here"
is nothing_was_written_elsewhere 0 '' ''

# Archives of a newer version, and of other programs.
if command -v sqlite3 >/dev/null 2>&1; then
	cp -r "$work/new" "$work/newer"
	sqlite3 "$work/newer/stet.db" "INSERT INTO migration VALUES ('core', 99, 'x', 'x', 'x')"
	into newer backup "$work/newer.tar"
	is a_newer_site_can_be_backed_up 0 '*files*' ''
	into c1 restore "$work/newer.tar"
	is a_newer_database_is_refused_in_words 1 '' '*migration 99*a newer version wrote it*'
	into newer user add carol@example.org --name Carol --role editor
	is an_older_program_refuses_a_newer_database 1 '' '*a newer version wrote it*'
	sqlite3 "$work/newer/stet.db" "UPDATE migration SET module = 'gone' WHERE version = 99"
	into newer backup "$work/newer.tar" --force
	into c2 restore "$work/newer.tar"
	is a_module_that_is_not_here_is_told 0 '*the module gone, which is not installed*' ''
else
	skip newer_databases_are_told_and_refused sqlite3
fi
cp -r "$work/new" "$work/broken"
into broken backup "$work/broken.tar" --force
dd if=/dev/zero of="$work/broken/stet.db" bs=4096 seek=9 count=1 conv=notrunc 2>/dev/null
into broken backup "$work/broken.tar" --force
is a_damaged_site_is_backed_up_and_told 1 '*damage *' '*the database is damaged*'
into c1 restore "$work/broken.tar"
is a_damaged_database_is_not_restored 1 '' '*nothing was restored*'
judge untouched c1
is so_nothing_of_it_was_written 0 '' ''

# Remains of killed restores, and directories that only look like them.
mkdir "$work/again.restoring-killed" "$work/again.restoring-mine" "$work/again.restoring-busy"
for name in killed busy; do
	: >"$work/again.restoring-$name/.unpacking"
	head -c 5000 /dev/zero >"$work/again.restoring-$name/stet.db"
done
: >"$work/again.restoring-mine/stet.db"
exec 8<"$work/again.restoring-busy" && flock 8
into again restore "$work/b.tar.zst"
is a_restore_goes_on_where_another_was_killed 0 '*files*' ''
judge test ! -e "$work/again.restoring-killed"
is what_the_killed_one_left_is_removed 0 '' ''
judge test -e "$work/again.restoring-mine/stet.db" -a -e "$work/again.restoring-busy/stet.db"
is what_is_in_use_or_no_leftover_stays 0 '' ''
exec 8<&-
judge test ! -e "$work/again/.unpacking"
is the_mark_is_not_in_the_restored_site 0 '' ''
echo "{\"made\": 1780200000000, \"file\": \"$work/b.tar.zst\"}" >"$work/again/backup.json"
into again restore "$work/b.tar.zst" --force --yes
is a_restored_site_knows_of_its_backups 0 '*kept*' ''
judge grep -q 1780200000000 "$work/again/backup.json"
is so_doctor_sees_the_last_one 0 '' ''
judge test ! -e "$work/again.restoring-busy"
is what_is_no_longer_in_use_is_removed 0 '' ''
on verify
is the_site_itself_is_whole_after_all_that 0 '*database *ok*' ''

echo "1..$count"
