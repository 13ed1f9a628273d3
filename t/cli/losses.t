#!/bin/sh
# losses.t - "stet import from": what texts lose is counted, told, and makes the status 1; files that nothing shows come
# along; exports of Directus with junctions, and those of Payload's plugin import-export. TAP.
work=$(mktemp -d "${TMPDIR:-/tmp}/stet-losses-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
# shellcheck source=t/cli/command.sh
. "${STET_SOURCE:-.}/t/cli/command.sh"
# shellcheck source=t/cli/site.sh
. "${STET_SOURCE:-.}/t/cli/site.sh"

# ---- Markdown ----

site
mkdir "$work/source/posts"
cat >"$work/source/posts/a.md" <<'E'
---
title: A
---
Ab [cd](skype:me) and ![pic](javascript:x).

> [!NOTE]
> Ef [gh](skype:x).

<p>Ij <a href="skype:y">kl</a> <img src="file:///x.png"></p>

[mn](https://x.example/) ![](https://x.example/p.png)
E
on import from markdown "$work/source" --no-media
is 'links and pictures that a text cannot keep are lost' 1 \
	'*account	characters	22 read	22 stored*account	links	4 read	1 stored*account	pictures	3 read	1 stored*' \
	'*Line 1 of the text: a link*Line 1 of the text: a picture*links: 3 of 4 lost*pictures: 2 of 3 lost*'
is 'also those in callouts and in HTML' 1 '*' \
	'*Not in its text: a link *Not in its text: address: skype:y*Not in its text: address: file:///x.png*'
site
mkdir "$work/source/posts"
printf -- '---\ntitle: A\n---\n[a b](https://x.example/) `c`\n' >"$work/source/posts/a.md"
on import from markdown "$work/source"
is 'a whole text is counted, too' 0 '*account	characters	3 read	3 stored*account	links	1 read	1 stored*' ''

site
{
	printf 'slug,title,markdown\na,A,x\nb,B,"'
	awk 'BEGIN { for (i = 0; i < 120; i++) printf "> "; print "deep" }' | tr -d '\n'
	printf '"\nc,C,"[y](skype:me)"\n'
} >"$work/rows.csv"
on import from csv "$work/rows.csv" --no-media
is 'a text that cannot be read costs that text' 1 '*items	3 imported*account	links	1 read	0 stored*' \
	'*Its Markdown is left out: *Line 1 of its Markdown: a link*'

# ---- Sanity ----

site
printf '%s\n' '{"_id":"p1","_type":"post","title":"One"}' \
	'{"_id":"versions.r1.p1","_type":"post","title":"Later"}' >"$work/source/data.ndjson"
gif images/5f1c-1x1.gif
on import from sanity "$work/source"
is 'files that no document shows come along, and versions of releases do not' 1 \
	'*items	1 imported*media	1 copied*account	media	1 read	1 stored*' \
	'*versions.r1.p1: The version of a document in a release is left out*'

# ---- Directus ----

site
uuid=6f1d2a3b-0000-4000-8000-00000000000
cat >"$work/source/schema.json" <<'E'
{"data":{"fields":[{"collection":"articles","field":"body","meta":{"interface":"input-rich-text-html"}},
 {"collection":"articles","field":"intro","meta":{"interface":"input-rich-text-html"}},
 {"collection":"articles","field":"translations","meta":{"interface":"translations"}}],
"relations":[
 {"collection":"articles_tags","field":"articles_id","related_collection":"articles","meta":{"one_field":"tags","junction_field":"tags_id"}},
 {"collection":"articles_tags","field":"tags_id","related_collection":"tags","meta":{"one_field":null,"junction_field":"articles_id"}},
 {"collection":"articles_files","field":"articles_id","related_collection":"articles","meta":{"one_field":"gallery","junction_field":"file"}},
 {"collection":"articles_files","field":"file","related_collection":"directus_files","meta":{"one_field":null,"junction_field":"articles_id"}},
 {"collection":"articles_blocks","field":"articles_id","related_collection":"articles","meta":{"one_field":"blocks","junction_field":"item"}},
 {"collection":"articles_blocks","field":"item","related_collection":null,"meta":{"one_field":null,"one_collection_field":"collection","junction_field":"articles_id"}},
 {"collection":"articles_translations","field":"articles_id","related_collection":"articles","meta":{"one_field":"translations","junction_field":"code"}},
 {"collection":"comments","field":"article","related_collection":"articles","meta":{"one_field":"replies","junction_field":null}}]}}
E
cat >"$work/source/articles.json" <<E
[{"id":1,"status":"published","user_created":"u-1","title":"Tides","tags":[1,{"id":2,"tags_id":{"id":5}}],
"gallery":[7],"blocks":[3],"translations":[5],"replies":[9],
"body":"<p>A <img src=\"https://cms.example/assets/${uuid}1?width=5\" alt=\"x\"></p>","intro":"<p>An <a href=\"/x\">intro</a></p>"}]
E
put() {
	printf '%s\n' "$2" >"$work/source/$1.json"
}
put articles_tags '[{"id":1,"articles_id":1,"tags_id":4},{"id":2,"articles_id":1,"tags_id":5}]'
put tags '[{"id":4,"title":"Sea"},{"id":5,"title":"Moon"}]'
put articles_files "[{\"id\":7,\"articles_id\":1,\"file\":\"${uuid}1\"}]"
put articles_blocks '[{"id":3,"articles_id":1,"collection":"heroes","item":"8"}]'
put heroes '[{"id":8,"title":"Hero"}]'
put articles_translations '[{"id":5,"articles_id":1,"code":"de-DE","title":"Gezeiten"}]'
put comments '[{"id":9,"article":1,"words":"Good"}]'
put directus_users '[{"id":"u-1","first_name":"Ann","last_name":"Bee","email":"ann@example.org"}]'
put directus_folders '[{"id":"f-1","name":"Folder"}]'
put directus_files "[{\"id\":\"${uuid}1\",\"filename_disk\":\"1.gif\",\"type\":\"image/gif\"},
{\"id\":\"${uuid}2\",\"filename_disk\":\"2.gif\",\"type\":\"image/gif\"}]"
gif uploads/1.gif
gif uploads/2.gif
printf ' ' >>"$work/source/uploads/2.gif"
on import from directus "$work/source"
is 'an export of Directus: each item, value, reference and file' 0 \
	'*items	10 imported*media	2 copied*references	14 read	14 stored*authors	1 read	1 stored*characters	8 read	8 stored*pictures	1 read	1 stored*media	2 read	2 stored*' \
	'*directus_folders: 1 items of the system are left out*'
# Prints the id of an item: COLLECTION SLUG.
id_of() {
	on call content_get collection="$1" id="$2"
	printf '%s' "$out" | sed 's/"data":.*//;s/.*"id":"\([^"]*\)".*/\1/'
}
sea=$(id_of tags sea) moon=$(id_of tags moon) hero=$(id_of heroes hero) german=$(id_of articles_translations gezeiten)
on call content_get collection=articles id=tides
is 'fields for several items refer to these and not to their junctions' 0 \
	"*\"tags\":\[\"$sea\",\"$moon\"\]*\"blocks\":\[\"$hero\"\],\"translations\":\[\"$german\"\],\"replies\":\[\"?*\"\]*" ''
is 'files of lists and of texts are in the library' 0 \
	'*"content":\[*"url":"/_cms/api/media/file/*"alt":"x"*"gallery":\[{"id":"0*"displayName":"Ann Bee"*' ''

# ---- Payload ----

site
old=6b0d52213c62f348a69652
cat >"$work/source/2026-11-30_10-38-25-pages.json" <<E
[{"id":"${old}01","title":"One","tags":null,"tags_0_id":"${old}11","tags_1_id":"${old}12","mixed":null,"mixed_0_id":"${old}11",
"mixed_0_relationTo":"tags","mixed_1_id":"${old}02","mixed_1_relationTo":"pages","next":null,"next_id":"${old}02",
"next_relationTo":"pages","shop_id":"S-1","note":null},{"id":"${old}02","title":"Two","tags":null}]
E
echo "[{\"id\":\"${old}11\",\"title\":\"Red\"},{\"id\":\"${old}12\",\"title\":\"Blue\"}]" >"$work/source/2026-11-30 10:38:26-tags.json"
on import from payload "$work/source"
is 'files of the plugin import-export are named by their collections' 0 \
	'tags	2	tags	new*pages	2	pages	new*items	4 imported*values	2 read	2 stored*references	5 read	5 stored*' ''
red=$(id_of tags red) blue=$(id_of tags blue) two=$(id_of pages two)
on call content_get collection=pages id=one
is 'its lists of references become one again' 0 \
	"*\"tags\":\[\"$red\",\"$blue\"\]*\"_ref\":\"$red\"*\"_ref\":\"$two\"*\"next\":\"$two\"*\"shop_id\":\"S-1\"*" ''
echo "1..$count"
