#!/bin/sh
# names.t - the names that "stet import" makes of those of a source: readable ones in every script, of which none takes
# the place of another. TAP.
work=$(mktemp -d "${TMPDIR:-/tmp}/stet-names-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
# shellcheck source=t/cli/command.sh
. "${STET_SOURCE:-.}/t/cli/command.sh"

on() {
	run --data "$work/site" "$@" </dev/null
}

# Prints a collection's items.
read_all() {
	on call content_list "collection=$1"
}

# A case of the shared data (STET_SHARED), which is not on every machine: NAME, FORMAT, FILE, COLLECTION and a pattern of its items.
case_of() {
	file=${STET_SHARED:-${STET_SOURCE:-.}/../shared}/data/cases/files/$3
	if [ -f "$file" ]; then
		on import from "$2" "$file" --map "row=$4"
		is "$1" 0 '*items*0 failed*' '*'
		read_all "$4"
		is "$1: items" 0 "$5" ''
	else
		skip "$1" 'the shared data'
	fi
}

on init
printf 'title,名前,First name,first-name,version,Notes\nOne,a,b,c,d,e\n' >"$work/rows.csv"
on import from csv "$work/rows.csv" --field 'first-name=Given Name'
is 'a chosen field is a name' 2 '' '*--field first-name=Given Name: a field is named by*'
on import from csv "$work/rows.csv" --field =x
is 'a chosen field is for a name' 2 '' '*must be NAME=FIELD*'
on import from csv "$work/rows.csv" --dry-run
is 'a dry run tells names that fall together' 0 '*' '*"first-name" becomes the field "first_name_2", since "First name" is "first_name" here*'
on import from csv "$work/rows.csv"
is 'an import tells them, and reserved ones' 0 '*' '*first_name_2*"version" becomes the field "field_version"*'
read_all row
is 'each name has its field' 0 '*"ming_qian":"a"*' ''
is 'each name has its field, with a number' 0 '*"first_name":"b"*"first_name_2":"c"*' ''
on call schema_get_collection slug=row
is 'the label of a field is the name' 0 '*"slug":"ming_qian","label":"名前"*' ''
on import from csv "$work/rows.csv" --map row=chosen --field 'first-name=given' --field Notes=
is 'a choice decides' 0 '*' '*'
read_all chosen
is 'a choice decides: items' 0 '*"given":"c"*' ''
case $out in *notes*) status=1 ;; esac
is 'a name may be left out' 0 '*' ''

{
	printf '<?xml version="1.0" encoding="UTF-8"?><rss xmlns:wp="http://wordpress.org/export/1.2/"><channel>'
	printf '<title>Old</title><link>https://192.0.2.1</link><wp:wxr_version>1.2</wp:wxr_version><item><title>C#</title>'
	printf '<wp:post_id>1</wp:post_id><wp:post_type>post</wp:post_type><wp:status>publish</wp:status>'
	printf '<category domain="post_tag" nicename="">C++</category><category domain="post_tag" nicename="">C</category>'
	for pair in 'Unit price=1' 'unit-price=2' '_stock=3'; do
		printf '<wp:postmeta><wp:meta_key>%s</wp:meta_key><wp:meta_value>%s</wp:meta_value></wp:postmeta>' \
			"${pair%=*}" "${pair#*=}"
	done
	printf '</item></channel></rss>\n'
} >"$work/export.xml"
on import wxr "$work/export.xml" --fields --field _stock=stock
is 'an export of WordPress keeps custom fields apart' 0 '*' '*"unit-price" becomes the field "unit_price_2"*'
read_all posts
is 'an export of WordPress keeps custom fields apart: items' 0 '*"slug":"c-sharp"*"stock":3*' ''
is 'its names have numbers' 0 '*"unit_price":*"unit_price_2":*' ''

{
	printf 'title,'
	# Each character transliterates to some thirty letters.
	for _ in 1 2 3 4 5 6 7 8 9 10; do printf 'ﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺ'; done
	printf ',ﷺﷺ,\360\237\217\275\nOne,a,b,c\n'
} >"$work/long.csv"
on import from csv "$work/long.csv" --map row=long
is 'names that transliterate to long texts are cut' 0 '*values*3 read*3 stored*' '*'

mkdir -p "$work/site-of/posts"
printf -- '---\ntitle: A\ntags: [C#, .NET]\nНазвание: x\n---\nText\n' >"$work/site-of/posts/a.md"
printf -- '---\ntitle: B\ntags: [C++, NET]\nНазвание: y\n---\nText\n' >"$work/site-of/posts/b.md"
on import from markdown "$work/site-of" --map post=texts
is 'front matter has names by the same rules' 0 '*' '*'
read_all texts
is 'front matter has names by the same rules: items' 0 '*"nazvanie":"*' ''
on call taxonomy_list_terms taxonomy=tag
for pair in c:C c-sharp:C# c-plus-plus:C++ dot-net:.NET net:NET; do
	is "${pair#*:} is a term" 0 "*\"slug\":\"${pair%%:*}\"*\"label\":\"${pair#*:}\"*" ''
done

# A slug that the site has already stays, even if an import would make another one from the label.
printf '{"title":"One","status":"published","type":"post","terms":{"tag":[{"slug":"c","name":"C++"}]}}\n' >"$work/c.jsonl"
run --data "$work/old" init </dev/null
run --data "$work/old" import from jsonl "$work/c.jsonl" </dev/null
run --data "$work/old" export markdown "$work/left" </dev/null
is 'a site is exported as Markdown' 0 '*' '*'
run --data "$work/new" init </dev/null
run --data "$work/new" import from markdown "$work/left" </dev/null
run --data "$work/new" call taxonomy_list_terms taxonomy=tag </dev/null
is 'and its terms keep their slugs' 0 '*"slug":"c","label":"C++"*' ''

case_of 'columns that are years' csv 01-columns-years.csv c01 '*"n2019":4,"n2020":5,"n2021":6*'
case_of 'columns in Japanese' csv 02-columns-not-latin.csv c02 '*"ming_qian":"A","si_ge":1,"bei_kao":"x"*'
case_of 'a reserved column' csv 03-column-reserved.csv c03 '*"field_created_at":"2020-01-01T00:00:00.000Z"*'
case_of 'members in Japanese' jsonl 12-members-not-latin.jsonl c12 '*"ming_qian":"x","zhi":"y"*'
case_of 'terms that differ in signs' jsonl 35-terms-fall-together.jsonl c35 '*'
echo "1..$count"
