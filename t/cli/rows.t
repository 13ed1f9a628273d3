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

# Prints the values of a collection's items.
values() {
	on call content_list "collection=$1" limit=100
}

on init </dev/null

# A custom field becomes a number only if the number is written exactly like the text.
export_with zip=01234 phone=+4930123 big=12345678901234567890 release=1.10 tiny=1e5 price=9.5 year=2020 \
	opened_date=5.3.2013 built_date=unknown item_count=many >"$work/numbers.xml"
on import wxr "$work/numbers.xml" --fields --no-media
is codes_are_kept 0 '*account	values	10 read	10 stored*' ''
values posts
is texts_are_written_back 0 '*"zip":"01234"*"phone":"+4930123"*"big":"12345678901234567890"*"release":"1.10"*"tiny":"1e5"*' ''
is numbers_are_numbers 0 '*"price":9.5,"year":2020*' ''
is a_name_alone_makes_no_date 0 '*"opened_date":"2013-03-05T00:00:00.000Z","built_date":"unknown","item_count":"many"*' ''
# A hidden custom field is reported, and imported if an option names it. A repeated one keeps all of its values.
export_with _price=9.90 _sku=X1 _stock=3 size=M size=L | sed 's/>post</>product</' >"$work/hidden.xml"
on import wxr "$work/hidden.xml" --fields --no-media --map product=goods --dry-run
is hidden_fields_are_told 0 '*' '*Hidden custom fields are left out: _price, _sku, _stock.*'
on import wxr "$work/hidden.xml" --fields --no-media --map product=goods --field _price=price --field _stock=stock --field _sku= \
	--type price=number
is hidden_fields_are_taken 0 '*field	goods.price	number*field	goods.stock	number*account	values	4 read	3 stored	1 left*' ''
values goods
is their_values_are_stored 0 '*"price":9.9,"stock":3,"size":\["M","L"\]*' ''
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

# The type of a field is chosen from all rows, and printed before anything is written.
{
	echo 'id,title,whole,part,code,flag,when,web,state,mixed,long'
	i=0
	while [ $i -lt 16 ]; do
		i=$((i + 1))
		printf '%d,T%d,%d,%s,%05d,%s,%d/7/2013,https://a.example/%d,%s,%s,"%s"\n' $i $i $i \
			"$([ $i = 9 ] && echo 2.5 || echo 2)" $i "$([ $((i % 2)) = 0 ] && echo TRUE || echo false)" \
			$i $i "$([ $((i % 3)) = 0 ] && echo open || echo closed)" "$([ $i = 16 ] && echo x || echo 1)" \
			"$([ $i = 4 ] && printf 'a\nb' || echo a)"
	done
} >"$work/types.csv"
on import from csv "$work/types.csv" --map row=typed --dry-run
is the_types_are_told_before 0 '*field	typed.whole	integer*typed.part	number*typed.code	string*typed.flag	boolean*typed.when	datetime*typed.web	url*typed.state	select*typed.mixed	string*typed.long	text*' '*'
on import from csv "$work/types.csv" --map row=typed --type state=string --type whole=string --type row.part=text
is types_may_be_set 0 '*field	typed.whole	string*typed.part	text*typed.state	string*' ''
values typed
is days_come_first_if_one_is_above_twelve 0 '*"title":"T4","whole":"4","part":"2","code":"00004","flag":true,"when":"2013-07-04T00:00:00.000Z"*' ''
on import from csv "$work/types.csv" --map row=chosen
is the_guess_fits_all_rows 0 '*items	16 imported	0 skipped	0 failed*' ''
on call schema_get_collection slug=chosen
is a_select_has_its_values 0 '*"options":\["closed","open"\]*' ''
on import from csv "$work/types.csv" --type when=nothing
is a_type_must_exist 2 '' '*--type when=nothing: must be*'
on import from csv "$work/types.csv" --map row=many --type code=select
is a_select_of_few_rows_may_have_all 0 '*field	many.code	select*' ''

printf 'title,day\nA,3/4/2013\nB,5/6/2013\n' >"$work/days.csv"
on import from csv "$work/days.csv" --map row=days
is an_open_order_is_told 0 '*field	days.day	string*' '*row.day: Its dates can be read with the day or the month first*'
on import from csv "$work/days.csv" --map row=days2 --set dates=mdy
is an_order_may_be_set 0 '*field	days2.day	datetime*' ''
values days2
is the_month_is_first 0 '*"day":"2013-05-06T00:00:00.000Z"*"day":"2013-03-04T00:00:00.000Z"*' ''

# Files that refer to each other, imported in both orders.
printf 'sep=;\r\nid;title;writer_id;email_of;part_ids\r\n1;P1;7;ann@example.org;8,7\r\n2;P2;9;;\r\n' >"$work/posts.csv"
printf 'id,title,email\n7,Ann,ann@example.org\n8,Bo,bo@example.org\n' >"$work/writers.csv"
for order in 'posts writers' 'writers posts'; do
	site=$work/${order%% *}
	on init </dev/null
	on import from csv "$work/${order% *}.csv" "$work/${order#* }.csv" --dry-run
	is "relations_are_suggested, $order" 0 '*field	posts.writer_id	integer*' '*posts.writer_id: It may refer to writers: --relation posts.writer_id=writers.id*'
	set -- "$work/${order% *}.csv" "$work/${order#* }.csv" --relation posts.writer_id=writers.id \
		--relation posts.email_of=writers.email --relation part_ids=writers
	on import from csv "$@"
	is "files_are_types, $order" 1 '*field	posts.writer_id	reference to writers*items	4 imported*' '*'
	is "what_is_missing_is_told, $order" 1 '*account	references	5 read	4 stored*' '*posts.csv, row 4: writer_id refers to writers/9, which was not imported*references writer_id: 1 of 2 lost*'
	values writers
	ann=$(echo "$out" | sed 's/.*"id":"\([^"]*\)","type":"writers","slug":"ann".*/\1/')
	bo=$(echo "$out" | sed 's/.*"id":"\([^"]*\)","type":"writers","slug":"bo".*/\1/')
	values posts
	is "references_are_set, $order" 0 "*\"writer_id\":\"$ann\",\"email_of\":\"$ann\",\"part_ids\":\[\"$bo\",\"$ann\"\]*" ''
	on import from csv "$@" --update
	is "nothing_changes_again, $order" 1 '*known	0 updated	4 unchanged*' '*row 4: writer_id refers to writers/9*'
	echo '9,Cy,' >>"$work/writers.csv"
	on import from csv "$@" --update
	is "a_row_that_comes_later_is_found, $order" 0 '*items	1 imported*' ''
	values writers
	cy=$(echo "$out" | sed 's/.*"id":"\([^"]*\)","type":"writers","slug":"cy".*/\1/')
	values posts
	is "its_reference_is_set, $order" 0 "*\"writer_id\":\"$cy\"*" ''
	on import from csv "$@" --update
	is "then_nothing_changes, $order" 0 '*known	0 updated	5 unchanged*' ''
	sed -i '$d' "$work/writers.csv"
done
on import from csv "$work/posts.csv" --relation writer_id
is a_relation_has_two_sides 2 '' '*--relation writer_id: must be COLUMN=FILE.COLUMN*'

# A row without an id is known by its slug, whatever the name of the file.
printf 'slug,title,note\na,A,x\nb,B,y\n' >"$work/first.csv"
printf 'slug,title,note\na,A,changed\nb,B,y\n' >"$work/second.csv"
on import from csv "$work/first.csv" --map row=known
on import from csv "$work/second.csv" --map row=known --update
is a_slug_is_enough_for_an_update 0 '*known	1 updated	1 unchanged	0 changed here*' ''
values known
is the_row_is_updated 0 '*"note":"changed"*' ''
on import from csv "$work/first.csv" --map row=known --update
is the_first_file_still_is_known 0 '*known	1 updated	1 unchanged*' ''

# Rows with one id, or one slug, are two items.
printf 'id,slug,title\n1,,A\n1,,B\n,c,C\n,c,D\n' >"$work/double.csv"
on import from csv "$work/double.csv" --map row=double
is doubles_are_stored_and_told 0 '*items	4 imported	0 skipped*' '*B: row 3: another row has the same id*D: row 5: another row*'
on import from csv "$work/double.csv" --map row=double
is doubles_are_there 0 '*items	0 imported	4 skipped*' ''
on import from csv "$work/double.csv" --map row=double --update
is doubles_are_known 0 '*known	0 updated	4 unchanged*' '*'
printf 'id,title,at\n1,A,1362441600000\n' >"$work/named.csv"
on import from csv "$work/named.csv" --map row=named --type att=integer --type at=datetime --relation row.none=row.id
is names_of_no_column_are_told 0 '*field	named.at	datetime*' '*att: No column has this name*row.none: No column*'
printf '{"id":1,"title":"A","at":1362441600}\n' >"$work/epoch.jsonl"
on import from jsonl "$work/epoch.jsonl" --map row=epoch --type at=datetime
values epoch
is seconds_are_a_time 0 '*"at":"2013-03-05T00:00:00.000Z"*' ''

# Columns whose names equal those of item members by chance, and fields beside them.
printf 'title,fields,blocks,terms,tags\nA,3,4,5,x\n' >"$work/members.csv"
on import from csv "$work/members.csv" --map row=members
values members
is columns_with_such_names_are_fields 0 '*"fields":3,"blocks":4,"field_terms":5*' ''
printf '{"title":1.5,"fields":{"a":"x"},"b":"y","excerpt":{"c":1}}\n' >"$work/members.jsonl"
on import from jsonl "$work/members.jsonl" --map row=memberso
values memberso
is fields_are_joined 0 '*"title":"1.5","a":"x","b":"y"*' ''

# Arrays, and files of spreadsheet programs.
printf '\357\273\277 [ {"id":1,"title":"A, [b] \\"}","n":"1","part":1.5,"at":"2013-07-13"},\n{"id":2,"title":"C","n":2,\n"part":2,"at":"2013-07-14"}\n]\n' >"$work/list.json"
on import from jsonl "$work/list.json" --map row=list
is an_array_is_a_list_of_rows 0 '*field	list.n	string*list.part	number*list.at	datetime*items	2 imported*' ''
values list
is its_values_are_stored 0 '*"title":"C","n":"2","part":2,*"title":"A, \[b\] \\"}","n":"1","part":1.5,*' ''
printf '{"title":"A","n":12345678901234567890,"m":9007199254740993,"s":"\\"12345678901234567890"}\n{"title":"B","n":5,"m":1}\n' >"$work/long.jsonl"
on import from jsonl "$work/long.jsonl" --map row=long
is long_numbers_are_read 0 '*items	2 imported*' ''
values long
is long_numbers_keep_their_digits 0 '*"n":"5","m":"1"*"n":"12345678901234567890","m":"9007199254740993","s":"\\"12345678901234567890"*' ''
printf '[{"title":"A"},{"title":' >"$work/cut.json"
on import from jsonl "$work/cut.json" --map row=cut
is an_array_has_an_end 1 '' '*The array has no end*'
printf '[{"title":"A"},5,{]\n' >"$work/bad.json"
on import from jsonl "$work/bad.json" --map row=cut
is a_bad_array_is_refused 1 '' '*The array has no end*'
printf 'title,name\r\nA,J\303\266rg \360\237\230\200\r\n' >"$work/utf8.csv"
for encoding in UTF-16 UTF-16BE; do
	{
		[ $encoding = UTF-16 ] || printf '\376\377'
		iconv -f UTF-8 -t $encoding "$work/utf8.csv"
	} >"$work/wide.csv"
	on import from csv "$work/wide.csv" --map "row=wide$(echo $encoding | tr -d -- - | tr A-Z a-z)"
	is "$encoding is read" 0 '*items	1 imported*' ''
	values "wide$(echo $encoding | tr -d -- - | tr A-Z a-z)"
	is "$encoding is kept" 0 '*"name":"Jörg 😀"*' ''
done
printf 'title,name\nA,J\366rg\n' >"$work/west.csv"
on import from csv "$work/west.csv" --map row=west
is another_encoding_is_told 1 '*' '*row 2: It is not UTF-8*'
on import from csv "$work/west.csv" --map row=west --set encoding=windows-1252
values west
is an_encoding_may_be_given 0 '*"name":"Jörg"*' ''
on import from csv "$work/west.csv" --map row=west --set encoding=nothing
is an_encoding_must_exist 1 '' '*no encoding nothing*'
echo "1..$count"
