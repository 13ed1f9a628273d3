#!/bin/sh
# transfer.t - "stet export", "stet import site" and "stet schema" as built: which data is moved and which is not, that
# it is restored byte for byte, and that hostile files are refused. TAP.
work=$(mktemp -d "${TMPDIR:-/tmp}/stet-transfer-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
export STET_CHECK_REPLIES=1
# shellcheck source=t/cli/command.sh
. "${STET_SOURCE:-.}/t/cli/command.sh"

# Runs the command on a site; sets status, out and err.
on() {
	site=$work/$1
	shift
	program --data "$site" "$@" >"$work/out" 2>"$work/err" </dev/null
	status=$?
	out=$(cat "$work/out")
	# Log lines are not errors of the command.
	err=$(grep '^\(stet\|usage\): ' "$work/err")
}

# Reports a test: it passes if two directories are equal, byte for byte.
same() {
	out=$(diff -r "$work/$2" "$work/$3" 2>&1)
	status=$? err=''
	is "$1" 0 '' ''
}

# The site "a" gets data of every kind.
call() {
	on a call "$@"
	[ "$status" = 0 ] || echo "# $*: $err"
}
on a init
on a user add ann@example.org --name Ann --role admin
on a token add ann@example.org --name secret --scope admin
token=$out
call collection_create --input '{"slug":"posts","label":"Posts","supports":["drafts","revisions","scheduling"],
	"urlPattern":"/blog/{slug}","admin":{"revisionsKept":7}}'
for field in '"title","type":"string","required":true' '"n","type":"number","indexed":true' '"i","type":"integer"' \
	'"ok","type":"boolean"' '"day","type":"datetime"' '"body","type":"portableText"' '"any","type":"json"' \
	'"kind","type":"select","validation":{"options":["a","b"]}' \
	'"other","type":"reference","options":{"collection":"posts"}' \
	'"many","type":"reference","indexed":true,"options":{"collection":"posts","allowMultiple":true}'; do
	call field_create --input "{\"collection\":\"posts\",\"label\":\"L\",\"slug\":$field}"
done
call block_type_create --input '{"slug":"card","label":"Card","icon":"C","sortOrder":2,"fields":[
	{"slug":"head","label":"Headline","type":"string","required":true,"validation":{"maxLength":20}},
	{"slug":"also","label":"Also","type":"reference","options":{"collection":"posts"}}]}'
call collection_update --input '{"collection":"posts","titleField":"title","supports":["drafts","revisions","seo"]}'
call byline_create --input '{"slug":"eve","displayName":"Eve"}'
eve=$(echo "$out" | sed 's/.*"id":"\([^"]*\)".*/\1/')
call taxonomy_create_term --input '{"taxonomy":"category","slug":"news","label":"News"}'
call content_add --input '{"collection":"posts","slug":"one","status":"published","taxonomies":{"category":["news"]},"bylines":[{"bylineId":"'"$eve"'"}],
	"seo":{"title":"For engines","canonical":"https://example.org/one"},
	"data":{"title":"One","n":0.5,"i":7,"ok":true,"day":"2026-11-20","kind":"a","any":{"x":[1,null]},
	"body":[{"_type":"block","_key":"k","children":[{"_type":"span","_key":"s","text":"Hello"}]},
	{"_type":"card","_key":"c","head":"Hi","old":[1]}]}}'
id=$(echo "$out" | sed 's/.*"item":{"id":"\([^"]*\)".*/\1/')
call content_put --input "{\"collection\":\"posts\",\"id\":\"$id\",\"data\":{\"title\":\"A draft\"},\"bylines\":[],\"taxonomies\":{\"category\":[]}}"
call content_add --input "{\"collection\":\"posts\",\"slug\":\"zwei-äö\",\"data\":{\"title\":\"2\",\"other\":\"$id\",\"many\":[\"$id\"]}}"
call content_add --input '{"collection":"posts","slug":"gone","data":{"title":"3"}}'
call content_delete --input '{"collection":"posts","id":"gone"}'
call content_add --input '{"collection":"posts","slug":"went","status":"published","data":{"title":"4"}}'
call content_put --input '{"collection":"posts","id":"went","slug":"there","status":"published"}'
call note_create --input "{\"collection\":\"posts\",\"id\":\"$id\",\"body\":\"Among us\",\"field\":\"body\",\"block\":\"k\"}"
call review_ask --input "{\"collection\":\"posts\",\"id\":\"$id\",\"message\":\"Among us\"}"
call menu_create --input '{"name":"main","label":"Main"}'
call menu_item_create --input '{"name":"main","type":"custom","label":"Home","customUrl":"/"}'
call section_create --input '{"slug":"foot","title":"Foot","keywords":["x","y"],"content":[]}'
call widget_area_create --input '{"name":"side","label":"Side"}'
call widget_create --input '{"name":"side","type":"content","title":"W","content":[]}'
call settings_update --input '{"title":"My site"}'
call release_save --input '{"name":"Spring","add":[{"type":"item","collection":"posts","item":"one"},{"type":"settings","content":{"title":"In spring"}}]}'

on a export "$work/x"
is a_site_is_exported 0 '* files in *' ''
out=$(cd "$work/x" && find . -type f | sort | tr '\n' ' ')
is each_kind_has_its_files 0 "*blocks/card.json*content/posts/en/gone.json ./content/posts/en/one.json *menu-items/en/main.json\
*release-changes/Spring.json*releases/Spring.json*schema/posts.json*settings/title.json*terms/category/en/news.json*widgets/side.json*" ''
out=$(grep -rl -e "$token" -e ann@example.org "$work/x")
is no_secret_and_no_user_is_in_it 0 '' ''
out=$(cat "$work/x/item-notes/posts/$id.json" "$work/x/item-reviews/posts/$id.json")
is notes_and_reviews_are_in_it 0 '*Among us*Among us*' ''
out=$(cat "$work/x/redirects/posts.json")
is old_slugs_are_in_it 0 '*"slug": "went"*' ''
on a redirects --format netlify
is redirects_are_printed 0 '/blog/went /blog/there 301' ''
on a redirects --format nginx --collection posts
is redirects_of_nginx_are_printed 0 '"/blog/went" "/blog/there";' ''
on a redirects --format apache
is a_format_that_is_none_is_refused 2 '' 'usage: stet redirects*'
on a redirects --collection none
is redirects_of_no_collection_are_refused 1 '' '*none*'
on a export wxr "$work/x.xml"
is an_export_for_another_system_is_written 0 '*' ''
out=$(grep -c 'Among us' "$work/x.xml")
is it_has_no_notes 0 0 ''
on a export "$work/x2"
same the_same_site_gives_the_same_bytes x x2

# Three items exchange their slugs: the import sets each slug, in whatever order the items come.
on turned init
on turned import site "$work/x" --delete
ids=
for slug in one zwei-äö; do
	on turned call content_get --input "{\"collection\":\"posts\",\"id\":\"$slug\"}"
	ids="$ids $(echo "$out" | sed 's/.*"item":{"id":"\([^"]*\)".*/\1/')"
done
for pair in 1:t1 2:one 1:zwei-äö; do
	on turned call content_put --input "{\"collection\":\"posts\",\"id\":\"$(echo $ids | cut -d ' ' -f "${pair%%:*}")\",\"slug\":\"${pair#*:}\",\"status\":\"published\"}"
done
on turned call content_get --input '{"collection":"posts","id":"one"}'
is slugs_are_exchanged 0 '*"title":"2"*' ''
on turned import site "$work/x"
is rows_that_have_exchanged_their_slugs_are_written_back 0 '*content/posts *2 updated*' ''
on turned call content_get --input '{"collection":"posts","id":"one"}'
is each_has_its_own_again 0 '*"title":"A draft"*' ''

on b init
on b import site "$work/x" --dry-run
is what_would_happen_is_counted 0 '*content/posts *3 created, 0 updated*nothing was changed*' ''
on b call collection_list
on b call schema_list_collections
is a_dry_run_changes_nothing 0 '{"items":\[\]}' ''
on b import site "$work/x"
is a_site_is_imported 0 '*content/posts *3 created, 0 updated, 0 deleted*menu-items *1 created*' ''
on b export "$work/y"
same what_was_imported_is_exported_as_it_was x y
on b import site "$work/x" --delete
is a_second_import_finds_nothing_to_do 0 '*content/posts *0 created, 0 updated, 0 deleted, 3 as they were*' ''
on b call content_get "collection=posts" id=one
is ids_and_drafts_are_kept 0 "*\"id\":\"$id\"*\"title\":\"A draft\"*\"liveData\":{\"title\":\"One\"*" ''
is bylines_of_drafts_are_kept 0 "*\"title\":\"A draft\"*\"bylines\":\[\]*\"liveBylines\":\[*\"displayName\":\"Eve\"*" ''
on b call content_terms "collection=posts" id=one taxonomy=category
is terms_of_drafts_are_kept 0 '*"terms":\[\]*"liveTerms":\[*"slug":"news"*' ''
# Releases, by their commands; what was imported can be published and undone here.
cp -r "$work/b" "$work/rel"
on rel release list
is releases_are_moved_and_listed 0 '*open *2 *Spring*' ''
on rel release show Spring
is a_release_shows_what_it_would_do 0 '*"does":"update"*' ''
on rel release schedule Spring 2000-01-01
is a_release_is_not_scheduled_in_the_past 1 '' 'stet: *scheduledAt*'
cp -r "$work/x" "$work/rel-x"
grep -v '"action"' "$work/x/release-changes/Spring.json" >"$work/rel-x/release-changes/Spring.json"
on rel import site "$work/rel-x"
is a_change_of_an_item_without_an_action_is_refused 1 '' 'stet: *action*is required of an item*'
sed 's/"Spring"/"Summer"/' "$work/x/releases/Spring.json" >"$work/rel-x/releases/Spring.json"
cp "$work/x/release-changes/Spring.json" "$work/rel-x/release-changes/Spring.json"
on rel release schedule Spring 2099-01-01
on rel import site "$work/rel-x"
is a_scheduled_release_is_not_replaced 1 '' 'stet: *The release is scheduled here*'
on rel call release_unschedule id=Spring
on rel release publish Spring
is a_release_is_published_by_a_command 0 '*status *published*' ''
on rel call settings_get
is its_settings_are_set 0 '*"title":"In spring"*' ''
on rel release publish Spring
is a_release_is_published_once 1 '' 'stet: *published already*'
on rel import site "$work/x"
is a_published_release_is_not_replaced 1 '' 'stet: *The release is published here*'
on rel release undo Spring
is a_release_is_undone_by_a_command 0 '*status *open*' ''
on rel call content_put --input '{"collection":"posts","id":"one","data":{"title":"Later"}}'
on rel release publish Spring
is what_stands_against_a_release_is_named 1 '' 'stet: *It cannot be published: 1 problem, see details.problems*'
on rel release schedule Spring 2099-01-01
is a_release_with_a_conflict_is_not_scheduled 1 '' 'stet: *It cannot be scheduled*'
# The live values of an item with a draft keep the version number that readers have seen.
on live init
on live import site "$work/x"
on live call content_put --input "{\"collection\":\"posts\",\"id\":\"$id\",\"data\":{\"title\":\"Another\"}}"
on live export "$work/live-x"
out=$(grep -c '"liveVersion": *[0-9]' "$work/live-x/content/posts/en/one.json")
is what_is_live_beside_a_draft_keeps_its_version 0 1 ''
sed 's/"liveVersion": *[0-9]*/"liveVersion": 99/' "$work/live-x/content/posts/en/one.json" >"$work/one" &&
	mv "$work/one" "$work/live-x/content/posts/en/one.json"
on live import site "$work/live-x"
is a_live_version_is_below_the_newest 1 '' 'stet: *liveVersion*'
on b call term_get taxonomy=category termSlug=news
is counts_are_made_anew 0 '*"count":1*' ''
on b call content_list --input "{\"collection\":\"posts\",\"fieldFilters\":{\"many\":{\"has\":\"$id\"}}}"
is indexes_of_many_values_are_filled 0 "*\"many\":\[\"$id\"\]*" ''
on b call term_tree taxonomy=category locale=en search=new
is terms_are_found_by_their_labels 0 '*"slug":"news"*' ''
on b call section_list search=x
is what_is_derived_is_made_anew 0 '*"slug":"foot"*' ''
on b verify
is what_was_imported_is_sound 0 '*database *ok*audit *ok*' ''

# Numbers are exported in the usual notation and do not change; a column cannot store -0.
number=0
on num init
on num call collection_create --input '{"slug":"posts","label":"Posts","labelSingular":"Post"}'
on num call field_create --input '{"collection":"posts","label":"N","slug":"n","type":"number"}'
on num call field_create --input '{"collection":"posts","label":"A","slug":"any","type":"json"}'
for value in 0.1 1e300 -0.0 5e-324 3.0 0.30000000000000004; do
	number=$((number + 1))
	on num call content_add --input "{\"collection\":\"posts\",\"slug\":\"n$number\",\"data\":{\"n\":$value,\"any\":[$value]}}"
done
on num export "$work/nx"
out=$(cat "$work/nx"/content/posts/en/n?.json | tr -d ' \n' | grep -o '"data":{[^}]*}' | tr '\n' ' ')
is numbers_are_as_short_as_can_be 0 '"data":{"n":0.1,"any":\[0.1\]} "data":{"n":1e+300,"any":\[1e+300\]} "data":{"n":0.0,"any":\[-0.0\]} "data":{"n":4.94065645841247e-324,"any":\[4.94065645841247e-324\]} "data":{"n":3.0,"any":\[3.0\]} "data":{"n":0.30000000000000004,"any":\[0.30000000000000004\]}*' ''
on num2 init
on num2 import site "$work/nx"
on num2 export "$work/ny"
same and_come_back_as_they_were nx ny

# If only terms are moved, the changes feed reports both items: the one that loses the term and the one that gets it.
on told init
on told import site "$work/x"
on told call content_put --input '{"collection":"posts","id":"zwei-äö","taxonomies":{"category":["news"]}}'
on told export "$work/both"
on told call changes
since=$(echo "$out" | sed 's/.*"cursor":"\([^"]*\)".*/\1/')
on told import site "$work/x" --delete
on told call changes --input "{\"since\":\"$since\",\"term\":\"category:news\",\"collection\":\"posts\"}"
is a_term_that_an_import_takes_is_told 0 '*"change":"update"*"slug":"zwei-äö"*' ''
on told call changes
since=$(echo "$out" | sed 's/.*"cursor":"\([^"]*\)".*/\1/')
on told import site "$work/both"
on told call changes --input "{\"since\":\"$since\",\"term\":\"category:news\",\"collection\":\"posts\"}"
is so_is_one_that_it_gives 0 '*"change":"update"*"slug":"zwei-äö"*' ''

# A change is made on one stage and moved to the other.
sed 's/"Hello"/"Good day"/' "$work/x/content/posts/en/one.json" >"$work/one" && mv "$work/one" "$work/x/content/posts/en/one.json"
sed 's/"News"/"Reports"/' "$work/x/terms/category/en/news.json" >"$work/one" && mv "$work/one" "$work/x/terms/category/en/news.json"
rm "$work/x/content/posts/en/gone.json"
rm -r "$work/x/widgets" "$work/x/menu-items"
on b import site "$work/x"
is what_no_file_has_stays 0 '*content/posts *0 created, 1 updated, 0 deleted, 2 as*widgets *0 deleted*' ''
on b call term_tree taxonomy=category locale=en search=rep
is a_term_is_found_by_its_new_label 0 '*"slug":"news"*' ''
# Live values that never had a revision are replaced by files of another stage: the history keeps them.
on b call content_add --input '{"collection":"posts","slug":"kept","status":"published","data":{"title":"As it was"}}'
kept=$(echo "$out" | sed 's/.*"item":{"id":"\([^"]*\)".*/\1/')
on b export "$work/k"
sed 's/"As it was"/"Another"/' "$work/k/content/posts/en/kept.json" >"$work/one" && mv "$work/one" "$work/k/content/posts/en/kept.json"
on b import site "$work/k"
on b call revisions --input "{\"collection\":\"posts\",\"id\":\"$kept\"}"
is what_an_import_replaces_stays_in_the_history 0 '*"title":"As it was"*"total":1*' ''
on b import site "$work/x" --delete
is unless_it_is_a_mirror 0 '*content/posts *0 updated, 2 deleted*menu-items *1 deleted*widgets *1 deleted*' ''
on b export "$work/y"
same a_mirror_is_what_the_files_say x y

# Random sites with values of all kinds are exported and imported.
for seed in 1 2 3; do
	awk -v seed=$seed 'BEGIN {
		srand(seed)
		for (i = 0; i < 60; i++) {
			printf "{\"slug\":\"s%d-%d\",\"status\":\"%s\",\"data\":{\"title\":\"T \\u00e9 %c\\\"\\\\ %d\"", seed, i,
			    rand() < 0.5 ? "draft" : "published", 33 + int(rand() * 1) , int(rand() * 1e6)
			if (rand() < 0.7) printf ",\"n\":%.*g", 1 + int(rand() * 17), (rand() - 0.5) * 10 ^ int(rand() * 20)
			if (rand() < 0.5) printf ",\"i\":%d", int(rand() * 2e9) - 1e9
			if (rand() < 0.5) printf ",\"ok\":%s", rand() < 0.5 ? "true" : "false"
			if (rand() < 0.5) printf ",\"any\":[%.*g,\"\\u0001\",{\"a\":{\"b\":[]}}]", 3, rand()
			if (rand() < 0.3) printf ",\"kind\":\"%s\"", rand() < 0.5 ? "a" : "b"
			print "}}"
		}
	}' >"$work/lines"
	on a import jsonl "$work/lines" --collection posts
	on a export "$work/r$seed"
	on "fresh$seed" init
	on "fresh$seed" import site "$work/r$seed"
	is "a_random_site_is_imported_$seed" 0 '*content/posts *created*' ''
	on "fresh$seed" export "$work/s$seed"
	same "and_comes_back_as_it_was_$seed" "r$seed" "s$seed"
done

# Files from other sources. Each error names the file, and nothing is changed.
hostile() {
	rm -rf "$work/h"
	cp -r "$work/x2" "$work/h"
	file=$work/h/$2
	mkdir -p "${file%/*}"
	rm -f "$file"
	eval "$3"
	on b import site "$work/h"
	is "$1" 1 '' "stet: *$4*"
}
one=content/posts/en/one.json
hostile a_link_is_refused $one 'ln -s /etc/passwd "$file"' "$one*neither a file"
hostile a_linked_directory_is_refused menus2 'ln -s / "$file"' 'menus2*neither a file'
hostile a_pipe_is_refused $one 'mkfifo "$file"' "$one*neither a file"
hostile what_is_no_json_is_refused $one 'echo "{" >"$file"' "$one:*"
hostile a_nul_character_is_refused $one 'sed "s/\"A draft\"/\"a\\\\u0000\"/;s/\"One\"/\"a\\\\u0000b\"/" "$work/x2/$one" >"$file"' "$one*data.title*U+0000*"
hostile a_nul_byte_is_refused $one 'printf "{\"n\":123\\0}" >"$file"' "$one*NUL byte*"
hostile a_name_twice_is_refused $one 'echo "{\"id\":1,\"id\":2}" >"$file"' "$one*duplicate*"
hostile a_huge_file_is_refused $one 'truncate -s 257M "$file"' "$one*larger than 256 MiB*"
hostile deep_json_is_refused $one 'awk "BEGIN { for (i = 0; i < 100000; i++) printf \"[\" }" >"$file"' "$one:*"
hostile another_type_is_refused $one 'echo "[]" >"$file"' "$one*must be an object*"
hostile a_missing_member_is_named $one 'echo "{\"id\":\"x\"}" >"$file"' "$one*id: must match*"
hostile an_unknown_member_is_named $one 'sed "s/\"status\"/\"stat\"/" "$work/x2/$one" >"$file"' "$one*stat: unknown member*"
hostile a_value_of_another_type_is_named $one 'sed "s/\"n\": 0.5/\"n\": \"x\"/" "$work/x2/$one" >"$file"' "$one*data.n*"
hostile an_id_that_is_none_is_refused $one 'sed "s/\"id\": \".*\"/\"id\": \"..\/..\/x\"/" "$work/x2/$one" >"$file"' "$one*id: *"
hostile a_locale_of_another_site_is_refused $one 'sed "s/\"en\"/\"fr\"/" "$work/x2/$one" >"$file"' "$one*locale*"
hostile the_same_row_twice_is_refused content/posts/en/two.json 'cp "$work/x2/$one" "$file"' "*has a row of the same key*"
hostile terms_of_a_collection_that_cannot_be_are_refused assigned-terms/posts/01KKXGBZM0EAKY9XWDKFFWWTST.json \
	'echo "[{\"collection\":\"No \\\"x\",\"entryGroup\":\"01KKXGBZM0EAKY9XWDKFFWWTST\",\"taxonomy\":\"category\",\"termGroup\":\"01KJPRZB009N2SVXAQC01T8KRF\"}]" >"$file"' \
	'assigned-terms/posts/01KKXGBZM0EAKY9XWDKFFWWTST.json*There is no collection*'
hostile an_unknown_kind_is_refused nonsense/x.json 'echo "{}" >"$file"' 'nonsense/x.json: no module*'
hostile a_strange_file_is_refused notes.txt 'echo >"$file"' 'notes.txt*does not end in .json*'
hostile a_note_about_no_item_is_refused "item-notes/posts/$id.json" \
	'sed "s|$id|01KKXGBZM0EAKY9XWDKFFWWTST|" "$work/x2/item-notes/posts/$id.json" >"$file"' '*has no item*'
hostile a_request_about_no_collection_is_refused "item-reviews/posts/$id.json" \
	'sed "s|\"posts\"|\"nothing\"|" "$work/x2/item-reviews/posts/$id.json" >"$file"' '*There is no collection*'
hostile reviewers_of_another_form_are_refused "item-reviews/posts/$id.json" \
	'sed "s|\"reviewers\": .*|\"reviewers\": [1],|" "$work/x2/item-reviews/posts/$id.json" >"$file"' '*array of objects*'
hostile a_script_as_link_is_refused menu-items/en/main.json \
	'sed "s|\"customUrl\": \"/\"|\"customUrl\": \"javascript:x\"|" "$work/x2/menu-items/en/main.json" >"$file"' \
	'menu-items/en/main.json*customUrl*'
hostile a_bad_definition_is_refused schema/posts.json \
	'sed "s/\"number\"/\"nonsense\"/" "$work/x2/schema/posts.json" >"$file"' 'schema*posts*type*'
hostile another_format_is_refused stet.json 'echo "{\"format\": 99}" >"$file"' '*format 1*'
hostile a_directory_that_is_no_export_is_refused stet.json ':' '*is no export*'
on b export "$work/z"
same nothing_of_all_that_was_written y z

# Values are restored even if their targets or the rules of fields have changed since.
on d init
on d call collection_create --input '{"slug":"c","label":"C","supports":["drafts","revisions"]}'
for field in '"rel","type":"reference","options":{"collection":"c"}' '"link","type":"url"' '"pic","type":"image"' \
	'"many","type":"reference","options":{"collection":"c","allowMultiple":true}' \
	'"kind","type":"select","validation":{"options":["a","b"]}'; do
	on d call field_create --input "{\"collection\":\"c\",\"label\":\"L\",\"slug\":$field}"
done
on d call content_add --input '{"collection":"c","slug":"a","data":{}}'
target=$(echo "$out" | sed 's/.*"item":{"id":"\([^"]*\)".*/\1/')
on d call content_add --input "{\"collection\":\"c\",\"slug\":\"b\",\"status\":\"published\",\"data\":{\"rel\":\"$target\",\"many\":[\"$target\"],
	\"kind\":\"a\",\"link\":\"/x\",\"pic\":{\"id\":\"01MMMMMMMMMMMMMMMMMMMMMMM1\"}}}"
on d call content_put --input '{"collection":"c","id":"b","data":{"kind":"b"}}'
on d call field_update --input "{\"collection\":\"c\",\"fieldSlug\":\"rel\",\"defaultValue\":\"$target\"}"
on d call content_delete --input '{"collection":"c","id":"a"}'
on d call field_update --input '{"collection":"c","fieldSlug":"kind","validation":{"options":["c"]}}'
on d export "$work/d1"
is an_export_tells_what_leads_nowhere 0 "*a save would refuse 5 of the values*content/c/en/b.json: data.rel: target '$target' not found*data.pic: there is no media item*draft.kind: must be one of*" ''
on e2 init
on e2 import site "$work/d1" --dry-run
is a_dry_run_tells_it_too 0 "*data.rel: target '$target' not found*nothing was changed*" ''
on e2 import site "$work/d1" --strict
is a_strict_import_refuses_it 1 "*data.many\[0\]: target '$target' not found*" 'stet: INVALID_INPUT: --strict: a save would refuse 5 of the values*'
on e2 call schema_list_collections
is and_changes_nothing 0 '{"items":\[\]}' ''
on e2 import site "$work/d1"
is dangling_references_are_kept_and_told 0 "*content/c *2 created*data.rel: target '$target' not found*" ''
on e2 export "$work/d2"
same an_export_with_dangling_references_comes_back_as_it_was d1 d2
on d call content_permanent_delete --input '{"collection":"c","id":"a"}'
on d export "$work/d1"
on e3 init
on e3 import site "$work/d1" --delete
is so_does_one_whose_target_is_gone_for_good 0 "*data.rel: target '$target' not found*" ''
on e3 export "$work/d3"
same and_that_comes_back_as_it_was d1 d3
sed -i 's|"/x"|"javascript:x"|' "$work/d1/content/c/en/b.json"
on e3 import site "$work/d1"
is a_script_as_link_of_an_item_is_refused 1 '' 'stet: *content/c/en/b.json*data.link*'

# Media items that do not exist any more, in tables other than those of items and in texts.
gone='01MMMMMMMMMMMMMMMMMMMMMMM1'
block="[{\"_type\":\"image\",\"_key\":\"k\",\"asset\":{\"_ref\":\"$gone\"}}]"
on g init
on g call collection_create --input '{"slug":"c","label":"C"}'
on g call field_create --input '{"collection":"c","label":"L","slug":"text","type":"portableText"}'
on g call content_add --input "{\"collection\":\"c\",\"slug\":\"a\",\"data\":{\"text\":$block}}"
on g call section_create --input "{\"slug\":\"s\",\"title\":\"S\",\"content\":$block}"
on g call widget_area_create --input '{"name":"side","label":"S"}'
on g call widget_create --input "{\"name\":\"side\",\"type\":\"content\",\"content\":$block}"
png='iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
on g call media_upload --input "{\"filename\":\"a.png\",\"contentType\":\"image/png\",\"base64\":\"$png\"}"
picture=$(echo "$out" | sed 's/.*"id":"\([^"]*\)".*/\1/')
on g call byline_create --input "{\"displayName\":\"Ann\",\"slug\":\"ann\",\"avatarMediaId\":\"$picture\"}"
on g call settings_update --input "{\"logo\":{\"mediaId\":\"$picture\"}}"
on g call media_delete --input "{\"id\":\"$picture\"}"
on g export "$work/gone1"
is what_names_a_file_that_is_gone_is_told 0 "*a save would refuse 5 of the values*" ''
for line in "content/c/en/a.json: data.text: there is no media item '$gone'" "sections/s.json: content: there is no media item '$gone'" \
	"widgets/side.json: content: there is no media item '$gone'" "settings/logo.json: value: there is no media item '$picture'" \
	"bylines/en/ann.json: avatar_media_id: there is no media item '$picture'"; do
	is "$(echo "$line" | sed 's|[./].*||')_say_so" 0 "*  $line*" ''
done
on g2 init
on g2 import site "$work/gone1"
is an_import_tells_it_too 0 "*save would refuse 5 of the values*widgets/side.json: content: there*" ''
on g2 export "$work/gone2"
same and_it_comes_back_as_it_was gone1 gone2

mkdir "$work/full" && echo '{}' >"$work/full/mine.json"
on a export "$work/full"
is an_export_does_not_sweep_what_is_not_its_own 1 '' 'stet: *no earlier export*'
on a export "$work/x/nothing.json/x"
on a export
is export_says_how_it_is_used 2 '' 'usage: stet export DIR'
on a import site
is import_says_how_it_is_used 2 '' 'usage: stet import site DIR*'

# A draft has values of the fields that are older than itself, also in the new site: a value that it cleared stays
# cleared, and a field that was added after it has the live value.
on age init
on age call collection_create --input '{"slug":"posts","label":"Posts","supports":["drafts","revisions"]}'
for field in title sub; do
	on age call field_create collection=posts label=L type=string slug=$field
done
on age call content_add --input '{"collection":"posts","slug":"p","status":"published","data":{"title":"T","sub":"LIVE SUB"}}'
on age call content_put --input '{"collection":"posts","id":"p","data":{"title":"DRAFT","sub":null}}'
on age call field_create --input '{"collection":"posts","label":"L","type":"string","slug":"later","required":true,"defaultValue":"new"}'
on age export "$work/age1"
on age2 init
on age2 import site "$work/age1"
on age2 call content_get collection=posts id=p
is a_cleared_value_stays_cleared_in_another_site 0 '*"data":{"title":"DRAFT","later":"new"}*"liveData":{*"LIVE SUB"*' ''
on age2 export "$work/age2x"
same fields_keep_their_age age1 age2x
# Exports of older versions do not contain the age of fields.
cp -r "$work/age1" "$work/age3"
grep -v '"createdAt"' "$work/age1/schema/posts.json" >"$work/age3/schema/posts.json"
on elder init
on elder import site "$work/age3"
on elder call content_get collection=posts id=p
is drafts_of_an_older_export_know_all_fields 0 '*"data":{"title":"DRAFT"},*"liveData":{*"LIVE SUB"*' ''
on elder export "$work/age4"
same and_they_still_do_when_they_move_on age3 age4
# Drafts also keep their values if the site has these fields already, and the fields are newer.
on younger init
on younger call collection_create --input '{"slug":"posts","label":"Posts","supports":["drafts","revisions"]}'
for field in title sub; do
	on younger call field_create --input "{\"collection\":\"posts\",\"label\":\"L\",\"type\":\"string\",\"slug\":\"$field\"}"
done
on younger import site "$work/age1"
on younger call content_get collection=posts id=p
is drafts_know_fields_that_were_there_before_the_import 0 '*"data":{"title":"DRAFT","later":"new"}*' ''
# A value of a deleted field is not exported, and such an export can be imported.
on age call schema_delete_field collection=posts fieldSlug=title
on age call field_create --input '{"collection":"posts","label":"L","type":"portableText","slug":"title"}'
on age call content_publish collection=posts id=p
on age export "$work/age5x"
on age5 init
on age5 import site "$work/age5x"
on age5 call content_get collection=posts id=p
is a_value_of_a_deleted_field_is_not_moved 0 '*"data":{"later":"new"}*' ''
sed 's/"createdAt": "[^"]*"/"createdAt": "soon"/' "$work/age1/schema/posts.json" >"$work/age3/schema/posts.json"
on elder import site "$work/age3"
is an_age_that_is_no_time_is_refused 1 '' 'stet: *posts.title: createdAt is no time*'

# A plugin's tables are moved in the same way.
STET_PLUGIN_PATH=$build/t/plugins/good/.libs
on p init
on p module enable notes
on p call notes__add text=mine
on p export "$work/notes"
on q init
on q import site "$work/notes"
is who_lacks_the_plugin_is_told 1 '' 'stet: *notes/all.json: no module that is enabled here takes it*'
on q module enable notes
on q import site "$work/notes"
is rows_of_plugins_are_moved_too 0 '*notes *1 created, 0 updated, 0 deleted, 1 as they were*' ''
on q export "$work/notes2"
same and_come_back_as_they_were notes notes2
STET_PLUGIN_PATH=

# Only definitions are moved.
on c init
on c call collection_create slug=posts label=Articles
on c call field_create --input '{"collection":"posts","slug":"title","label":"T","type":"string"}'
on c call field_create --input '{"collection":"posts","slug":"old","label":"Old","type":"string"}'
on c call content_add --input '{"collection":"posts","data":{"title":"x","old":"y"}}'
on c schema diff "$work/x2"
is differences_are_told_by_status 1 '*change collection posts*create field posts.n*delete field posts.old*' ''
on c schema plan "$work/x2"
is a_plan_says_what_is_lost 0 '*delete field posts.old: LOSES what 1 rows have*steps, plan ????????????????' ''
plan=${out##* }
on c schema apply "$work/x2"
is without_a_word_nothing_is_applied 1 '*nothing was changed' ''
on c call content_add --input '{"collection":"posts","data":{"title":"z","old":"y"}}'
on c schema apply "$work/x2" --plan "$plan"
is a_plan_of_another_state_is_refused 1 '*' 'stet: CONFLICT: *has changed*'
on c call content_add --input '{"collection":"posts","slug":"untitled","data":{"old":"y"}}'
on c export "$work/c1"
on c schema plan "$work/x2"
is a_plan_names_the_step_that_cannot_be_taken 1 \
	'*change field posts.title: CANNOT BE TAKEN, 1 rows are in the way: FIELD_UPDATE_REQUIRES_MIGRATION: *1 items have no value*' \
	'stet: INVALID_INPUT: 1 of * steps cannot be taken: nothing was changed'
on c schema apply "$work/x2" --yes
is an_application_refuses_the_same_step 1 '*change field posts.title: CANNOT BE TAKEN, 1 rows*' \
	'stet: INVALID_INPUT: 1 of * steps cannot be taken: nothing was changed'
on c export "$work/c2"
same and_neither_changes_anything c1 c2
on c call content_put --input '{"collection":"posts","id":"untitled","data":{"title":"x"}}'
on c schema plan "$work/x2"
plan=${out##* }
on c schema apply "$work/x2" --plan "$plan"
is a_plan_is_applied 0 '*steps done' ''
on c schema diff "$work/x2"
is and_nothing_differs_any_more 0 '' ''
sed '/"title"/,/}/s/"required": true/"required": false/' "$work/x2/schema/posts.json" >"$work/edited" &&
	mv "$work/edited" "$work/x2/schema/posts.json"
on c schema apply "$work/x2" --yes
is what_no_item_can_violate_is_loosened 0 '*change field posts.title: *1 steps done' ''
sed '/"title"/,/}/s/"type": "string"/"type": "integer"/' "$work/x2/schema/posts.json" >"$work/edited" &&
	mv "$work/edited" "$work/x2/schema/posts.json"
on c schema plan "$work/x2"
is another_storage_counts_what_it_would_lose 1 '*posts.title: CANNOT BE TAKEN, 3 rows*FIELD_TYPE_COLUMN_CHANGE*' \
	'stet: INVALID_INPUT: 1 of 1 steps cannot be taken: nothing was changed'
on c call content_list collection=posts
is items_are_still_there 0 '*"title":"z"*"title":"x"*' ''
on c schema plan
is schema_says_how_it_is_used 2 '' 'usage: stet schema plan DIR'

echo "1..$count"
