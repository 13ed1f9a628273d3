#!/bin/sh
# wxr.t - "stet import wxr": an export becomes collections, items, terms and media with local files, and nothing is
# created twice. TAP.
work=$(mktemp -d "${TMPDIR:-/tmp}/stet-wxr-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
# shellcheck source=t/cli/command.sh
. "${STET_SOURCE:-.}/t/cli/command.sh"

on() {
	run --data "$work/site" "$@" </dev/null
}

# An address that is never connected to: no traffic leaves this machine.
old=https://192.0.2.1/wp-content/uploads/2020/05
mkdir -p "$work/uploads/2020/05" "$work/flat"
printf '\211PNG\r\n\032\n\0\0\0\015IHDR\0\0\0\001\0\0\0\001\010\0\0\0\0\072~\233U\000\000\000\012IDATx\332c\010\000\000\000R\000QZ\251\243\072\000\000\000\000IEND\256B\140\202one' >"$work/uploads/2020/05/a picture.png"
printf '\211PNG\r\n\032\n\0\0\0\015IHDR\0\0\0\001\0\0\0\001\010\0\0\0\0\072~\233U\000\000\000\012IDATx\332c\010\000\000\000R\000QZ\251\243\072\000\000\000\000IEND\256B\140\202two' >"$work/flat/b.png"
printf 'secret' >"$work/secret.txt"

# Prints an item of the export: its id, type, slug, and more elements.
item() {
	printf '<item><title>%s</title><dc:creator>ann</dc:creator><wp:post_id>%s</wp:post_id><wp:post_type>%s</wp:post_type>' "$3" "$1" "$2"
	printf '<wp:post_name>%s</wp:post_name><wp:status>publish</wp:status>%s</item>\n' "$3" "$4"
}
attachment() {
	item "$1" attachment "file-$1" "<wp:attachment_url>$2</wp:attachment_url><wp:postmeta><wp:meta_key>_wp_attachment_image_alt</wp:meta_key><wp:meta_value>Said &amp; done</wp:meta_value></wp:postmeta>"
}
{
	echo '<?xml version="1.0" encoding="UTF-8"?><rss xmlns:wp="http://wordpress.org/export/1.2/"'
	echo ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"><channel>'
	echo '<title>Old</title><link>https://192.0.2.1</link><wp:wxr_version>1.2</wp:wxr_version>'
	echo '<wp:category><wp:category_nicename>news</wp:category_nicename><wp:cat_name>News</wp:cat_name></wp:category>'
	attachment 1 "$old/a%20picture.png"
	attachment 2 "$old/b.png"
	attachment 3 "$old/../../../../secret.txt"
	item 4 post first "<excerpt:encoded>See $old/b-300x200.png.</excerpt:encoded><category domain=\"category\" nicename=\"news\">News</category><wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>1</wp:meta_value></wp:postmeta>"
	item 5 page about ''
	item 6 product thing ''
	echo '</channel></rss>'
} >"$work/export.xml"

on init
on import wxr
is 'it wants a file' 2 '' 'usage: stet import wxr FILE*'
on import wxr "$work/none.xml"
is 'a file that is not there is named' 1 '' "*cannot read $work/none.xml*"
on import wxr "$work/export.xml" --map product
is 'a mapping has two sides' 2 '' 'stet: --map product: must be TYPE=COLLECTION*usage: *'
on import wxr "$work/export.xml" --map 'product=Bad Name' --dry-run
is 'its collection has a name that one can have' 2 '' '*--map product=Bad Name: a collection is named by*'
on import from nothing "$work/export.xml"
is 'an importer is one that there is' 2 '' '*there is no importer nothing*importers: *'
on import wxr "$work/export.xml" --locale xx
is 'a locale is one of the site' 1 '*' '*locale*'
head -c 900 "$work/export.xml" >"$work/cut.xml"
on import wxr "$work/cut.xml"
is 'what is cut is refused' 1 '' '*VALIDATION_ERROR*'
on call content_list collection=posts
is 'and nothing is made of it' 0 '*"items":\[\]*' ''

on import wxr "$work/export.xml" --dry-run --map product=things
is 'a dry run says what would become of it' 0 'post	1	posts	is there
page	1	pages	is there
product	1	things	new
media	3
terms	1
items	3 would be imported	0 skipped	0 failed
category	1 terms
account	items	3 read	3 stored	0 left by choice
*' '*attachment: Titles (3) and descriptions (0) of files are left out*'
on import wxr "$work/export.xml" --map product= --media-dir "$work/flat" --no-media
is 'it imports' 0 'post	1	posts	is there
page	1	pages	is there
product	1	-	left out
*items	2 imported	1 skipped	0 failed
category	1 terms
account	items	3 read	2 stored	1 left by choice
account	values	3 read	0 stored	3 left by choice
account	references	1 read	1 stored	0 left by choice
account	assignments	1 read	1 stored	0 left by choice
account	authors	2 read	2 stored	0 left by choice
account	characters	62 read	62 stored	0 left by choice
account	media	3 read	0 stored	3 left by choice
account	counted	76 read	76 stored	0 left by choice' '*'
on call content_get collection=posts id=first
is 'items have their values' 0 '*"title":"first"*'"$old"'/b-300x200.png*' ''
on import wxr "$work/export.xml" --map product=things --media-dir "$work/uploads"
is 'files of the directory become media, others are told' 1 '*items	1 imported	2 skipped	0 failed
*media	1 copied	0 were there	2 failed
addresses	1 rewritten in 1 items
*account	media	3 read	1 stored	0 left by choice
account	counted	12 read	10 stored	0 left by choice' '*Blocked: *Blocked: *media: 2 of 3 lost*'
on call content_get collection=posts id=first
is 'a picture that is here is one of the library' 0 '*"featured_image":{*"alt":"Said & done"*"provider":"local"*"filename":"a picture.png"*' ''
on import wxr "$work/export.xml" --map product=things --media-dir "$work/flat"
is 'what was copied is not copied again' 1 '*items	0 imported	3 skipped	0 failed
*media	1 copied	1 were there	1 failed
addresses	1 rewritten in 1 items
*account	media	3 read	2 stored	0 left by choice
*' '*media: 1 of 3 lost*'
on call content_get collection=posts id=first
is 'addresses in texts are those here' 0 '*"excerpt":"See /_cms/api/media/file/*' ''
case $out in *"$old"*) status=1 ;; *) status=0 ;; esac
out='' err=''
is 'and no address is left' 0 '' ''
on media list
is 'the library has both' 0 '*b.png*image/png*' ''

# Export it again, and import that into a second site.
on export wxr "$work/out.xml"
is 'the site is exported' 0 '' '*items	3*attachments	2*'
out=$(cat "$work/out.xml") err=''
is 'with the files of the library by their addresses' 0 "*<wp:attachment_url><![[]CDATA[[]http://localhost:8080/_cms/api/media/file/*Said &amp; done*_thumbnail_id*" ''
run --data "$work/second" init
run --data "$work/second" import wxr "$work/out.xml" --no-media
is 'which another site imports' 0 '*items	3 imported	0 skipped	0 failed*' '*'
run --data "$work/second" call content_get collection=posts id=first
is 'and whose pictures lie at the first one' 0 '*"featured_image":{*"provider":"external","src":"http://localhost:8080/_cms/api/media/file/*"alt":"Said & done"*' ''

# Check the report of each item, and redirects of old addresses.
sed -e 's|</channel>|<item><title>Moved</title><link>https://192.0.2.1/2020/moved/</link><wp:post_id>7</wp:post_id><wp:post_type>post</wp:post_type><wp:post_name>moved</wp:post_name><wp:status>publish</wp:status><wp:postmeta><wp:meta_key>_wp_old_slug</wp:meta_key><wp:meta_value>before</wp:meta_value></wp:postmeta></item></channel>|' \
	"$work/export.xml" >"$work/more.xml"
on import wxr "$work/more.xml" --no-media --report "$work/report.txt"
is 'a report has a format' 2 '' '*must end with .csv, .json or .jsonl*usage: *'
on import wxr "$work/more.xml" --no-media --report "$work/none/report.csv"
is 'a report that cannot be written is told before anything is' 1 '*is there*' "*cannot write $work/none/report.csv*"
on import wxr "$work/more.xml" --no-media --map product=things --report "$work/report.csv" --redirects "$work/moved.csv"
is 'an import with a report' 0 '*items	1 imported	3 skipped	0 failed*' '*'
out=$(tr -d '\r' <"$work/report.csv") err=''
is 'tells what became of each item' 0 '"number","sourceId","type","title",*
4,"4","post","first",,,"skipped",,,"posts",*
7,"7","post","Moved","https://192.0.2.1/2020/moved/","[[]""before""[]]","created",*"moved","en"' ''
out=$(tr -d '\r' <"$work/moved.csv") err=''
is 'and where its address leads now' 0 '"from","to","status"
"/2020/moved/","/blog/moved",301
"/2020/before/","/blog/moved",301' ''
on import wxr "$work/more.xml" --no-media --map product=things --report "$work/report.json" --redirects "$work/moved.map"
out=$(cat "$work/moved.map") err=''
is 'nginx reads it as a map' 0 '"/2020/moved/" "/blog/moved";
"/2020/before/" "/blog/moved";' ''
out=$(cat "$work/report.json")
is 'the report may be JSON' 0 '[[]{"number":4,*"outcome":"skipped",*}]' ''
# A picture that no page can load is lost: told, and the status is not 0.
sed -e 's|</channel>|<item><title>Lost</title><wp:post_id>8</wp:post_id><wp:post_type>post</wp:post_type><wp:post_name>lost</wp:post_name><content:encoded><![CDATA[<p>x</p><img src="file:///c.png">]]></content:encoded></item></channel>|' \
	"$work/export.xml" >"$work/lost.xml"
on import wxr "$work/lost.xml" --no-media --map product=things --dry-run
is 'a dry run finds what would be lost' 1 '*account	pictures	1 read	0 stored	0 left by choice*' '*pictures: 1 of 1 lost*not all could be imported*'
on import wxr "$work/lost.xml" --no-media --map product=things
is 'what is lost is named, and the status tells of it' 1 '*items	1 imported	3 skipped	0 failed*account	pictures	1 read	0 stored	0 left by choice*' '*pictures: 1 of 1 lost*'
# A collection gets no field for titles if no item has one.
printf '%s' '<?xml version="1.0"?><rss xmlns:wp="http://wordpress.org/export/1.2/"><channel><wp:wxr_version>1.2</wp:wxr_version><item><wp:post_id>9</wp:post_id><wp:post_type>note</wp:post_type><wp:post_name>n</wp:post_name></item></channel></rss>' >"$work/untitled.xml"
on import wxr "$work/untitled.xml" --no-media
on call content_get collection=note id=n
is 'items without titles get none' 0 '*"slug":"n"*' ''
case $out in *itled*) status=1 ;; esac
is 'nor a field for them' 0 '*' ''
on export wxr -
is 'an export without a file is written to the output' 0 '<?xml version="1.0"*</rss>' '*items	6*'

# A list of modules from before a module was split in two.
printf 'site "one" {\n hosts = { "localhost" }\n data = "%s"\n modules = { "import" }\n}\n' "$work/listed" >"$work/listed.conf"
run --config "$work/listed.conf" init
is 'a module that is listed brings those that it needs' 0 '*auth, schema, content, html, import,*' '*'
run --config "$work/listed.conf" export wxr -
is 'and no others: leaving has to be listed' 1 '' '*the module export is not enabled*'
run --config "$work/listed.conf" module disable html
is 'what is needed cannot be disabled' 1 '' '*import needs the module html: disable it first*'

# Own files are found in a folder above the uploads, by a decomposed name, and by each form in which pages write their
# addresses.
mkdir -p "$work/above/wp-content/uploads/2020/05"
cp "$work/flat/b.png" "$work/above/wp-content/uploads/2020/05/$(printf 'cafe\314\201.png')"
path=wp-content/uploads/2020/05
{
	sed -n '1,/<wp:wxr_version>/p' "$work/export.xml"
	attachment 1 "https://Old.example/$path/caf%C3%A9.png"
	item 2 post own "<content:encoded><![CDATA[<p><img src=\"/$path/caf%C3%A9.png\"></p><p><img src=\"../../$path/caf$(printf '\303\251').png\"></p><p><img src=\"http://www.old.example/$path/caf%C3%A9-300x200.png\"></p>]]></content:encoded>"
	echo '</channel></rss>'
} | sed 's|<rss |<rss xmlns:content="http://purl.org/rss/1.0/modules/content/" |' >"$work/own.xml"
run --data "$work/third" init
run --data "$work/third" import wxr "$work/own.xml" --media-dir "$work/above"
is 'own files are found' 0 '*media	1 copied	0 were there	0 failed
addresses	6 rewritten in 1 items*' '*'
run --data "$work/third" call content_get collection=posts id=own
case $out in *uploads*) status=1 ;; esac
is 'and no address of theirs is left' 0 '*' '*'
echo "1..$count"
