#!/bin/sh
# stet.t - the command as built: its output, on which stream, and its exit status. TAP.
work=$(mktemp -d "${TMPDIR:-/tmp}/stet-cli-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
site=$work/site
# shellcheck source=t/cli/command.sh
. "${STET_SOURCE:-.}/t/cli/command.sh"

stet() {
	run "$@" </dev/null
}

on() {
	stet --data "$site" "$@"
}

stet
is without_words_the_usage_is_an_error 2 '' 'usage: stet *user add*'
stet help
is help_lists_the_commands 0 'usage: stet *init*call*verify*token add*' ''
stet --help
is help_is_an_option_too 0 'usage: stet *' ''
stet help user add
is help_of_a_command_comes_from_its_op 0 \
	'usage: stet user add EMAIL --role ROLE *--name NAME*EMAIL *--role *admin, editor, author*' ''
stet user add --help
is help_may_come_last 0 'usage: stet user add EMAIL *' ''
stet help user
is help_of_a_word_lists_its_commands 0 '*user add*user list*' ''
for words in 'help --help' 'help help' 'help help --help'; do
	# shellcheck disable=SC2086
	stet $words
	is "help_of_help: $words" 0 'usage: stet help \[COMMAND\]*' ''
done
stet help user add --help
is help_may_be_asked_for_twice 0 'usage: stet user add EMAIL *' ''
stet --help --help
is even_without_a_command 0 'usage: stet *init*call*' ''
stet key rotate --help
is help_of_a_command_with_its_operand_is_that_of_the_command 0 'usage: stet key WHAT*' ''
stet help mail
is choices_that_the_text_explains_are_not_listed_again 0 'usage: stet mail WHAT*that were given up
  ADDRESS *' ''
stet help import site
is help_of_a_command_without_an_op_explains_its_options 0 'usage: stet import site DIR*  --dry-run  *undo it*' ''
stet help webhook add
is help_tells_how_to_turn_off_what_is_on 0 'usage: stet webhook add *\[--no-enabled\]*
  --enabled, --no-enabled *
  --no-OPTION *opposite*' ''
stet help call
is help_knows_its_own 0 'usage: stet call *' ''
stet help nonsense
is help_of_nonsense_is_an_error 2 '' '*unknown command nonsense*'
stet --version
is version_is_one_line 0 'stet [0-9]*' ''

stet user list
is without_a_site_it_asks_for_one 1 '' '*--data DIR or --config FILE*'
stet --data
is an_option_without_its_value_is_an_error 2 '' '*--data*'
stet --nonsense user list
is an_unknown_option_is_an_error 2 '' '*--nonsense*'
stet --data "$site" --config "$work/x.conf" user list
is data_and_config_exclude_each_other 2 '' '*exclude*'
on user list
is a_directory_is_not_made_by_mistake 1 '' '*there is no site in*stet init*'
[ ! -e "$site" ]
status=$?
out='' err=''
is nothing_was_made 0 '' ''

on init
is init_says_what_it_made 0 '*createdDirectory *yes*createdDatabase *yes*modules *auth*' ''
on init
is init_again_changes_nothing 0 '*createdDirectory *no*createdDatabase *no*' ''
on --json init
is json_stands_before_the_command 0 '{*"createdDatabase":false*' ''
on init more
is init_takes_no_words 2 '' '*one word too many*'
on nonsense
is an_unknown_command_is_an_error 2 '' '*unknown command nonsense*stet help*'
on user nonsense
is an_unknown_second_word_is_an_error 2 '' '*unknown command user nonsense*user add*user list*'

on user add Ann@Example.org --name 'Ann Author' --role author
is a_user_is_added 0 '*email *ann@example.org*name *Ann Author*role *author*' ''
on user add ann@example.org --role admin
is a_user_is_added_once 1 '' 'stet: USER_EXISTS: *(email)'
on user add nobody --role root
is every_problem_has_a_line 1 '' 'stet: VALIDATION_ERROR: *stet:   email: *stet:   role: *'
on user add --role admin
is a_missing_operand_is_named 2 '' '*EMAIL is missing*help user add*'
on user add a@b.org c@d.org --role admin
is a_surplus_operand_is_named 2 '' '*c@d.org is one word too many*'
on user add a@b.org --roll admin
is an_unknown_option_gets_a_hint 2 '' '*unknown option --roll*--role*'
on user add a@b.org --role
is an_option_needs_its_value 2 '' '*--role needs a value*'
on help call content_get
is help_of_an_operation_comes_from_its_shape 0 \
	'usage: stet call content_get key=value *collection=TEXT *(required)*markdown=true|false*' ''
on help call menu_get
is it_says_how_a_client_asks 0 '*Over HTTP: GET /_cms/api/menus/:name*' ''
on help call nonsense
is help_of_an_operation_that_there_is_not_is_an_error 2 '' '*no operation nonsense*call --list*'
on user list
is users_are_a_table 0 'ID *EMAIL *NAME *ROLE*ann@example.org*Ann Author*author*' ''
on user show ANN@example.org
is a_user_is_shown 0 '*email *ann@example.org*name *Ann Author*role *author*' ''
on user set-role ann@example.org editor
is a_role_is_set 0 '*role *editor*' ''
on user set-role ann@example.org
is a_role_is_an_operand 2 '' '*ROLE is missing*help user set-role*'
on user set-role ann@example.org king
is an_unknown_role_is_refused 2 '' '*king is none of admin, editor*'
on user rename ann@example.org 'Ann Editor'
is a_user_is_renamed 0 '*name *Ann Editor*' ''
on user disable ann@example.org
is a_user_is_disabled 0 '*disabled *yes*' ''
on user enable ann@example.org
is a_user_is_enabled 0 '*disabled *no*' ''
on user disable nobody@example.org
is a_user_who_is_not_there_is_not_disabled 1 '' 'stet: NOT_FOUND: *nobody@example.org*'
on --json user list
is users_are_json_when_asked 0 '{"items":\[{*"email":"ann@example.org"*}\]}' ''

on call collection_create slug=cities label=Cities
on call field_create --input '{"collection":"cities","slug":"size","label":"a */ b","type":"select",
	"validation":{"options":["big","sm\"all"]}}'
on types
is types_are_written_as_typescript 0 '// Written by "stet types".*export interface Item<*export type City = Item<"cities", {*a  / b*size?: "big" | "sm\\"all";*cities: City;*MenuName = never;*TaxonomyName = "category" | "tag";' ''
once=$out
on types
[ "$out" = "$once" ]
status=$?
out='' err=''
is the_same_site_has_the_same_types 0 '' ''
on types --all
is types_takes_no_words 2 '' '*usage: stet types*'
on call collection_delete slug=cities

on --json webhook add https://example.org/off --no-enabled
is a_flag_that_is_on_is_turned_off 0 '{*"enabled":false*' ''
on --json webhook add https://example.org/on
is it_is_on_when_nothing_is_said 0 '{*"enabled":true*' ''

on token add ann@example.org --name ci --scope content:read,content:write
is a_token_is_printed_alone 0 'cms_pat_???????????????????????????????????????????' ''
token=$out
on token add ann@example.org --name ci --scope root
is an_unknown_scope_is_refused 1 '' '*VALIDATION_ERROR*scope*'
on token add nobody@example.org --name ci --scope admin
is a_token_needs_its_user 1 '' 'stet: NOT_FOUND: *nobody@example.org*(email)'
on token add ann@example.org --name old --scope admin --expires 2020-01-01
is a_token_may_have_an_end 0 'cms_pat_*' ''
on token list ann@example.org
is tokens_are_a_table 0 'ID *NAME *PREFIX *SCOPES*old*2020-01-01T00:00:00.000Z*ci*content:read, content:write*' ''
case $out in *"$token"*) status=1 ;; esac
is tokens_are_not_shown_again 0 '*' ''
id=$(sed -n 's/ .*//; 2p' "$work/out")
on token revoke "$id"
is a_token_is_revoked 0 '*revoked *yes*' ''
on token revoke "$id"
is a_token_is_revoked_once 1 '' 'stet: NOT_FOUND: *'

on call
is call_needs_an_operation 2 '' '*which operation*'
on call --list
is call_lists_operations 0 '*token_add*user_add*' ''
on call nonsense
is an_unknown_operation_is_an_error 2 '' '*no operation nonsense*'
on call user_add email=bob@example.org role=editor
is call_takes_pairs_and_answers_json 0 '{*"email":"bob@example.org"*"role":"editor"*}' ''
on call user_add email=carl@example.org roll=editor
is call_names_unknown_members 2 '' '*no member roll*role*'
on call user_add email
is call_wants_pairs 2 '' '*key=value*'
on call user_add --input '{"email":"dora@example.org","role":"admin"}'
is call_takes_json 0 '{*dora@example.org*}' ''
echo '{"email":"emil@example.org","role":"admin"}' >"$work/in"
on call user_add --input "@$work/in"
is call_takes_a_file 0 '{*emil@example.org*}' ''
printf 'Filed\n' >"$work/name"
on user add filed@example.org --role editor --name-file "$work/name"
is a_text_may_be_in_a_file 0 '*name *Filed*' ''
printf 'Piped' >"$work/piped"
run --data "$site" user add piped@example.org --role editor --name-file=- <"$work/piped"
is a_text_may_come_from_standard_input 0 '*name *Piped*' ''
on user add x@example.org --role editor --name X --name-file "$work/name"
is a_text_is_given_once 2 '' '*--name-file is said twice*'
on user add x@example.org --role editor --name-file "$work/none"
is a_file_that_is_not_there_is_named 2 '' "*cannot read $work/none*"
printf 'a\0b' >"$work/nul"
on user add x@example.org --role editor --name-file "$work/nul"
is a_file_with_a_nul_is_refused 2 '' '*NUL*'
head -c 1048577 /dev/zero | tr '\0' a >"$work/long"
on user add x@example.org --role editor --name-file "$work/long"
is a_file_of_more_than_a_mib_is_refused 2 '' '*more than a MiB*'
on user list --limit-file "$work/name"
is only_texts_come_from_files 2 '' '*unknown option --limit-file*'
on user add x@example.org --role editor --name-file
is a_file_option_needs_a_file 2 '' '*--name-file needs a value*'
on call user_add --input '{"email":'
is call_refuses_what_is_not_json 1 '' '*not JSON*byte*'
on call user_add --input '[]'
is call_refuses_what_is_no_object 1 '' '*VALIDATION_ERROR*'
on call user_add --input '{"email":"f@example.org","role":"admin","x":1}'
is call_refuses_unknown_members 1 '' '*x: *'

on verify
is a_good_site_verifies 0 '*database *ok*references *ok*migrations *ok*' ''
on --json verify
is verify_answers_json 0 '{"ok":true,"checks":\[{"check":"database","ok":true*' ''

cat >"$work/stet.conf" <<END
site "one" {
    hosts = { "one.example" }
    data = "$site"
}
site "two" {
    hosts = { "two.example" }
    data = "$work/two"
}
END
stet --config "$work/stet.conf" user list
is of_several_sites_one_must_be_named 2 '' '*--site NAME*one two*'
stet --config "$work/stet.conf" --site three user list
is an_unknown_site_is_an_error 2 '' '*no site three*one two*'
stet --config "$work/stet.conf" --site one user list
is a_site_is_found_by_name 0 '*ann@example.org*' ''
stet --config "$work/stet.conf" --site two init
is sites_have_their_own_directory 0 '*createdDatabase *yes*' ''
stet --config "$work/stet.conf" --site two user list
is sites_have_their_own_users 0 'none' ''
stet --config "$work/none.conf" user list
is a_missing_configuration_is_an_error 1 '' '*none.conf*'
echo 'colour = "red"' >"$work/bad.conf"
stet --config "$work/bad.conf" user list
is a_bad_configuration_is_an_error_with_its_line 1 '' '*bad.conf:1*'

# Modules that the loader refuses are reported by "module list" and in the daemon's log, but not by other commands.
STET_PLUGIN_PATH=$build/t/plugins/broken/.libs
on user list
is refused_plugins_are_not_told_by_each_command 0 '*ann@example.org*' ''
on module list
is refused_plugins_are_listed 0 '*wrong-abi*' ''
STET_MODULE_PATH=/nowhere
on user list
is without_any_module_it_is_told_why 1 '' '*no modules in /nowhere*wrong-abi*is refused: *'
STET_MODULE_PATH=$build/modules/.libs STET_PLUGIN_PATH=

# Each page of the database is lost in turn: verify must report it, and never crash.
db=$site/stet.db
cp "$db" "$work/good.db"
pages=$(($(wc -c <"$db") / 4096)) unnoticed=
page=0
while [ $page -lt "$pages" ] && [ $page -lt 40 ]; do
	cp "$work/good.db" "$db"
	dd if=/dev/zero of="$db" bs=4096 seek=$page count=1 conv=notrunc 2>/dev/null
	on verify
	[ "$status" = 1 ] || unnoticed="$unnoticed $page:$status"
	page=$((page + 1))
done
cp "$work/good.db" "$db"
status=$page out=$unnoticed err=''
is damage_of_any_page_is_noticed "$page" '' ''
on verify
is the_good_copy_verifies 0 '*database *ok*' ''

if [ -w /dev/full ]; then
	program --data "$site" token add ann@example.org --name lost --scope admin \
		>/dev/full 2>"$work/err" && status=0 || status=$?
	out='' err=$(cat "$work/err")
	is a_result_that_cannot_be_written_is_an_error 1 '' '*cannot write*'
fi

echo "1..$count"
