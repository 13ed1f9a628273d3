#!/bin/sh
# rows.t - "stet import from csv" and "jsonl": values stay what they are in the source, types are guessed from all rows,
# files refer to each other. TAP.
work=$(mktemp -d "${TMPDIR:-/tmp}/stet-rows-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
site=$work/site
# shellcheck source=t/cli/command.sh
. "${STET_SOURCE:-.}/t/cli/command.sh"

on() {
	run --data "$site" "$@"
}

# Writes a WXR export of one post whose custom fields are NAME=VALUE.
export_with() {
	printf '<?xml version="1.0"?><rss xmlns:content="http://purl.org/rss/1.0/modules/content/"'
	printf ' xmlns:wp="http://wordpress.org/export/1.2/"><channel><title>T</title>'
	printf '<wp:wxr_version>1.2</wp:wxr_version><wp:base_blog_url>https://old.example</wp:base_blog_url>'
	printf '<item><title>P</title><content:encoded>a</content:encoded><wp:post_id>1</wp:post_id>'
	printf '<wp:post_name>p</wp:post_name><wp:status>publish</wp:status><wp:post_type>post</wp:post_type>'
	for pair in "$@"; do
		printf '<wp:postmeta><wp:meta_key>%s</wp:meta_key><wp:meta_value>%s</wp:meta_value></wp:postmeta>' \
			"${pair%%=*}" "${pair#*=}"
	done
	printf '</item></channel></rss>'
}

# The values of the items of a collection.
values() {
	on call content_list "collection=$1" limit=100
}

on init </dev/null

# Custom fields are numbers only if they are written back as they were.
export_with zip=01234 phone=+4930123 big=12345678901234567890 release=1.10 tiny=1e5 price=9.5 year=2020 \
	opened_date=5.3.2013 built_date=unknown item_count=many >"$work/numbers.xml"
on import wxr "$work/numbers.xml" --fields --no-media
is codes_are_kept 0 '*account	values	10 read	10 stored*' ''
values posts
is texts_are_written_back 0 '*"zip":"01234"*"phone":"+4930123"*"big":"12345678901234567890"*"release":"1.10"*"tiny":"1e5"*' ''
is numbers_are_numbers 0 '*"price":9.5,"year":2020*' ''
is a_name_alone_makes_no_date 0 '*"opened_date":"2013-03-05T00:00:00.000Z","built_date":"unknown","item_count":"many"*' ''
mkdir "$work/docs"
printf -- '---\ntitle: D\nrelease: 1.10\nhex: 0x10\nyear: 2020\ndate: 5 March 2013\n---\nText\n' >"$work/docs/d.md"
on import from markdown "$work/docs" --map page=docs
is front_matter_is_read 0 '*' ''
values docs
is front_matter_stays 0 '*"release":"1.10","hex":"0x10","year":2020*' ''

# Dates.
{
	echo 'title,status,published'
	i=0
	while read -r date; do
		i=$((i + 1))
		echo "D$i,published,\"$date\""
	done <<-'DATES'
		05.03.2013
		5. March 2013
		5th of March, 2013
		March 5, 2013
		Tue, 05 Mar 2013 00:00:00 GMT
		Tue Mar 05 2013 01:00:00 GMT+0100 (CET)
		2013/3/5
		2013/3/5 0:00:00
		2013-03-05 00:00:00
		20130305
		1362441600
		1362441600000
		Mar 4, 2013 4:00 pm PST
	DATES
} >"$work/dates.csv"
on import from csv "$work/dates.csv" --map row=dates
is dates_are_read 0 '*items	13 imported*' ''
out=$(values dates; echo "$out" | grep -o '"publishedAt":"2013-03-05T00:00:00.000Z"' | wc -l)
is dates_are_one_day 0 13 ''
printf 'title,published\nA,2020-13-45\nB,31.02.2020\nC,soon\n' >"$work/wrong.csv"
on import from csv "$work/wrong.csv" --map row=wrong
is what_is_no_date_is_told 1 '*' '*A: "2020-13-45" is no date*B: "31.02.2020" is*C: "soon" is*values published: 3 of 3 lost*'
echo "1..$count"
