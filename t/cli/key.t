#!/bin/sh
# key.t - the key of a site: made, changed, lost, in backups and without. TAP.
work=$(mktemp -d "${TMPDIR:-/tmp}/stet-key-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
site=$work/site
# shellcheck source=t/cli/command.sh
. "${STET_SOURCE:-.}/t/cli/command.sh"

on() {
	run --data "$site" "$@" </dev/null
}

into() {
	name=$1
	shift
	run --data "$work/$name" "$@" </dev/null
}

judge() {
	if "$@" >"$work/judge" 2>&1; then status=0; else status=1; fi
	out='' err=$(cat "$work/judge")
}

# Prints what doctor reports about the key and sealed values; its exit status depends on other checks, too.
health() {
	run --data "$work/$1" doctor </dev/null
	status=0 out=$(printf '%s\n' "$out" | grep -E 'main, (key|secrets):')
}

on init
judge test "$(stat -c %a "$site/key")" = 600
is init_makes_a_key_for_its_owner_alone 0 '' ''
case $(cat "$site/key") in stet-site-???????????????????????????????????????????) status=0 ;; *) status=1 ;; esac
out='' err=''
is it_is_a_line_of_text 0 '' ''
cp "$site/key" "$work/first"
on webhook add https://example.org/hook
secret=$(printf '%s\n' "$out" | sed -n 's/^secret *//p')
is a_webhook_gets_a_secret 0 '*whsec_*' ''
judge grep -rq "$secret" "$site"
is the_secret_is_in_no_file 1 '' ''
judge cmp -s "$site/key" "$work/first"
is a_key_is_made_once 0 '' ''
health site
is doctor_opens_what_is_sealed 0 'ok *key: *site/key, ????????????????*ok *secrets: 2, all*' ''
chmod 644 "$site/key"
health site
is a_key_that_others_may_read_is_told 0 '*WARNING *key: *can be read by others*' ''
chmod 600 "$site/key"
on export "$work/export"
is a_site_is_exported 0 '*' ''
judge grep -rqE 'whsec_|example.org/hook|stet-site-' "$work/export"
is an_export_holds_no_secret 1 '' ''

# Backups.
echo 'let it stand' >"$work/pass"
on backup "$work/plain"
on backup "$work/sealed" --passphrase-file "$work/pass"
zstd -qdc "$work/plain" >"$work/plain.tar" 2>/dev/null && judge grep -aqE 'whsec_|stet-site-' "$work/plain.tar"
is a_plain_backup_has_neither_key_nor_secret 1 '' ''
into b1 restore "$work/sealed" --passphrase-file "$work/pass"
is an_encrypted_one_is_put_back 0 '*notes *-*' ''
judge cmp -s "$work/b1/key" "$site/key"
is it_holds_the_key 0 '' ''
judge test "$(stat -c %a "$work/b1/key")" = 600
is for_its_owner_alone 0 '' ''
health b1
is and_its_secrets_can_be_opened 0 '*ok *secrets: 2, all*' ''
run verify "$work/sealed" --passphrase-file "$work/pass"
is it_verifies 0 '*archive *ok*' ''
into b2 restore "$work/plain"
is without_the_key_it_is_said_what_is_lost 0 '*does not hold the key of the site*webhooks*--key-file*' ''
judge test -e "$work/b2/key"
is no_key_is_made_up 1 '' ''
into b2 user list
is content_is_there_all_the_same 0 '*' '*its secrets can be neither sealed nor opened*'
health b2
is doctor_says_that_it_is_missing 0 '*ERROR *key: *cannot be opened: *b2/key: No such file*' ''
into b2 webhook add https://example.org/other
is nothing_is_sealed_without_it 1 '' '*key of the site is missing*'
into b2 backup "$work/x" --passphrase-file "$work/pass"
is an_encrypted_backup_without_its_key_is_made_all_the_same 0 '*sealed *yes*' '*lacks the key of the site*'
cp "$work/first" "$work/b2/key"
health b2
is a_key_that_is_put_back_opens_them 0 '*ok *secrets: 2, all*' ''
into b3 restore "$work/plain" --key-file "$work/first"
is a_key_may_be_named 0 '*notes *-*' ''
health b3
is it_is_taken_in 0 '*ok *key: *b3/key*ok *secrets: 2, all*' ''
run key make "$work/other"
is a_key_can_be_made_for_a_file 0 '*file *other*key *' ''
judge test "$(stat -c %a "$work/other")" = 600
is that_is_for_its_owner_alone 0 '' ''
run key make "$work/other"
is it_is_never_replaced 1 '' '*other: File exists*'
into b4 restore "$work/plain" --key-file "$work/other"
is another_key_is_refused 1 '' '*nothing was restored*is not the key of the site in the backup*'
judge test -e "$work/b4"
is then_nothing_is_left 1 '' ''
into b3 restore "$work/plain" --force --yes
is the_site_that_is_replaced_lends_its_key 0 '*notes *-*' ''
health b3
is so_it_opens_as_before 0 '*ok *secrets: 2, all*' ''

# Another key, and a lost one.
cp "$work/other" "$work/b3/key"
health b3
is doctor_knows_another_key 0 '*ERROR *key: *holds another key*ERROR *secrets: *sealed with another key*' ''
into b3 key rotate
is another_key_cannot_be_changed 1 '' '*the key was not changed: *another key*'
into b3 webhook add https://example.org/other
is nor_does_it_seal 1 '' '*key of the site is missing*'
into b3 key adopt
is it_can_be_taken_for_the_sites 0 '*key *' '*is lost*'
into b3 webhook add https://example.org/other
is then_it_seals 0 '*whsec_*' ''
health b3
is what_is_lost_is_named 0 '*ok *key:*ERROR *secrets: webhook.secret of row *another key*' ''
into b3 key adopt
is a_key_is_adopted_when_there_is_need 1 '' '*is the key of the site already*'
rm "$work/b3/key"
into b3 key adopt
is a_lost_key_is_replaced_by_a_new_one 0 '*key *' '*'
judge test "$(stat -c %a "$work/b3/key")" = 600
is which_is_made 0 '' ''

# Changing the key.
on key rotate
is a_key_is_changed 0 '*was *key *sealed *2*notOpened *-*' ''
judge cmp -s "$site/key" "$work/first"
is the_file_has_the_new_one 1 '' ''
judge test "$(wc -l <"$site/key")" = 1
is and_only_that 0 '' ''
health site
is what_was_sealed_opens_with_it 0 '*ok *secrets: 2, all*' ''
on key rotate "$work/other"
is no_file_is_wanted_there 2 '' '*no file is wanted*'
on key
is a_word_is_wanted 2 '' '*'
cp "$site/key" "$work/second"
on key show
is another_word_is_refused 2 '' '*show is none of rotate, adopt, make*'
judge cmp -s "$site/key" "$work/second"
is and_rotates_nothing 0 '' ''
into nowhere key rotate
is no_site_has_no_key 2 '' '*there is no site*'

# Kill the command before each change of a file.
kills=0 n=1 bad=
while [ $n -lt 400 ]; do
	LD_PRELOAD=$build/t/cli/.libs/dying.so STET_DIES_AT=$n \
		"$build/.libs/stet" --data "$site" key rotate </dev/null >/dev/null 2>&1
	[ $? -eq 137 ] || break
	kills=$((kills + 1))
	health site
	case $out in
	*ERROR*) bad=$bad:$n ;;
	*'secrets: 2, all can be opened'*) ;;
	*) bad=$bad:$n ;;
	esac
	n=$((n + 1))
done
echo "# killed $kills times"
status=0 out=$bad err=''
[ $kills -ge 10 ] || status=1
if grep -q '^#define STET_SANITIZED' "$build/config.h"; then
	count=$((count + 1))
	echo "ok $count - wherever_it_is_killed_the_site_opens # SKIP a sanitizer has to be the first library"
else
	is wherever_it_is_killed_the_site_opens 0 '' ''
fi
on key rotate
is and_it_can_be_changed_again 0 '*sealed *2*' ''
judge test "$(wc -l <"$site/key")" = 1
is no_old_key_is_left_in_the_file 0 '' ''

# A key file named in the configuration.
umask 077
mkdir "$work/creds"
"$build/.libs/stet" key make "$work/creds/key" >/dev/null
cat >"$work/stet.conf" <<EOF
module-path = "$STET_MODULE_PATH"
site "main" {
  data = "$work/filed"
  key-file = "\${STET_TEST_CREDENTIALS}/key"
}
EOF
export STET_TEST_CREDENTIALS="$work/creds"
filed() {
	run --config "$work/stet.conf" "$@" </dev/null
}
filed init
is a_key_may_lie_elsewhere 0 '*filed*' ''
sed 's,/filed",/made",; s,/key",/made",' "$work/stet.conf" >"$work/made.conf"
run --config "$work/made.conf" init
is it_may_be_made_there 0 '*made*' ''
judge test "$(stat -c %a "$work/creds/made")" = 600 -a ! -e "$work/made/key"
is for_its_owner_alone_and_nowhere_else 0 '' ''
judge test "$(ls "$work/creds")" = 'key
made'
is nothing_is_left_beside_it 0 '' ''
run --config "$work/made.conf" webhook add https://example.org/hook
is a_key_that_was_made_there_seals 0 '*whsec_*' ''
rm "$work/creds/made"
run --config "$work/made.conf" webhook add https://example.org/other
is a_site_that_had_a_key_gets_no_other 1 '' '*creds/made: No such file*'
judge test ! -e "$work/creds/made"
is and_none_is_made 0 '' ''
judge test -e "$work/filed/key"
is then_none_is_made 1 '' ''
filed webhook add https://example.org/hook
is it_seals_too 0 '*whsec_*' ''
filed key rotate
is a_new_one_has_to_be_named 2 '' '*which file holds the new key*'
"$build/.libs/stet" key make "$work/creds/next" >/dev/null
filed key rotate "$work/creds/next"
is it_is_changed_for_another_file 0 '*sealed *2*' '*now put *next in the place of *creds/key*'
filed webhook add https://example.org/other
is until_then_nothing_is_sealed 1 '' '*key of the site is missing*'
mv "$work/creds/next" "$work/creds/key"
filed webhook add https://example.org/other
is then_it_is_the_sites 0 '*whsec_*' ''
filed backup "$work/filed.sealed" --passphrase-file "$work/pass"
into b5 restore "$work/filed.sealed" --passphrase-file "$work/pass"
health b5
is an_encrypted_backup_holds_that_too 0 '*ok *secrets: 3, all*' ''
rm "$work/creds/key"
filed webhook add https://example.org/more
is a_file_that_is_gone_is_told 1 '' '*creds/key: No such file*'
filed restore "$work/filed.sealed" --passphrase-file "$work/pass" --force --yes
is a_restore_says_which_key_the_file_must_hold 0 '*key-file has to hold the key*' ''

echo "1..$count"
