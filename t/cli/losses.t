#!/bin/sh
# losses.t - "stet import from": what texts lose is counted, told, and makes the status 1; files that nothing shows come
# along; exports of Directus with junctions, and those of Payload's plugin import-export. TAP.
work=$(mktemp -d "${TMPDIR:-/tmp}/stet-losses-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
# shellcheck source=t/cli/command.sh
. "${STET_SOURCE:-.}/t/cli/command.sh"
# shellcheck source=t/cli/site.sh
. "${STET_SOURCE:-.}/t/cli/site.sh"

# Reports a test: NAME, and what the output must not have.
is_without() {
	case $out in *"$2"*) status=9 ;; esac
	is "$1" 0 '*' '*'
}

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

site
mkdir "$work/source/posts"
printf -- '---\ntitle: A\nimage: /img/none.png\n---\n![x](pics/gone.png) [f](../files/none.pdf)\n' >"$work/source/posts/a.md"
{
	printf -- '---\ntitle: Long\n---\n'
	awk 'BEGIN { for (i = 0; i < 9000; i++) print "A line of thirty characters, OK." }'
} >"$work/source/posts/long.md"
on import from markdown "$work/source"
is 'a document that cannot be read was read, and is lost' 1 '*account	items	2 read	1 stored*' '*long.md: *256 KiB*pics/gone.png: It is not among the files of the source*items post: 1 of 2 lost*'
err=$(printf '%s' "$err" | grep -c 'long.md')
is 'a notice is printed once' 1 '*' 1
on call content_get collection=posts id=a
is 'a file that is missing keeps its path' 0 '*"url":"/posts/pics/gone.png"*' ''
is_without 'and no placeholder is stored' source.invalid
on import from markdown "$work/source" --no-media --update
on call content_get collection=posts id=a
is_without 'without files, too' source.invalid

# Another source may have another picture at the same path.
site
for name in a b; do
	rm -rf "$work/source"
	mkdir -p "$work/source/posts"
	gif pics/x.gif
	printf '%s' $name >>"$work/source/pics/x.gif"
	printf -- '---\ntitle: %s\n---\n![x](/pics/x.gif)\n' $name >"$work/source/posts/$name.md"
	on import from markdown "$work/source"
	is "the picture of source $name comes along" 0 '*media	1 copied*' ''
done
rm "$work/source/pics/x.gif"
printf -- '---\ntitle: C\n---\n![x](/pics/x.gif)\n' >"$work/source/posts/c.md"
on import from markdown "$work/source"
is 'a source without it does not get that of another one' 1 '*' '*pics/x.gif: It is not among the files of the source*'
on call content_get collection=posts id=c
is 'but keeps the path' 0 '*"url":"/pics/x.gif"*' ''

# ---- a plugin that cuts texts ----

site
STET_PLUGIN_PATH=${STET_BUILD:-.}/t/plugins/meddler/.libs
export STET_PLUGIN_PATH
on module enable meddler
mkdir "$work/source/posts"
printf -- '---\ntitle: filter cut\n---\nOne.\n\nTwo [y](https://x.example/).\n' >"$work/source/posts/a.md"
on import from markdown "$work/source"
is 'what a plugin drops from a text is found in the database' 1 \
	'*account	characters	9 read	9 stored*account	counted	*' \
	'*filter cut: Its texts were changed on their way: stored are 13 of 18 characters, 0 of 1 links*counted characters: 5 of 18 lost*'
unset STET_PLUGIN_PATH

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

site '"en", "de"'
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
	'*items	10 imported*media	2 copied*references	16 read	16 stored*authors	2 read	2 stored*characters	16 read	16 stored*pictures	2 read	2 stored*media	2 read	2 stored*' \
	'*directus_folders: 1 items of the system are left out*'
# Prints the id of an item: COLLECTION SLUG.
id_of() {
	on call content_get collection="$1" id="$2"
	printf '%s' "$out" | sed 's/"data":.*//;s/.*"id":"\([^"]*\)".*/\1/'
}
sea=$(id_of tags sea) moon=$(id_of tags moon) hero=$(id_of heroes hero)
on call content_get collection=articles id=tides
is 'fields for several items refer to these and not to their junctions' 0 \
	"*\"tags\":\[\"$sea\",\"$moon\"\]*\"blocks\":\[\"$hero\"\],\"replies\":\[\"?*\"\]*" ''
is 'files of lists and of texts are in the library' 0 \
	'*"content":\[*"url":"/_cms/api/media/file/*"alt":"x"*"gallery":\[{"id":"0*"displayName":"Ann Bee"*' ''

# Translations, known by the names of collections and fields. The site's first locale has no row; one row has no item.
site '"en", "de", "fr"'
put languages '[{"code":"de-DE","name":"German"},{"code":"fr-FR","name":"French"}]'
put pages '[{"id":1,"status":"published","year":1999,"translations":[1,2,3]},{"id":2,"title":"Whole"}]'
put pages_translations '[{"id":1,"pages_id":1,"languages_code":"de-DE","title":"Eins","body":"Wort"},
{"id":2,"pages_id":{"id":1},"languages_code":{"code":"fr-FR"},"title":"Un"},{"id":4,"pages_id":9,"languages_code":"de-DE","title":"Weg"}]'
on import from directus "$work/source"
is 'rows of translations are items in their locales' 1 \
	'*items	3 imported*account	items	4 read	3 stored*' \
	'*pages:1, translations: Some of its translations*pages_translations, item 3: The item that it translates is not in the export*'
on call content_list collection=pages locale=fr
is 'with the other values of the item' 0 '*"title":"Un"*"year":1999*' ''
group=$(printf '%s' "$out" | sed 's/.*"translationGroup":"\([^"]*\)".*/\1/')
on call content_list collection=pages locale=de
is 'and they are translations of each other' 0 "*\"title\":\"Eins\"*\"translationGroup\":\"$group\"*" ''

# The same, as a snapshot in YAML says it, with a primary key that is not called id.
site '"en", "de"'
cat >"$work/source/snapshot.yaml" <<'E'
version: 1
directus: 11.1.0
fields:
  - collection: news
    field: texts
    meta:
      interface: translations
  - collection: tongues
    field: tag
    schema:
      is_primary_key: true
  - collection: news_texts
    field: words
    meta:
      interface: input-rich-text-html
relations:
  - collection: news_texts
    field: news
    related_collection: news
    meta:
      one_field: texts
      junction_field: tongue
  - collection: news_texts
    field: tongue
    related_collection: tongues
    meta:
      junction_field: news
E
put tongues '[{"tag":"en-GB"},{"tag":"de-DE"}]'
put news '[{"id":"a","texts":[{"id":1,"tongue":{"tag":"de-DE"},"title":"Zwei","words":"<p>W <a href=\"/x\">y</a></p>"},{"id":2,"tongue":{"tag":"en-GB"},"title":"Two"}]}]'
on import from directus "$work/source"
is 'a snapshot in YAML is read' 0 '*items	2 imported*account	links	1 read	1 stored*' '*tongues: 2 languages are left out*'
on call content_list collection=news locale=en
is 'the first locale has its row, too' 0 '*"title":"Two"*' ''
printf 'fields: &a []\nmore: *a\n' >"$work/source/snapshot.yaml"
on import from directus "$work/source"
is 'one that cannot be read is told' 1 '*' '*snapshot.yaml: *What refers to what is not known*'

# ---- Payload ----

site
old=6b0d52213c62f348a69652
cat >"$work/source/2026-11-30_10-38-25-pages.json" <<E
[{"id":"${old}01","title":"One","tags":null,"tags_0_id":"${old}11","tags_1_id":"${old}12","mixed":null,"mixed_0_id":"${old}11",
"mixed_0_relationTo":"tags","mixed_1_id":"${old}02","mixed_1_relationTo":"pages","next":null,"next_id":"${old}02",
"next_relationTo":"pages","shop_id":"S-1","note":null,
"layout":[{"blockType":"list","of":null,"of_0_id":"${old}11","of_1_id":"${old}12"}]},{"id":"${old}02","title":"Two","tags":null}]
E
echo "[{\"id\":\"${old}11\",\"title\":\"Red\"},{\"id\":\"${old}12\",\"title\":\"Blue\"}]" >"$work/source/2026-11-30 10:38:26-tags.json"
on import from payload "$work/source"
is 'files of the plugin import-export are named by their collections' 0 \
	'tags	2	tags	new*pages	2	pages	new*items	4 imported*values	3 read	3 stored*references	7 read	7 stored*' ''
red=$(id_of tags red) blue=$(id_of tags blue) two=$(id_of pages two)
on call content_get collection=pages id=one
is 'also those inside blocks' 0 "*\"of\":\[{*\"_ref\":\"$red\"*\"_ref\":\"$blue\"*" ''
is 'its lists of references become one again' 0 \
	"*\"tags\":\[\"$red\",\"$blue\"\]*\"_ref\":\"$red\"*\"_ref\":\"$two\"*\"next\":\"$two\"*\"shop_id\":\"S-1\"*" ''
echo "1..$count"
