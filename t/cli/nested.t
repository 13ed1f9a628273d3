#!/bin/sh
# nested.t - "stet import from" sanity, contentful, payload and strapi: what texts and values refer to. TAP.
work=$(mktemp -d "${TMPDIR:-/tmp}/stet-nested-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
# shellcheck source=t/cli/command.sh
. "${STET_SOURCE:-.}/t/cli/command.sh"
# shellcheck source=t/cli/site.sh
. "${STET_SOURCE:-.}/t/cli/site.sh"

# Checks the item that was read last: NAME, a pattern of its data.
has() {
	is "$1" 0 "$2" ''
}

# Prints the id of an item: COLLECTION, SLUG, other arguments.
id_of() {
	on call content_get collection="$1" id="$2" ${3:+"$3"}
	printf '%s' "$out" | sed 's/"data":.*//;s/.*"id":"\([^"]*\)".*/\1/'
}

# ---- Sanity ----

site
cat >"$work/source/data.ndjson" <<'E'
{"_id":"p1","_type":"post","title":"One","slug":{"current":"one"},"body":[{"_key":"a","_type":"block","style":"normal","markDefs":[{"_key":"m","_type":"internalLink","reference":{"_type":"reference","_ref":"p2"}}],"children":[{"_key":"b","_type":"span","marks":["m"],"text":"two"}]},{"_key":"r","_type":"reference","_ref":"p2"},{"_key":"t","_type":"teaser","post":{"_type":"reference","_ref":"p2"}}]}
{"_id":"p2","_type":"post","title":"Two","slug":{"current":"two"},"hero":{"cta":{"_type":"reference","_ref":"p1"},"all":[{"_key":"x","_type":"reference","_ref":"p1","_weak":true},{"_key":"y","_type":"reference","_ref":"a1"}]},"mixed":[{"_key":"x","_type":"reference","_ref":"p1"},{"_key":"y","_type":"reference","_ref":"a1"}]}
{"_id":"a1","_type":"author","name":"Ann"}
E
on import from sanity "$work/source" --dry-run
is 'references inside values of Sanity: a dry run' 0 '*items	3 would be imported*' ''
on import from sanity "$work/source"
is 'references inside values of Sanity' 0 '*items	3 imported*' ''
one=$(id_of posts one) two=$(id_of posts two) ann=$(id_of author ann)
on call content_get collection=posts id=one
has 'marks of texts lead to items' '*"href":"/blog/two"*'
has 'a reference between blocks shows its item' \
	"*\"_key\":\"r\",\"_type\":\"reference\",\"_ref\":\"$two\",\"href\":\"/blog/two\",\"collection\":\"posts\",\"title\":\"Two\"*"
has 'a block of its own refers to an item' "*\"post\":{\"_type\":\"reference\",\"_ref\":\"$two\",\"collection\":\"posts\"}*"
on call content_get collection=posts id=two
has 'objects refer to items' "*\"cta\":{\"_type\":\"reference\",\"_ref\":\"$one\",\"collection\":\"posts\"}*"
has 'so do arrays of objects' "*\"_weak\":true,\"collection\":\"posts\"}*\"_ref\":\"$ann\",\"collection\":\"author\"*"
has 'and lists of references to several types' \
	"*\"mixed\":*\"_ref\":\"$one\",\"collection\":\"posts\"*\"_ref\":\"$ann\",\"collection\":\"author\"*"
on import from sanity "$work/source" --update
is 'the same again' 0 '*known	0 updated	3 unchanged*' ''
sed -i 's/"_ref":"a1"/"_ref":"gone"/g;s/"Two"/"Two 2"/' "$work/source/data.ndjson"
on import from sanity "$work/source" --update
is 'what leads to nothing is told by name, and is lost' 1 '*updated*' \
	'*hero refers to gone, which was not imported*mixed refers to gone*references hero: 1 of 3 lost*references mixed: 1 of 2 lost*'
on call content_get collection=posts id=two
has 'and keeps the id of the source' '*"_ref":"gone"*'

# ---- Contentful ----

link() {
	printf '{"sys":{"type":"Link","linkType":"%s","id":"%s"}}' "$1" "$2"
}

site
cat >"$work/source/export.json" <<E
{"contentTypes":[{"sys":{"id":"page","type":"ContentType"},"displayField":"title","fields":[{"id":"title","type":"Symbol"},{"id":"body","type":"RichText"},{"id":"extra","type":"Object"}]}],
"locales":[{"code":"en","default":true}],"assets":[],
"entries":[{"sys":{"id":"e1","type":"Entry","publishedVersion":1,"contentType":{"sys":{"id":"page"}}},"fields":{"title":{"en":"One"},"slug":{"en":"one"},
"extra":{"en":{"list":[$(link Entry e2)]}},
"body":{"en":{"nodeType":"document","content":[
{"nodeType":"paragraph","content":[{"nodeType":"text","value":"Before","marks":[]}]},
{"nodeType":"embedded-entry-block","data":{"target":$(link Entry e2)},"content":[]},
{"nodeType":"unordered-list","content":[{"nodeType":"list-item","content":[{"nodeType":"embedded-entry-block","data":{"target":$(link Entry e3)},"content":[]}]}]},
{"nodeType":"paragraph","content":[{"nodeType":"text","value":"See ","marks":[]},
{"nodeType":"embedded-entry-inline","data":{"target":$(link Entry e3)},"content":[]},
{"nodeType":"entry-hyperlink","data":{"target":$(link Entry e2)},"content":[{"nodeType":"text","value":"here","marks":[]}]}]}]}}}},
{"sys":{"id":"e2","type":"Entry","publishedVersion":1,"contentType":{"sys":{"id":"page"}}},"fields":{"title":{"en":"Two --> & more"},"slug":{"en":"two"}}},
{"sys":{"id":"e3","type":"Entry","publishedVersion":1,"contentType":{"sys":{"id":"page"}}},"fields":{"title":{"en":"Three"},"slug":{"en":"three"}}}]}
E
on import from contentful "$work/source/export.json"
is 'entries inside texts and values of Contentful' 0 '*items	3 imported*' ''
two=$(id_of pages two)
on call content_get collection=pages id=one
has 'values refer to entries' "*\"list\":\[{\"_type\":\"reference\",\"_ref\":\"$two\",\"collection\":\"pages\"}\]*"
has 'an embedded entry is a block that shows it' \
	"*\"text\":\"Before\"*\"_type\":\"reference\",\"_ref\":\"$two\",\"href\":\"/two\",\"title\":\"Two --> & more\"*\"collection\":\"pages\"*"
has 'one in a list, or in a line, is a link' '*"listItem"*"text":"Three"*"text":"See "*"text":"Three"*'
has 'links lead to entries' '*"href":"/three"*"href":"/two"*'
on import from contentful "$work/source/export.json" --update
is 'the same again' 0 '*known	0 updated	3 unchanged*' ''
sed -i 's/"id":"e3"}}},"content"/"id":"gone"}}},"content"/' "$work/source/export.json"
on import from contentful "$work/source/export.json" --dry-run
is 'entries that are not in the export are told, and lost' 1 '*' '*e1, body: 2 entries or files inside the text*'

site '"en", "de"'
cat >"$work/source/export.json" <<E
{"contentTypes":[{"sys":{"id":"page","type":"ContentType"},"displayField":"title","fields":[{"id":"title","type":"Symbol"},{"id":"next","type":"Link"}]}],
"locales":[{"code":"en","default":true},{"code":"de"}],"assets":[],
"entries":[{"sys":{"id":"e1","type":"Entry","publishedVersion":1,"contentType":{"sys":{"id":"page"}}},"fields":{"title":{"en":"One","de":"Eins"},"slug":{"en":"one","de":"eins"},
"next":{"en":$(link Entry e2)},"other":{"en":$(link Entry e3)},"extra":{"en":[[$(link Entry e2)]]},
"body":{"en":{"nodeType":"document","content":[{"nodeType":"embedded-entry-block","data":{"target":$(link Entry e2)},"content":[]}]}}}},
{"sys":{"id":"e2","type":"Entry","publishedVersion":1,"contentType":{"sys":{"id":"page"}}},"fields":{"title":{"en":"Two","de":"Zwei"},"slug":{"en":"two","de":"zwei"}}},
{"sys":{"id":"e3","type":"Entry","publishedVersion":1,"contentType":{"sys":{"id":"page"}}},"fields":{"title":{"en":"Three"},"slug":{"en":"three"}}}]}
E
on import from contentful "$work/source/export.json"
is 'entries of two locales' 0 '*items	5 imported*' ''
two=$(id_of pages two) three=$(id_of pages three) zwei=$(id_of pages zwei locale=de)
on call content_get collection=pages id=one
has 'an entry leads to entries of its locale' "*\"next\":\"$two\"*"
on call content_get collection=pages id=eins locale=de
has 'a translation leads to translations' "*\"next\":\"$zwei\"*"
has 'and to the entry itself where there is none' "*\"other\":\"$three\"*"
has 'in values, too' "*\"extra\":\[\[{\"_type\":\"reference\",\"_ref\":\"$zwei\"*"
has 'and in texts' "*\"_ref\":\"$zwei\",\"href\":\"*zwei\"*"

# ---- Payload ----

site
gif media/a.gif
p=6650000000000000000000
echo '{"id":"'${p}21'","filename":"a.gif","mimeType":"image/gif","alt":"A"}' >"$work/source/media.jsonl"
cat >"$work/source/notes.jsonl" <<E
{"id":"${p}01","title":"One","slug":"one","layout":[{"id":"${p}99","blockType":"hero","image":"${p}21","page":{"relationTo":"notes","value":"${p}02"},"text":{"root":{"type":"root","children":[{"type":"paragraph","children":[{"type":"text","text":"inner"}]}]}}}],"content":{"root":{"type":"root","children":[{"type":"paragraph","children":[{"type":"link","fields":{"linkType":"internal","doc":{"relationTo":"notes","value":"${p}02"}},"children":[{"type":"text","text":"two"}]}]},{"type":"relationship","relationTo":"notes","value":"${p}02"},{"type":"block","fields":{"id":"${p}98","blockType":"teaser","label":"Read -- on","notes":["${p}02"]}}]}}}
{"id":"${p}02","title":"Two","slug":"two"}
{"id":"${p}03","title":"Three","slug":"three","content":{"root":{"type":"root","children":[{"type":"paragraph","children":[{"type":"text","text":"Ask "},{"type":"inlineBlock","fields":{"id":"${p}97","blockType":"mention","name":"Ann"}},{"type":"text","text":" today"}]}]}}}
E
on import from payload "$work/source"
is 'documents and blocks inside texts of Payload' 0 '*items	3 imported*media	1 copied*' ''
two=$(id_of notes two)
on call content_get collection=notes id=one
has 'links of texts lead to documents' '*"href":"/notes/two"*'
has 'files inside blocks are values' '*"image":{"id":"01*"alt":"A"*'
has 'blocks refer to documents' "*\"page\":{\"_type\":\"reference\",\"_ref\":\"$two\",\"collection\":\"notes\"}*"
has 'texts inside blocks are texts' '*"text":\[{*"_type":"block"*"text":"inner"*'
has 'a document in a text is a block that shows it' \
	"*\"_type\":\"reference\",\"_ref\":\"$two\",\"href\":\"/notes/two\"*\"title\":\"Two\"*"
has 'a block in a text stays a block' \
	"*\"blockType\":\"teaser\",\"label\":\"Read -- on\",\"notes\":\[{\"_type\":\"reference\",\"_ref\":\"$two\"*\"_type\":\"teaser\"*"
on call content_get collection=notes id=three
has 'a block within a line stands between its words' '*"text":"Ask*"blockType":"mention","name":"Ann"*"_type":"mention"*"text":"today"*'

# ---- Strapi ----

site
mkdir "$work/source/entities" "$work/source/links" "$work/source/schemas"
cat >"$work/source/schemas/schemas_00001.jsonl" <<'E'
{"uid":"api::post.post","attributes":{"title":{"type":"string"},"zone":{"type":"dynamiczone"},"card":{"type":"component","repeatable":false}}}
{"uid":"default.card","attributes":{"label":{"type":"string"},"post":{"type":"relation","relation":"oneToOne"},"posts":{"type":"relation","relation":"oneToMany"}}}
E
cat >"$work/source/entities/entities_00001.jsonl" <<'E'
{"type":"api::post.post","id":1,"data":{"documentId":"d1","title":"One","slug":"one","publishedAt":"2024-05-02T10:00:00.000Z"}}
{"type":"default.card","id":7,"data":{"id":7,"label":"Card"}}
{"type":"api::post.post","id":2,"data":{"documentId":"d2","title":"Two","slug":"two","publishedAt":"2024-05-02T10:00:00.000Z"}}
E
cat >"$work/source/links/links_00001.jsonl" <<'E'
{"kind":"relation.basic","relation":"morphToMany","left":{"type":"api::post.post","ref":1,"field":"zone"},"right":{"type":"default.card","ref":7}}
{"kind":"relation.basic","relation":"oneToOne","left":{"type":"api::post.post","ref":1,"field":"card"},"right":{"type":"default.card","ref":7}}
{"kind":"relation.basic","relation":"oneToOne","left":{"type":"default.card","ref":7,"field":"post"},"right":{"type":"api::post.post","ref":2}}
{"kind":"relation.basic","relation":"oneToMany","left":{"type":"default.card","ref":7,"field":"posts"},"right":{"type":"api::post.post","ref":2}}
E
on import from strapi "$work/source"
is 'components and zones of Strapi' 0 '*items	2 imported*' ''
two=$(id_of posts two)
on call content_get collection=posts id=one
to="{\"_type\":\"reference\",\"_ref\":\"$two\",\"collection\":\"posts\"}"
has 'components refer to documents' "*\"card\":{\"id\":7,\"label\":\"Card\",\"post\":$to,\"posts\":\[$to\]}*"
has 'those of a zone have their type, and are a list' \
	"*\"zone\":\[{\"id\":7,\"label\":\"Card\",\"post\":$to,\"posts\":\[$to\],\"__component\":\"default.card\"}\]*"
sed -i '3d' "$work/source/links/links_00001.jsonl"
echo '{"kind":"relation.basic","relation":"oneToOne","left":{"type":"default.card","ref":7,"field":"post"},"right":{"type":"api::post.post","ref":9}}' \
	>>"$work/source/links/links_00001.jsonl"
on import from strapi "$work/source" --update
is 'one to a document that is not in the export is told, and lost' 1 '*1 updated*' \
	'*card refers to api::post.post:9, which was not imported*'

echo "1..$count"
