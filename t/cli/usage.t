#!/bin/sh
# usage.t - "stet media-usage" as built: reports differences between the index of media uses and the items, with an exit
# status, and repairs the index. TAP.
work=$(mktemp -d "${TMPDIR:-/tmp}/stet-usage-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
export STET_CHECK_REPLIES=1
# shellcheck source=t/cli/command.sh
. "${STET_SOURCE:-.}/t/cli/command.sh"

on() {
	run --data "$work/a" "$@" </dev/null
	err=$(grep '^\(stet\|usage\): ' "$work/err")
}

on init
on call collection_create --input '{"slug":"posts","label":"Posts"}'
on call field_create --input '{"collection":"posts","slug":"hero","label":"Hero","type":"image"}'
on call media_usage_activate writersDrained=true
on media-usage repair all
is 'all items are indexed' 0 '*complete*' ''
on call content_add --input '{"collection":"posts","slug":"a","data":{"hero":{"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV"}}}'
on media-usage verify
is 'an index that is right is success' 0 none ''
on --json media-usage verify
is 'as JSON, too' 0 '*"problems":[[]]*' ''
if sql "$work/a" 'DELETE FROM media_use'; then
	on media-usage verify
	is 'what differs is told, and a status of failure' 1 'posts: * uses 01ARZ3NDEKTSV4RRFFQ69G5FAV, which the index*' ''
	on --json media-usage verify
	is 'the same as JSON' 1 '*"problems":[[]"posts: *' ''
	on media-usage repair collection posts
	on media-usage verify
	is 'a repair mends it' 0 none ''
	on search enable posts true
	on search verify
	is 'an index of search that is right is success' 0 '*' ''
else
	skip 'what differs is told, and a status of failure' 'the shell of the database'
fi
echo "1..$count"
