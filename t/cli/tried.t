#!/bin/sh
# tried.t - a dry run of an import into an empty site reports what the import then reports, for each kind of source, and
# leaves nothing behind. TAP.
work=$(mktemp -d "${TMPDIR:-/tmp}/stet-tried-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
# shellcheck source=t/cli/command.sh
. "${STET_SOURCE:-.}/t/cli/command.sh"

# Sets `said` to the output and the report of an import, without ids of this site.
say() {
	run --data "$work/site" import "$@" --report "$work/report.jsonl" </dev/null
	said=$(
		echo "status $status"
		echo "$out" | sed 's/ would be / /'
		echo "$err"
		sed 's/"id":"[0-9A-Z]\{26\}"/"id":null/g' "$work/report.jsonl"
	)
}

# Prints the records of the site that an import makes.
left() {
	for op in schema_list_collections taxonomy_list menu_list byline_list section_list; do
		run --data "$work/site" call $op
		echo "$out$err"
	done
}

# Tests a source: NAME, the arguments of the import.
same() {
	name=$1
	shift
	rm -rf "$work/site"
	run --data "$work/site" init
	before=$(left)
	say "$@" --dry-run --no-media
	first=$said
	after=$(left)
	[ "$before" = "$after" ] || first="$after"
	say "$@" --no-media
	echo "$first" >"$work/first"
	echo "$said" >"$work/said"
	err='' status=0
	out=$(diff "$work/first" "$work/said" | head -20)
	is "$name" 0 '' ''
}

item() {
	printf '<item><title>%s</title><dc:creator>ann</dc:creator><wp:post_id>%s</wp:post_id><wp:post_type>%s</wp:post_type>' "$4" "$1" "$2"
	printf '<wp:post_name>%s</wp:post_name><wp:status>publish</wp:status>%s</item>\n' "$3" "$5"
}
meta() {
	printf '<wp:postmeta><wp:meta_key>%s</wp:meta_key><wp:meta_value>%s</wp:meta_value></wp:postmeta>' "$1" "$2"
}
term() {
	printf '<category domain="%s" nicename="%s">%s</category>' "$1" "$2" "$2"
}
text() {
	printf '<content:encoded><![CDATA[%s]]></content:encoded>' "$1"
}
link() {
	item "$1" nav_menu_item "$1" "$4" "<wp:menu_order>$1</wp:menu_order>$(term nav_menu main)$(meta _menu_item_type "$2")$(meta _menu_item_object_id "$3")$(meta _menu_item_url "$5")"
}
{
	echo '<?xml version="1.0" encoding="UTF-8"?><rss xmlns:wp="http://wordpress.org/export/1.2/"'
	echo ' xmlns:content="http://purl.org/rss/1.0/modules/content/"'
	echo ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"><channel>'
	echo '<title>Old</title><link>https://192.0.2.1</link><wp:wxr_version>1.2</wp:wxr_version>'
	echo '<wp:category><wp:category_nicename>news</wp:category_nicename><wp:cat_name>News</wp:cat_name></wp:category>'
	echo '<wp:category><wp:category_nicename>city</wp:category_nicename><wp:category_parent>news</wp:category_parent><wp:cat_name>City</wp:cat_name></wp:category>'
	echo '<wp:term><wp:term_id>9</wp:term_id><wp:term_taxonomy>genre</wp:term_taxonomy><wp:term_slug>dub</wp:term_slug><wp:term_name>Dub</wp:term_name></wp:term>'
	item 1 attachment a 'A' '<wp:attachment_url>https://192.0.2.1/a.png</wp:attachment_url>'
	item 2 post first 'First' "$(text '<p>Ab <a href="/x">cd</a></p><img src="file:///c.png">')$(term category city)$(term genre dub)$(meta _thumbnail_id 1)$(meta price 5)$(meta parts 3)"
	item 3 post first 'Twice' "$(meta price dear)"
	item 4 page child 'Child' '<wp:post_parent>5</wp:post_parent>'
	item 5 page parent '' "$(term genre dub)$(term genre rock)"
	item 6 thing untitled '' "$(meta weight 7)"
	item 7 wp_block block 'Block' "$(text '<p>x</p>')"
	item 8 wp_block block 'Block again' "$(text '<p>y</p>')"
	item 9 post locale 'Elsewhere' "$(meta _icl_lang_code xx)"
	link 20 post_type 5 '' ''
	link 21 taxonomy 9 '' ''
	link 22 post_type 99 'Lost' ''
	link 23 custom '' 'Odd' 'javascript:x()'
	i=100
	while [ $i -lt 520 ]; do
		item $i post "first" "Number $i" "$(meta price $i)<wp:post_parent>2</wp:post_parent>"
		i=$((i + 1))
	done
	echo '</channel></rss>'
} >"$work/export.xml"
same 'an export of WordPress' wxr "$work/export.xml"
same 'with fields for its values' wxr "$work/export.xml" --fields
printf 'id,title,price,day,ok\n1,One,5,2020-01-02,true\n2,Two,x,,no\n1,Again,7,2020-01-03,\n3,,,,\n' >"$work/rows.csv"
same 'rows' from csv "$work/rows.csv" --set type=things
{
	echo '{"id":"a","type":"thing","title":"One","n":5,"list":[1],"markdown":"# H\n\n[t](javascript:x)","author":"Ann","tags":["x","y"]}'
	echo 'no json'
	echo '{"id":"b","type":"thing","title":"Two","n":"many","parent":"a","html":"<p>x</p><img src=\"file:///c.png\">"}'
} >"$work/lines.jsonl"
same 'lines of JSON' from jsonl "$work/lines.jsonl"
mkdir -p "$work/source/content/posts/trip" "$work/source/content/docs"
printf -- '---\ntitle: Trip\ndate: 2024-05-06\ntags: [sea, 2024]\nauthor: Ann Bee\nrating: 5\nimage: img/none.gif\n---\n\nText ![A](img/none.gif)\n' >"$work/source/content/posts/trip/index.md"
printf -- '---\na: [1\n---\nhi\n' >"$work/source/content/docs/wrong.md"
printf -- '---\ntitle: Right\nweight: 3\n---\n# hi\n' >"$work/source/content/docs/right.md"
same 'a directory of Markdown' from markdown "$work/source"
printf '%s' '{"db":[{"meta":{"version":"5.0"},"data":{"posts":[{"id":"p1","title":"R&D","slug":"r-d","type":"post","status":"published","html":"<p>One</p><img src=\"file:///x.png\">","created_at":"2020-01-01T00:00:00.000Z","custom_excerpt":"Short"},{"id":"p2","title":"About","slug":"about","type":"page","status":"draft","html":"<p>x</p>"}],"tags":[{"id":"t1","name":"News","slug":"news","visibility":"public"}],"posts_tags":[{"post_id":"p1","tag_id":"t1"}],"users":[{"id":"u1","name":"Ann","slug":"ann"}],"posts_authors":[{"post_id":"p1","author_id":"u1"}],"posts_meta":[]}}]}' >"$work/ghost.json"
same 'an export of Ghost' from ghost "$work/ghost.json"
theirs=${STET_SHARED_DATA:-${STET_SOURCE:-.}/../shared/data}/theme-unit-test.wxr.xml
if [ -r "$theirs" ]; then
	same 'the export by which themes are tested' wxr "$theirs"
else
	skip 'the export by which themes are tested' "$theirs"
fi

echo "1..$count"
