#!/bin/sh
# nested.t - "stet import from" sanity, contentful and payload: what texts and values refer to. TAP.
work=$(mktemp -d "${TMPDIR:-/tmp}/stet-nested-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
# shellcheck source=t/cli/command.sh
. "${STET_SOURCE:-.}/t/cli/command.sh"

site() {
	rm -rf "$work/site" "$work/source"
	mkdir "$work/source"
	printf 'site main {\n\thosts = { "*" }\n\tbase-url = "https://a.example"\n\tdata = "%s"\n\tlocales = { "en" }\n}\n' \
		"$work/site" >"$work/site.conf"
	on init </dev/null
}

on() {
	run --config "$work/site.conf" "$@" </dev/null
}

site
cat >"$work/source/data.ndjson" <<'E'
{"_id":"p1","_type":"post","title":"One","slug":{"current":"one"},"body":[{"_key":"a","_type":"block","style":"normal","markDefs":[{"_key":"m","_type":"internalLink","reference":{"_type":"reference","_ref":"p2"}},{"_key":"n","_type":"internalLink","_ref":"gone"}],"children":[{"_key":"b","_type":"span","marks":["m"],"text":"two"},{"_key":"c","_type":"span","marks":["n"],"text":"gone"}]}]}
{"_id":"p2","_type":"post","title":"Two","slug":{"current":"two"},"hero":{"cta":{"_type":"reference","_ref":"p1"}}}
E
on import from sanity "$work/source"
is 'references inside values of Sanity are told' 0 '*items	2 imported*' \
	'*p1: References inside values and texts*p2: References inside values and texts*'
on call content_get collection=posts id=one
is 'marks of texts lead to items' 0 '*"href":"/blog/two"*"_ref":"gone"*' ''

site
cat >"$work/source/export.json" <<'E'
{"contentTypes":[{"sys":{"id":"page","type":"ContentType"},"displayField":"title","fields":[{"id":"title","type":"Symbol"},{"id":"body","type":"RichText"},{"id":"extra","type":"Object"}]}],
"locales":[{"code":"en","default":true}],"assets":[],
"entries":[{"sys":{"id":"e1","type":"Entry","publishedVersion":1,"contentType":{"sys":{"id":"page"}}},"fields":{"title":{"en":"One"},"slug":{"en":"one"},
"extra":{"en":{"list":[{"sys":{"type":"Link","linkType":"Entry","id":"e2"}}]}},
"body":{"en":{"nodeType":"document","content":[{"nodeType":"paragraph","content":[
{"nodeType":"entry-hyperlink","data":{"target":{"sys":{"type":"Link","linkType":"Entry","id":"e2"}}},"content":[{"nodeType":"text","value":"two","marks":[]}]},
{"nodeType":"entry-hyperlink","data":{"target":{"sys":{"type":"Link","linkType":"Entry","id":"gone"}}},"content":[{"nodeType":"text","value":"gone","marks":[]}]}]}]}}}},
{"sys":{"id":"e2","type":"Entry","publishedVersion":1,"contentType":{"sys":{"id":"page"}}},"fields":{"title":{"en":"Two"},"slug":{"en":"two"}}}]}
E
on import from contentful "$work/source/export.json"
is 'references inside values of Contentful are told' 0 '*items	2 imported*' \
	'*e1, extra: References inside values keep the ids of the source*e1, body: 1 entries or files inside the text*'
on call content_get collection=pages id=one
is 'links of texts lead to entries' 0 '*"href":"/two"*' ''

site
mkdir "$work/source/media"
printf 'GIF89a\1\0\1\0\200\0\0\0\0\0\377\377\377!\371\4\1\0\0\0\0,\0\0\0\0\1\0\1\0\0\2\2D\1\0;' >"$work/source/media/a.gif"
echo '{"id":"665000000000000000000021","filename":"a.gif","mimeType":"image/gif","alt":"A"}' >"$work/source/media.jsonl"
cat >"$work/source/notes.jsonl" <<'E'
{"id":"665000000000000000000001","title":"One","slug":"one","layout":[{"blockType":"hero","image":"665000000000000000000021","page":{"relationTo":"notes","value":"665000000000000000000002"}}],"content":{"root":{"type":"root","children":[{"type":"paragraph","children":[{"type":"link","fields":{"linkType":"internal","doc":{"relationTo":"notes","value":"665000000000000000000002"}},"children":[{"type":"text","text":"two"}]}]}]}}}
{"id":"665000000000000000000002","title":"Two","slug":"two"}
E
on import from payload "$work/source"
is 'references inside blocks of Payload are told' 0 '*items	2 imported*media	1 copied*' \
	'*665000000000000000000001, layout: References inside values keep the ids of the source*'
on call content_get collection=notes id=one
is 'links of texts lead to documents' 0 '*"href":"/notes/two"*' ''
is 'files inside blocks are values' 0 '*"image":{"id":"01*"alt":"A"*' ''

echo "1..$count"
