#!/bin/sh
# directories.t - "stet import from markdown" with the directories that generators of sites have: locales, sections,
# links, dates, addresses, and what is not read. TAP.
work=$(mktemp -d "${TMPDIR:-/tmp}/stet-directories-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
# shellcheck source=t/cli/command.sh
. "${STET_SOURCE:-.}/t/cli/command.sh"
# shellcheck source=t/cli/site.sh
. "${STET_SOURCE:-.}/t/cli/site.sh"

# Writes a document: NAME, TITLE, TEXT, lines of front matter.
put() {
	mkdir -p "$(dirname "$work/source/$1")"
	{
		echo ---
		[ -z "$2" ] || echo "title: $2"
		[ -z "$4" ] || printf '%s\n' "$4"
		printf -- '---\n%s\n' "$3"
	} >"$work/source/$1"
}

file() {
	mkdir -p "$(dirname "$work/source/$1")"
	cat >"$work/source/$1"
}

import() {
	on import from markdown "$work/source" "$@"
}

item() {
	on call content_get collection="$1" id="$2" ${3:+locale=$3}
}

# Fails unless the two items are translations of each other.
joined() {
	item "$1" "$2" "$3"
	first=$(printf '%s' "$out" | sed -n 's/.*"translationGroup":"\([^"]*\)".*/\1/p')
	item "$1" "$4" "$5"
	second=$(printf '%s' "$out" | sed -n 's/.*"translationGroup":"\([^"]*\)".*/\1/p')
	out="$first = $second"
	[ -n "$first" ] && [ "$first" = "$second" ]
	status=$?
	is "$6" 0 '*' ''
}

# ---- locales ----

site '"en", "de"'
put content/en/docs/page.md Page x
put content/de/docs/page.md Seite x
put content/en/_index.md Home x
put about.md About x
put about.de.md Über x
import
is 'locales of Hugo and Eleventy' 0 '*items	5 imported	0 skipped	0 failed*' ''
joined docs page en page de 'directories of locales join translations'
joined pages about en about de 'so does a locale before the ending, with a document that has none'

site '"en", "fr", "pt-BR"'
put src/content/blog/en/hello.md Hello x
put src/content/blog/fr/hello.md Bonjour x
put src/content/blog/pt-br/hello.md Oi x
import
is 'locales of Astro, below a collection' 0 '*items	3 imported	0 skipped	0 failed*' ''
joined posts hello en hello fr 'are joined'
joined posts hello en hello pt-BR 'with a region too'

site '"en", "fr"'
file docusaurus.config.js <<'E'
export default { i18n: { defaultLocale: 'en', locales: ['en', 'fr'] } };
E
put docs/intro.md Intro '[next](./guide/next.md)'
put docs/guide/next.md Next '[intro](../intro.md)'
put i18n/fr/docusaurus-plugin-content-docs/current/intro.md Débuter '[suite](./guide/next.md)'
put blog/2021-02-03-hello.md Hello x
put i18n/fr/docusaurus-plugin-content-blog/2021-02-03-hello.md Salut x
put src/pages/team.md Team x
put i18n/fr/docusaurus-plugin-content-pages/team.md Équipe x
import
is 'translations of Docusaurus' 0 '*items	7 imported	0 skipped	0 failed*' ''
joined docs intro en intro fr 'of documents'
joined posts hello en hello fr 'of posts'
joined pages team en team fr 'and of pages are joined'
item docs intro fr
is 'a link of a translation leads to what is not translated' 0 '*"href":"/docs/guide-next"*' ''

site '"en", "de"'
put _posts/2020-01-02-one.md One x 'lang: en
ref: one'
put _posts/2020-01-02-eins.md Eins x 'lang: de
ref: one'
put about.md About x 'lang: en
permalink: /about/'
put ueber.md Über x 'lang: de
permalink: /about/'
put _recipes/tea.md Tea x
import
is 'languages of Jekyll' 0 '*items	5 imported	0 skipped	0 failed*' ''
joined posts one en eins de 'join by a reference'
joined pages about en about de 'or by an address'
item recipes tea
is 'collections of Jekyll are collections' 0 '*"title":"Tea"*' ''

site '"en"'
put content/en/docs/page.md Page x
put content/de/docs/page.md Seite x
put content/go/docs/lang.md Go x
import
is 'a locale that the site lacks is told' 1 '*items	2 imported	0 skipped	1 failed*' \
	'*Seite: *no locale "de"*'
import --set locales=de,go
is 'what is a locale can be said' 1 '*' '*no locale "go"*'

# ---- sections, slugs, addresses ----

site '"en"'
file hugo.toml <<'E'
title = "S"
E
put content/_index.md Home x
put content/docs/_index.md Docs x
put content/docs/guide/_index.md Guide x 'weight: 3'
put content/docs/guide/install.md Install x 'aliases: [/old/install/, older]'
put content/docs/guide/more/deep.md Deep x
put content/docs/admin/setup.md Setup x
put content/docs/slug/one.md One x 'slug: /first/'
put content/docs/slug/two.md Two x 'url: /second.html'
put content/posts/2021/trip/index.md Trip '![a](a.gif) ![b](/img/b.gif)' 'date: 2021-01-01'
gif content/posts/2021/trip/a.gif
gif static/img/b.gif
put README.md Notes x
put archetypes/default.md '{{ .Name }}' x
import --redirects "$work/_redirects"
is 'sections of Hugo' 0 '*items	9 imported	0 skipped	0 failed*media	1 copied	1 were there*' \
	'*content/: 2 documents outside of this directory are no content*'
item docs guide
guide=$(printf '%s' "$out" | sed -n 's/.*"item":{"id":"\([^"]*\)".*/\1/p')
is 'a section page is an item' 0 '*"title":"Guide"*"weight":3*' ''
item docs install
is 'which is the parent of those below' 0 "*\"parent\":\"${guide:-none}\"*" ''
item docs more-deep
is 'a directory without a page is part of the slug' 0 "*\"parent\":\"${guide:-none}\"*" ''
item docs admin-setup
is 'also where there is no parent' 0 '*"title":"Setup"*' ''
item docs first
is 'the front matter has the slug' 0 '*"title":"One"*' ''
item docs second
is 'or the address' 0 '*"title":"Two"*' ''
item posts trip
is 'a directory with its pictures is a post' 0 '*"/_cms/api/media/file/*"/_cms/api/media/file/*' ''
item pages docs
is 'the page of a section of the site is a page' 0 '*"title":"Docs"*' ''
out=$(sort "$work/_redirects") err='' status=0
is 'old addresses become redirects' 0 '*/docs/admin/setup/ /docs/admin-setup 301
*/docs/guide/install/ /docs/install 301
*/old/install/ /docs/install 301
/older /docs/install 301
*/second.html /docs/second 301*' ''

site '"en"'
put docs/a/_index.md A x
put docs/a/setup.md 'Setup of A' x
put docs/b/_index.md B x
put docs/b/setup.md 'Setup of B' x
import
item docs a-setup
is 'documents with one name keep those of their directories' 0 '*"title":"Setup of A"*"parent":"*' ''
import --set paths=wrong
is 'options are checked' 1 '*' '*The option paths must be tree*'
site '"en"'
put docs/a/_index.md A x
put docs/a/setup.md Setup x
import --set paths=joined
item docs a-setup
is 'slugs can have all names' 0 '*"title":"Setup"*' ''
site '"en"'
put docs/a/setup.md Setup x
import --set paths=name
item docs setup
is 'or none' 0 '*"title":"Setup"*' ''

site '"en"'
put docs/guide.md Guide x
put docs/a.md A x 'parent: Guide'
put docs/b.md B x 'parent: docs/guide'
import
is 'parents of the front matter' 0 '*items	3 imported	0 skipped	0 failed*' ''
item docs a
is 'are values if they are titles' 0 '*"parent_title":"Guide"*' ''
item docs b
is 'and parents if they are documents' 0 '*"parent":"01*' ''
site '"en"'
on call schema_create_collection slug=docs label=Docs
on call schema_create_field collection=docs slug=title label=Title type=string
on call schema_create_field collection=docs slug=menu_order label=Order type=integer
put docs/a.md A '' 'sidebar_position: 4'
import
item docs a
is 'the place goes to the field for it' 0 '*"menu_order":4*' ''

site '"en"'
put docs/a.md 1.5 x 'description: One
summary: Two
url: /u/
permalink: /p/
draft: "yes"
tags: [a]
keywords: [b]'
put docs/b.md B x 'published: 2020-02-03
updated: {at: 1}'
import
item docs u
is 'a second name for one member is a value' 0 '*"status":"draft"*"title":"1.5"*"excerpt":"One"*"summary":"Two"*"permalink":"/p/"*' ''
item docs b
is 'so is what is no text' 0 '*"at":1*"publishedAt":"2020-02-03*' ''

# ---- links ----

site '"en"'
put posts/a.md A '[b](b.md) [c](../docs/c.md#part) [d](/docs/d/) [e](../missing.md) [f](/feed.xml) [g](https://x.example/g.md)
![h](https://x.example/h.png) [![i](https://x.example/i.png)](b.md)'
put posts/b.md B '[a](./a.md?x=1)'
put docs/c.md C '[d](./d/) [e](../e/) <a href="d.md">d</a>'
put docs/d.md D '{{< ref "e.md" >}} [e]({{< relref "e.md#x" >}})'
put docs/e.md E '[p]({% post_url 2020-05-06-p %}) [q]({% link _posts/2020-05-06-p.md %}) [r](/2020/05/06/p.html)'
put _posts/2020-05-06-p.md P 'x'
import
is 'links lead to documents' 0 '*items	6 imported	0 skipped	0 failed*' \
	'*posts/a.md: Its link ../missing.md leads to no document*'
item posts a
is 'those to later documents too' 0 '*"href":"/blog/b"*"href":"/docs/c#part"*"href":"/docs/d"*"href":"../missing.md"*"href":"/feed.xml"*"href":"https://x.example/g.md"*' ''
is 'pictures link to them' 0 '*"/blog/b"*"/blog/b"*' ''
item posts b
is 'those to earlier ones' 0 '*"href":"/blog/a?x=1"*' ''
item docs c
is 'links to pages, and links of HTML' 0 '*"href":"/docs/d"*"href":"/docs/e"*"href":"/docs/d"*' ''
item docs d
is 'references of Hugo' 0 '*"href":"/docs/e#x"*' ''
item docs e
is 'references and addresses of Jekyll' 0 '*"href":"/blog/p"*"href":"/blog/p"*"href":"/blog/p"*' ''
import --update
is 'a second import finds nothing new' 0 '*known	0 updated	6 unchanged	0 changed here*' '*missing.md*'
put posts/a.md A2 '[b](b.md) [c](../docs/c.md)'
import --update
is 'an update is one of its item alone' 0 '*known	1 updated	5 unchanged	0 changed here*' ''
item posts a
is 'with its links' 0 '*"title":"A2"*"href":"/blog/b"*"href":"/docs/c"*' ''
site '"en"'
put docs/a.md A '[b](b.md)'
put docs/b.md B x 'lang: xx'
import
is 'a link to what is not imported is told' 1 '*items	1 imported	0 skipped	1 failed*' '*refers to docs/b, which was not imported*'
item docs a
is 'and is a path' 0 '*"href":"/docs/b"*' ''

site '"en"'
file _config.yml <<'E'
permalink: /:categories/:year/:title/
collections:
  recipes:
    output: true
E
put tech/_posts/2020-01-02-hello.md Hello '![p]({{ site.baseurl }}/assets/p.gif) [a]({{ site.baseurl }}{% link about.md %})
[b]({{ "/about/" | relative_url }}) {{ page.url }}'
put about.md About '[hello]({% post_url 2020-01-02-hello %})' 'permalink: /about-us/'
put _drafts/soon.md Soon x
put _recipes/tea.md Tea x
gif assets/p.gif
file _data/pages.yml <<'E'
main:
  - title: About
    url: /about-us/
E
file src/content/authors/ann.json <<'E'
{"name": "Ann"}
E
import --redirects "$work/_redirects"
is 'a site of Jekyll' 0 '*items	5 imported	0 skipped	0 failed*media	1 copied*' ''
item posts hello
is 'its addresses are links and pictures' 0 '*"href":"/about-us"*"href":"/about-us"*"/_cms/api/media/file/*' ''
on call content_get collection=posts id=hello include=terms
is 'directories above posts are categories' 0 '*"tech"*' ''
item posts soon
is 'drafts are drafts' 0 '*"status":"draft"*' ''
item pages_main about
is 'lists in an object are tables' 0 '*"/about-us/"*' ''
out=$(sort "$work/_redirects") err='' status=0
is 'addresses follow its pattern' 0 '/recipes/tea.html /recipes/tea 301
/tech/2020/hello/ /blog/hello 301' ''
site '"en"'
file astro.config.mjs <<'E'
export default {};
E
put src/content/blog/a.mdx A '[b](./b/)'
put src/content/blog/b.md B '![p](../../assets/p.gif)' 'heroImage: ../../assets/p.gif'
gif src/assets/p.gif
file src/content/authors/ann.json <<'E'
{"name": "Ann"}
E
import
is 'a site of Astro' 0 '*items	3 imported	0 skipped	0 failed*media	1 copied*' ''
item posts a
is 'has links' 0 '*"href":"/blog/b"*' ''
item authors ann
is 'and collections of data' 0 '*"Ann"*' ''
if command -v zip >/dev/null; then
	mkdir "$work/source/site-main"
	(cd "$work/source" && mv astro.config.mjs src site-main && zip -qr ../site.zip site-main)
	on import from markdown "$work/site.zip"
	rm "$work/site.zip"
	item posts a
	is 'a zip file may have a directory around it' 0 '*"href":"/blog/b"*' ''
else
	skip 'a zip file may have a directory around it' zip
fi

# ---- dates ----

site '"en"'
put posts/a.md A '[b](b.md)' 'date: 2099-01-01'
put posts/b.md B x 'date: 2020-01-01
publishDate: 2098-01-01'
put posts/c.md C x 'date: 2099-01-01
draft: true'
put posts/d.md D x 'expiryDate: 2020-01-01'
import
is 'dates in the future' 0 '*items	4 imported	0 skipped	0 failed*' '*posts/a.md: Its date is in the future*posts/d.md: It has expired*'
item posts a
is 'are schedules' 0 '*"status":"scheduled"*"href":"/blog/b"*"scheduledAt":"2099-01-01T00:00:00.000Z"*' ''
item posts b
is 'also beside an earlier date' 0 '*"status":"scheduled"*"scheduledAt":"2098-01-01T00:00:00.000Z"*' ''
item posts c
is 'but not of drafts' 0 '*"status":"draft"*' ''
item posts d
is 'what has expired is a draft' 0 '*"status":"draft"*' ''

# ---- menus and data ----

site '"en", "de"'
file hugo.toml <<'E'
defaultContentLanguage = "en"
[languages.en]
weight = 1
[languages.de]
weight = 2
contentDir = "inhalt"
[[languages.de.menus.main]]
name = "Start"
url = "/"
[[menus.main]]
name = "Guides"
identifier = "guides"
url = "https://x.example/g"
weight = 20
[[menus.main]]
name = "Documents"
pageRef = "/docs"
weight = 10
E
put content/docs/_index.md Docs x
put content/docs/a.md A x 'menu:
  main:
    parent: guides
    weight: 5'
put content/docs/b.md B x 'menus: [footer]'
put inhalt/docs/a.md A-de x
file data/team.yaml <<'E'
- name: Ann
  role: boss
- name: Bob
  role: clerk
E
file data/places.toml <<'E'
[rome]
country = "Italy"
E
file data/books/first.json <<'E'
{"title": "First", "pages": 12}
E
file data/docs.json <<'E'
[{"name": "A row"}]
E
file data/one.yaml <<'E'
colour: red
E
file data/list.csv <<'E'
a,b
E
import
is 'menus and data of Hugo' 1 '*items	9 imported	0 skipped	2 failed*menus	3	5 items*' \
	'*data/one.yaml: It is no table of objects*'
joined docs a en a de 'a directory of content has a locale'
item docs a en
a=$(printf '%s' "$out" | sed -n 's/.*"item":{"id":"\([^"]*\)".*/\1/p')
on call menu_get name=main locale=en
is 'a menu leads to items and addresses' 0 "*\"Documents\"*\"Guides\"*\"${a:-none}\"*" ''
on call menu_get name=main locale=de
is 'each locale has its own' 0 '*"Start"*' ''
on call menu_locales name=main
is 'and is a translation' 0 '*"locale":"de"*"locale":"en"*' ''
on call menu_get name=footer
is 'documents add themselves' 0 '*"B"*' ''
item team ann
is 'a list is a table' 0 '*"role":"boss"*' ''
item places rome
is 'so is an object of objects' 0 '*"country":"Italy"*' ''
item books first
is 'and a directory of objects' 0 '*"pages":12*' ''
item data_docs a-row
is 'not among the documents' 0 '*"A row"*' ''
rm "$work/source/data/one.yaml" "$work/source/data/list.csv"
import --update
is 'which are known again' 0 '*known	0 updated	9 unchanged	0 changed here*' ''
site '"en"'
put docs/a.md A x
file _data/team.json <<'E'
[{"name": "Ann"}]
E
import --set data=no
is 'data can be left out' 0 '*items	1 imported	0 skipped	0 failed*' ''

site '"en", "pt-BR"'
put about.md About x 'lang: en'
put sobre.md Sobre x 'lang: pt-BR'
file _data/navigation.yml <<'E'
- title: About
  url: /about/
- title: More
  children:
    - title: Far
      url: https://x.example/far
E
file _data/pt-br/navigation.yml <<'E'
- title: Sobre
  url: /sobre/
  icon: star
E
file _data/menus.yml <<'E'
en:
  footer: [{ label: Imprint, href: "https://x.example/i" }]
pt-BR:
  footer: [{ label: Aviso, href: "https://x.example/a" }]
E
file _data/nav.json <<'E'
[{"title": "No address"}]
E
import
is 'files of data have menus' 1 '*menus	4	6 items*' \
	'*_data/pt-br/navigation.yml: Its entries have members for which menus have no place: icon*'
on call menu_get name=navigation locale=pt-BR
is 'in locales, however these are spelled' 0 '*"Sobre"*' ''
on call menu_get name=navigation locale=en
is 'with entries below entries' 0 '*"label":"More"*"parentId":"*"label":"Far"*' ''
is 'and links to items' 0 '*"referenceId":"*' ''
on call menu_locales name=footer
is 'locales in one file are translations' 0 '*"locale":"en"*"locale":"pt-BR"*' ''
item nav no-address
is 'a list without addresses is a table' 0 '*"title":"No address"*' ''
site '"en"'
put about.md About x
file hugo.toml <<'E'
[[languages.fr.menus.main]]
name = "Début"
url = "/"
E
import
is 'a menu in a language that the site lacks is told' 1 '*' '*Début: It is in the menu main of the locale fr*'

# ---- documents of HTML ----

site '"en", "de"'
file _config.yml <<'E'
title: S
E
put _posts/2020-01-02-tides.html Tides '<h2>High &amp; low</h2>
<p>See <a href="{{ site.baseurl }}/about.html">us</a>, <a href="{% post_url 2020-01-03-dunes %}">dunes</a>,
<a href="../lost.html">lost</a>, <a href="{{ "/files/a.gif" | relative_url }}">a</a>. {% include box.html %}</p>
<img src="/files/a.gif" alt="Waves">
{% highlight c %}
if (a < b)
{% endhighlight %}' 'tags: [sea]'
put _posts/2020-01-03-dunes.md Dunes '[tides](2020-01-02-tides.html)'
put about.html About '<html><head><title>No</title></head><body><p>We</p></body></html>' 'lang: en
ref: about'
put ueber.htm Über '<p>Wir</p>' 'lang: de
ref: about'
put index.html Home '{% for post in site.posts %}<p>{{ post.title }}</p>{% endfor %}'
put _layouts/page.html Layout '<p></p>'
file bare.html <<'E'
<p>B</p>
E
gif files/a.gif
import
is 'HTML with front matter is a document' 1 '*items	4 imported	0 skipped*media	1 copied*' \
	'*index.html: It is a template*bare.html: 1 document of HTML without front matter (.html) is not read*_posts/2020-01-02-tides.html: Shortcodes that are kept as text: include (1)*leads to no document*'
item posts tides
is 'its text is converted' 0 '*"style":"h2"*' ''
is 'with entities' 0 '*"High & low"*' ''
is 'code' 0 '*"code":"if (a < b)*"language":"c"*' ''
is 'and what is not understood' 0 '*{% include box.html %}*' ''
is 'its links lead to items' 0 '*"href":"/about"*"href":"/blog/dunes"*' ''
is 'and its pictures to the library' 0 '*/_cms/api/media/file/*"alt":"Waves"*' ''
on call content_get collection=posts id=tides include=terms
is 'it has terms' 0 '*"sea"*' ''
item posts dunes
is 'Markdown links to it' 0 '*"href":"/blog/tides"*' ''
item pages about en
is 'what stands in the body is the text' 0 '*"We"*' ''
joined pages about en ueber de 'translations of HTML join'
import --update
is 'documents of HTML are known again' 1 '*known	0 updated	4 unchanged	0 changed here*' '*'
rm "$work/source/index.html" "$work/source/bare.html" "$work/source"/_posts/*
import --update
is 'nothing is told of what is read' 0 '*known	0 updated	2 unchanged*' ''

# ---- what is not read ----

site '"en"'
file a.adoc <<'E'
= A
E
file docs/b.rst <<'E'
B
E
file docs/c.rst <<'E'
C
E
import
is 'a directory without documents is none' 1 '' '*There is no document here*it has 1 of .adoc, 2 of .rst*'
put docs/a.md A x
file docs/d.org <<'E'
* D
E
file _posts/2020-01-02-e.html <<'E'
<p>E</p>
E
file _layouts/page.html <<'E'
<p></p>
E
import
is 'other formats are told by name and number' 1 '*items	1 imported	0 skipped	4 failed*' \
	'*docs/b.rst: 2 documents of reStructuredText (.rst) are not read: docs/b.rst, docs/c.rst*_posts/2020-01-02-e.html: 1 document of HTML without front matter (.html) is not read*'

# ---- sidebars of Docusaurus ----

# Reads a menu: NAME, a locale.
menu() {
	on call menu_get name="$1" ${2:+locale="$2"}
}

site '"en"'
put docs/intro.md Intro x 'sidebar_position: 1'
put docs/guide/index.md Guide x
put docs/guide/second.md Second x 'sidebar_position: 2'
put docs/guide/first.md 'The first' x 'sidebar_position: 1
sidebar_label: First'
put docs/api/01-b.md B x
put docs/api/02-a.md A x
put docs/extra.md Extra x
file docs/guide/_category_.json <<'E'
{"label": "All guides", "position": 3}
E
file docs/api/_category_.yml <<'E'
label: API
position: 2
E
file sidebars.js <<'E'
// @ts-check
/** {a comment} = { */
const sidebars = {
	all: [{type: 'autogenerated', dirName: '.'}],
	named: [
		'intro', // the first
		{type:'category', label:"Guides", link: {type: 'doc', id: 'guide/index'}, items: ['guide/first', {type: 'doc', id: 'guide/second', label: '2nd: "it"'}]},
		{type: 'link', label: 'Elsewhere', href: 'https://elsewhere.example/'},
		{Short: ['extra', 'gone']},
	],
};
module.exports = sidebars;
E
import
is 'sidebars are menus; what they name and is not there is told' 1 '*items	7 imported*menus	2*' \
	'*sidebars.js: The sidebar named has "gone", which is no document here*'
menu named
is 'with labels and links' 0 '*"Intro"*"Guides"*"/docs/guide"*"The first"*2nd: *Elsewhere*https://elsewhere.example/*"Short"*"Extra"*' ''
menu all
is 'directories are in their places' 0 \
	'*"Intro"*"API"*"B"*"A"*"All guides"*"First"*"Second"*"Extra"*' ''
site '"en"'
put docs/b.md B x 'sidebar_position: 2'
put docs/c.md C x 'sidebar_position: 1'
file docusaurus.config.js <<'E'
module.exports = {title: 'T'};
E
import
menu defaultSidebar
is 'without such a file all documents are one' 0 '*"C"*"B"*' ''
file sidebars.js <<'E'
module.exports = require('./bars')(`x`);
E
import --dry-run
is 'a program is told' 1 '*' '*sidebars.js: It is a program, not an object of sidebars*'

# ---- the navigation bar of Docusaurus ----

site '"en", "de"'
put docs/intro.md Intro x
put docs/about.md About x
put docs/deep/0.md Deep x
put i18n/de/docusaurus-plugin-content-docs/current/intro.md Anfang x
file sidebars.js <<'E'
module.exports = {all: [{type: 'autogenerated', dirName: '.'}]};
E
file docusaurus.config.ts <<'E'
import {themes} from 'prism-react-renderer';
const config: Config = {
	title: 'T', url: process.env.URL,
	themeConfig: {
		prism: {theme: themes.github},
		navbar: {
			title: 'T',
			items: [
				{type: 'docSidebar', sidebarId: 'all', position: 'left', label: 'Guide'},
				{type: 'doc', docId: 'about', label: 'About us'},
				{type: 'doc', docId: 'gone', label: 'Gone'},
				{type: 'dropdown', label: 'More', items: [{label: 'Code', href: 'https://code.example/'}]},
				{type: 'localeDropdown'}, {type: 'search', position: 'right'},
			],
		},
	} satisfies Preset.ThemeConfig,
};
export default config;
E
file i18n/de/docusaurus-theme-classic/navbar.json <<'E'
{"title": {"message": "T"}, "item.label.Guide": {"message": "Anleitung", "description": "x"}}
E
import
is 'a navigation bar is a menu' 1 '*menus	3*' \
	'*docusaurus.config.ts: The navigation bar has "Gone", which leads to no document here*'
menu navbar en
is 'with sidebars, documents, addresses and levels' 0 \
	'*"label":"Guide"*"/docs/intro"*"label":"About us"*"/docs/about"*"label":"More"*"label":"Code"*https://code.example/*' ''
menu navbar de
is 'and with labels of another locale' 0 '*"label":"Anleitung"*"label":"About us"*' ''
sed -i "s/items: \[/items: things(\`x\`), more: [/" "$work/source/docusaurus.config.ts"
import --dry-run
is 'a bar that a program makes is told' 1 '*' '*docusaurus.config.ts: Its navigation bar is a program, not an object*'

echo "1..$count"
