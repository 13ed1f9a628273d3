#!/bin/sh
# login.t - `stet login`, `stet call` and `stet logout` with the URL of a site. TAP.
work=$(mktemp -d "${TMPDIR:-/tmp}/stet-login-XXXXXX") || exit 99
daemon=''
trap '[ -z "$daemon" ] || kill "$daemon"; rm -rf "$work"' EXIT
# shellcheck source=t/cli/command.sh
. "${STET_SOURCE:-.}/t/cli/command.sh"
if ! command -v curl >/dev/null; then
	echo '1..0 # SKIP curl is not installed'
	exit 0
fi
export XDG_CONFIG_HOME="$work/home/settings"
unset STET_TOKEN

# The site listens on a port that is free now, since its base-url contains the port.
start() {
	port=$((20000 + ($$ + $1 * 7919) % 12000))
	base=http://localhost:$port
	cat >"$work/conf" <<-END
		listen = { "127.0.0.1:$port" }
		site "main" {
			data = "$work/site"
			base-url = "$base"
		}
	END
	"$build/.libs/stetd" --config "$(conf_of "$work/conf")" --foreground >"$work/log" 2>&1 &
	daemon=$!
	for _ in $(seq 300); do
		curl -s -o "$work/ready" "http://127.0.0.1:$port/readyz" && return 0
		kill -0 "$daemon" 2>/dev/null || break
		sleep 0.1
	done
	kill "$daemon" 2>/dev/null
	daemon=''
	return 1
}
run --data "$work/site" init
run --data "$work/site" user add ann@example.org --role editor
start 1 || start 2 || start 3 || exit 99

stet() {
	run "$@" </dev/null
}

# Ann signs in with a browser, by the link of "stet user recover".
token=$(run --config "$work/conf" user recover ann@example.org; printf %s "$out" | sed 's/.*#//')
curl -s -c "$work/cookies" -o "$work/session" "$base/_cms/api/auth/magic-link/verify?token=$token"

# Answers on the page for devices, "approve" or "deny", while the command runs in the background.
decide() {
	for _ in $(seq 300); do
		code=$(grep -o '[A-Z0-9]\{4\}-[A-Z0-9]\{4\}' "$work/waiting" | head -n 1)
		[ -n "$code" ] && break
		sleep 0.1
	done
	curl -s -b "$work/cookies" -H 'X-CMS-Request: 1' -H 'Content-Type: application/json' -o "$work/decided" \
		-d "{\"user_code\": \"$code\", \"action\": \"$1\"}" "$base/_cms/api/oauth/device/authorize"
}

# Signs in; arguments: the user's decision, further words of the command.
sign_in() {
	decision=$1
	shift
	: >"$work/waiting" # has the code of the last time
	"$build/.libs/stet" login "$base" "$@" >"$work/out" 2>"$work/waiting" </dev/null &
	pid=$!
	decide "$decision"
	for _ in $(seq 300); do
		kill -0 "$pid" 2>/dev/null || break
		sleep 0.1
	done
	kill "$pid" 2>/dev/null
	wait "$pid"
	status=$?
	out=$(cat "$work/out") err=$(cat "$work/waiting")
}

stet login
is without_a_login_the_list_is_empty 0 none ''
stet call --site "$base" content_list collection=posts
is a_call_wants_a_login_first 1 '' "stet: not signed in: stet login $base"
stet login http://example.org
is a_url_without_tls_is_refused 2 '' '*is not encrypted: http is for this computer alone*'
stet login "$base/?q=1"
is a_url_of_more_than_a_site_is_refused 2 '' '*more than the URL of a site*'
stet login "http://127.0.0.1:$port"
is another_name_of_the_site_is_told 1 '' "*is known as $base: sign in there"
stet login "$base/elsewhere"
is what_is_no_site_is_told 1 '' '*is not a site of stet, or its module oauth is disabled'
stet login "http://127.0.0.1:1"
is a_site_that_is_not_there_is_told 1 '' 'stet: http://127.0.0.1:1: *'
stet login "$base" extra
is login_takes_a_url_and_scopes_alone 2 '' '*a URL is wanted*'

sign_in deny
is a_user_may_refuse 1 '' "*$base/_cms/oauth/device?user_code=*answers 400: The user has refused"
sign_in approve --scope 'content:read content:write schema:read schema:write'
is a_user_agrees_in_a_browser 0 "site *$base*scope *content:read*" '*Open this page*'
status=$(stat -c %a "$XDG_CONFIG_HOME/stet/logins.json") out='' err=''
is the_tokens_are_the_users_alone 600 '' ''
stet login
is the_login_is_listed 0 "*$base*content:read*" ''
stet --json login
is the_login_is_listed_as_json 0 '{"items":\[{"site":"http://localhost*' ''

stet call --site "$base" --list
is the_operations_are_those_of_the_user 0 '*content_list *List*' ''
stet --config "$work/conf" call collection_create slug=posts label=Posts
is a_collection_for_what_follows 0 '*"slug":"posts"*' ''
stet --config "$work/conf" call schema_create_field collection=posts slug=title label=Title type=string
is a_field_for_what_follows 0 '*"title"*' ''
stet call --site "$base" content_add collection=posts 'data={"title":"From afar"}' status=published
is a_write_over_http 0 '{*"From afar"*}' ''
id=$(printf %s "$out" | sed 's/.*"id":"\([^"]*\)".*/\1/')
stet call --site "$base" content_read collection=posts "id=$id" fields=title
is a_read_over_http 0 '*"From afar"*' ''
stet --site "$base" call content_list collection=posts limit=1
is the_site_may_stand_before_the_command 0 '{*"items":*' ''
stet call --site "$base" content_add collection=posts --input '{}'
is an_operation_takes_pairs_or_input 2 '' '*has no member --input*'
stet call --site "$base" content_add --input '{"collection":"posts","data":{"title":"Read from JSON"}}'
is arguments_as_json 0 '*Read from JSON*' ''
stet call --site "$base" content_read collection=posts id=nothing
is an_error_is_told_as_on_this_machine 1 '' 'stet: NOT_FOUND: *'
stet call --site "$base" content_read collection=posts
is a_part_of_the_path_must_be_there 2 '' 'stet: id is missing'
stet call --site "$base" content_read colour=red
is an_unknown_member_is_told 2 '' '*content_read has no member colour; it has*collection id*'
stet call --site "$base" content_list collection=posts limit=many
is a_value_of_another_type_is_told 2 '' 'stet: limit is not a number'
stet call --site "$base" token_list
is what_the_token_may_not_do_is_not_offered 2 '' "*has no operation token_list for you*"
stet user list --site "$base"
is other_commands_have_no_url 1 '' '*'
stet --site "$base" user list
is other_commands_say_so 2 '' '*only "stet call" works on a site by its URL'

# After a token has expired the site refuses it, and the command gets a new one.
sed -i 's/"accessToken": "[^"]*"/"accessToken": "cms_oat_ended"/' "$XDG_CONFIG_HOME/stet/logins.json"
stet call --site "$base" content_read collection=posts "id=$id" fields=title
is a_token_that_is_refused_is_renewed 0 '*"From afar"*' ''
sed -i 's/"expiresAt": [0-9]*/"expiresAt": 1/' "$XDG_CONFIG_HOME/stet/logins.json"
stet call --site "$base" content_read collection=posts "id=$id" fields=title
is a_token_that_has_expired_is_renewed 0 '*"From afar"*' ''
chmod 644 "$XDG_CONFIG_HOME/stet/logins.json"
stet login
is a_file_that_others_may_read_is_refused 1 '' '*others may read it*chmod 600'
chmod 600 "$XDG_CONFIG_HOME/stet/logins.json"

stet logout "$base"
is a_logout_ends_the_tokens 0 '' ''
stet logout "$base"
is a_second_logout_is_told 1 '' "*there is no login of $base*"
curl -s -b "$work/cookies" -o "$work/grants" "$base/_cms/api/auth/grants"
status=0 out=$(cat "$work/grants") err=''
is the_site_has_no_grant_left 0 '*"items":\[\]*' ''

# A token of another kind, from the environment.
pat=$(run --config "$work/conf" token add ann@example.org --name ci --scope content:read; printf %s "$out" |
	grep -o 'cms_pat_[A-Za-z0-9_-]*' | head -n 1)
STET_TOKEN=$pat
export STET_TOKEN
stet call --site "$base" content_read collection=posts "id=$id" fields=title
is a_token_from_the_environment 0 '*"From afar"*' ''
STET_TOKEN=cms_pat_wrong
stet call --site "$base" content_read collection=posts "id=$id"
is a_wrong_token_is_told 1 '' 'stet: UNAUTHORIZED: Invalid or expired token'
unset STET_TOKEN

kill "$daemon"
wait "$daemon" 2>/dev/null
daemon=''
echo "1..$count"
