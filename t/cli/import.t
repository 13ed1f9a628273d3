#!/bin/sh
# import.t - "stet import jsonl" as built: what it stores and prints, and that it can be repeated. TAP.
work=$(mktemp -d "${TMPDIR:-/tmp}/stet-import-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
site=$work/site
# shellcheck source=t/cli/command.sh
. "${STET_SOURCE:-.}/t/cli/command.sh"

on() {
	run --data "$site" "$@"
}

# Prints this many lines, with values of many types.
lines() {
	i=0
	while [ $i -lt "$1" ]; do
		printf '{"slug":"item-%d","status":"%s","data":{"title":"Item %d ä","year":%s,"ratio":%s,"ok":%s,"at":"2026-01-02T03:04:%02d.000Z","note":"x\\ny","any":{"a":[%d]},"body":[{"_type":"block","style":"normal","children":[{"_type":"span","text":"Text %d"}]}]}}\n' \
			$i "$([ $((i % 2)) = 0 ] && echo draft || echo published)" $i \
			"$([ $((i % 3)) = 0 ] && echo null || echo $((1900 + i)))" \
			"$([ $((i % 2)) = 0 ] && echo 1 || echo 0.25)" \
			"$([ $((i % 2)) = 0 ] && echo true || echo false)" $((i % 60)) $i $i
		i=$((i + 1))
	done
}

on init </dev/null
lines 450 >"$work/good.jsonl"

on import jsonl </dev/null
is without_a_file_the_usage_is_an_error 2 '' 'usage: stet import jsonl *'
on import jsonl "$work/good.jsonl" </dev/null
is without_a_collection_the_usage_is_an_error 2 '' 'usage: stet import jsonl *'
on import jsonl "$work/none.jsonl" --collection things </dev/null
is a_missing_file_is_an_error 1 '' '*none.jsonl*'
on import wxr "$work" </dev/null
is a_directory_is_no_export 1 '' '*directory*'
on import jsonl "$work/good.jsonl" --collection things </dev/null
is a_missing_collection_is_an_error 1 '*created 0*' '*things*'
on import jsonl "$work/good.jsonl" --collection Things --create-schema </dev/null
is a_bad_name_is_an_error 1 '*created 0*' '?*'

on import jsonl "$work/good.jsonl" --collection things --create-schema </dev/null
is all_lines_are_created 0 'created 450, updated 0, skipped 0, failed 0' ''
on --json audit list </dev/null
is an_import_is_one_record 0 '{"items":\[{"seq":10,*"via":"command","op":"import jsonl","module":"content",*"seq":9,*"op":"field_create"*' ''
on audit verify </dev/null
is the_audit_log_is_sound 0 '*records   10*' ''
on call schema_get_collection slug=things </dev/null
is titles_are_strings 0 '*"slug":"title"*"type":"string"*' ''
for pair in year:integer ratio:number ok:boolean at:datetime note:text any:json body:portableText; do
	is "${pair%:*}_is_${pair#*:}" 0 "*\"slug\":\"${pair%:*}\",\"label\":*\"type\":\"${pair#*:}\"*" ''
done
on call content_get collection=things id=item-4 </dev/null
is an_item_reads_back 0 '*"slug":"item-4","status":"draft","data":{"title":"Item 4 ä","year":1904,"ratio":1,"ok":true,"at":"2026-01-02T03:04:04.000Z","note":"x\\ny","any":{"a":\[4\]},"body":\[{"_type":"block","style":"normal","children":\[{"_type":"span","text":"Text 4"}\]}\]}*' ''
on call content_list collection=things includeTotal=true limit=1 status=published </dev/null
is the_status_is_kept 0 '*"total":225*' ''

printf '{"slug":"nul","data":{"title":"a\\u0000b","year":1}}\n' >"$work/nul.jsonl"
on import jsonl "$work/nul.jsonl" --collection things </dev/null
is a_nul_character_is_refused_by_its_path 1 'created 0*failed 1' '*nul.jsonl:1: *data.title: *U+0000*'
printf '{"slug":"nul","data":{"year":123\0}}\n' >"$work/nul.jsonl"
on import jsonl "$work/nul.jsonl" --collection things </dev/null
is a_nul_byte_is_no_json 1 'created 0*failed 1' '*nul.jsonl:1: not JSON: *NUL byte*'

on import jsonl "$work/good.jsonl" --collection things --create-schema </dev/null
is a_second_run_changes_nothing 0 'created 0, updated 0, skipped 450, failed 0' ''
on import jsonl - --collection things --create-schema <"$work/good.jsonl"
is standard_input_is_a_file_too 0 'created 0, updated 0, skipped 450, failed 0' ''
printf '{"slug":"item-4","status":"published","data":{"title":"New"}}\n' >"$work/new.jsonl"
on import jsonl - --collection things --update <"$work/new.jsonl"
is an_update_is_for_what_is_there 0 'created 0, updated 1, skipped 0, failed 0' ''
on call content_get collection=things id=item-4 </dev/null
is an_update_keeps_other_fields 0 '*"status":"published","data":{"title":"New","year":1904*"version":2*' ''

{
	lines 452 | tail -n 2
	printf '\n   \nnot json\n[]\n{"slug":"a"}\n{"slug":"b","data":{"year":"late","nope":1}}\n'
	printf '{"slug":"c","data":{"title":"c"},"role":1}\n'
	printf '{"slug":"d","status":"scheduled","data":{}}\n'
	printf '{"data":{"title":"d","title":"e"}}\n'
	printf '{"slug":"e","data":{"title":"\377"}}\n'
	printf '{"slug":"last","data":{"title":"Last"}}'
} >"$work/bad.jsonl"
on import jsonl "$work/bad.jsonl" --collection things </dev/null
is bad_lines_are_counted_and_the_others_stored 1 'created 3, updated 0, skipped 0, failed 8' '*'
is what_is_no_json_is_named 1 '*' '*bad.jsonl:5: not JSON*'
is what_is_no_object_is_named 1 '*' '*bad.jsonl:6: not an object with "data"*bad.jsonl:7: not an object*'
is problems_of_values_are_named 1 '*' '*bad.jsonl:8: VALIDATION_ERROR: *data.year: *data.nope: *'
is unknown_members_are_named 1 '*' '*bad.jsonl:9: unknown member "role"*'
is schedules_are_refused 1 '*' '*bad.jsonl:10: VALIDATION_ERROR: status: *schedule the item*'
is twins_are_refused 1 '*' '*bad.jsonl:11: not JSON: *'
is what_is_not_utf8_is_refused 1 '*' '*bad.jsonl:12: not JSON: *'
on call content_get collection=things id=last </dev/null
is the_last_line_needs_no_end 0 '*"slug":"last"*' ''
on call content_list collection=things includeTotal=true limit=1 </dev/null
is nothing_else_was_stored 0 '*"total":453*' ''

: >"$work/empty.jsonl"
on import jsonl "$work/empty.jsonl" --collection things </dev/null
is an_empty_file_is_no_error 0 'created 0, updated 0, skipped 0, failed 0' ''
echo "1..$count"
