// exports.mjs - small sites of other systems, as their exports: WordPress, Ghost, and a directory of Markdown. Each has the
// blocks that the system has, links between its items, and one that leads nowhere.
import fs from "node:fs";
import path from "node:path";
import { png } from "../admin/files.mjs";

const OLD = "https://old.example";

const block = (name, html, attributes) =>
	`<!-- wp:${name}${attributes ? ` ${JSON.stringify(attributes)}` : ""} -->\n${html}\n<!-- /wp:${name} -->`;
const sky = `${OLD}/wp-content/uploads/2024/05/sky.png`;
const picture = `<figure class="wp-block-image"><img src="${sky}" alt="Sky" class="wp-image-90"/><figcaption>At <a href="${OLD}/about/">noon</a></figcaption></figure>`;

// Every block of WordPress that becomes something other than a paragraph.
const blocks = [
	block(
		"paragraph",
		`<p>See <a href="${OLD}/2024/05/second/">the <strong>second</strong></a> and <a href="${OLD}/gone/">what is gone</a>.</p>`,
	),
	block("heading", "<h2>A heading</h2>"),
	block("list", "<ul><li>One<ol><li>Deep</li></ol></li><li>Two</li></ul>"),
	block("quote", "<blockquote><p>Let it stand.</p><p>Both.</p><cite>Ann</cite></blockquote>"),
	block("pullquote", "<figure><blockquote><p>Pulled</p><cite>Bo</cite></blockquote></figure>"),
	block("code", `<pre><code>if (a &lt; b)${" and more".repeat(20)}</code></pre>`),
	block("verse", "<pre>A line\n  and one</pre>"),
	block("image", picture, { id: 90, align: "wide" }),
	block(
		"gallery",
		`<figure class="wp-block-gallery">${block("image", picture, { id: 90 })}${block("image", picture, { id: 90 })}<figcaption>Skies</figcaption></figure>`,
		{ columns: 2 },
	),
	block(
		"media-text",
		`<div><figure><img src="${sky}" alt=""/></figure><div>${block("paragraph", "<p>Beside</p>")}</div></div>`,
	),
	block("cover", `<div><img src="${sky}" alt=""/><div>${block("paragraph", "<p>Above</p>")}</div></div>`, {
		url: sky,
		dimRatio: 40,
		customOverlayColor: "#003355",
		minHeight: 300,
	}),
	block(
		"columns",
		`<div>${block("column", `<div>${block("paragraph", "<p>Left</p>")}</div>`)}${block("column", `<div>${block("list", "<ul><li>Right</li></ul>")}</div>`)}</div>`,
	),
	block("group", `<div>${block("paragraph", "<p>Grouped</p>")}</div>`),
	block(
		"buttons",
		`<div>${block("button", `<div class="wp-block-button is-style-outline"><a href="${OLD}/about/">About</a></div>`)}${block("button", "<div><a>Nowhere</a></div>")}</div>`,
	),
	block(
		"file",
		`<div><a href="${sky}">Sky</a><a href="${sky}" class="wp-block-file__button" download>Download</a></div>`,
	),
	block("separator", "<hr/>"),
	block("more", "<!--more-->"),
	block(
		"table",
		"<figure><table><thead><tr><th></th><th>Price</th></tr></thead><tbody><tr><td>Ink</td><td>3</td></tr></tbody></table><figcaption>Prices</figcaption></figure>",
	),
	block("html", '<p onclick="go()">Raw <kbd>K</kbd><script>go()</script></p>'),
	block("shortcode", "[contact-form id=3]"),
	block(
		"embed",
		"<figure><div>https://www.youtube.com/watch?v=aqz-KE-bpKQ</div><figcaption>A rabbit</figcaption></figure>",
		{ url: "https://www.youtube.com/watch?v=aqz-KE-bpKQ", providerNameSlug: "youtube" },
	),
	block("video", `<figure><video controls src="https://films.example/walk.mp4"></video></figure>`),
	block("audio", `<figure><audio controls src="https://films.example/rain.mp3"></audio></figure>`),
	block("details", `<details><summary>More</summary>${block("paragraph", "<p>Inside</p>")}</details>`),
	block(
		"social-links",
		`<ul>${block("social-link", "", { url: "https://social.example/ann", service: "mastodon" })}</ul>`,
	),
	block("acme/price", "<div><p>12 crowns</p></div>", { amount: 12 }),
].join("\n\n");

const cdata = (text) => `<![CDATA[${text.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;
function wpItem(id, type, slug, title, content, more = "") {
	const day = String(10 + (id % 18)).padStart(2, "0");
	const where = type === "post" ? `/2024/05/${slug}/` : `/${slug}/`;
	return `<item><title>${title}</title><link>${OLD}${where}</link><dc:creator>ann</dc:creator><content:encoded>${cdata(content)}</content:encoded>
<wp:post_id>${id}</wp:post_id><wp:post_date_gmt>2024-05-${day} 10:00:00</wp:post_date_gmt><wp:post_name>${slug}</wp:post_name><wp:status>publish</wp:status>
<wp:post_parent>0</wp:post_parent><wp:menu_order>${id}</wp:menu_order><wp:post_type>${type}</wp:post_type>${more}</item>`;
}
const meta = (key, value) =>
	`<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value>${cdata(String(value))}</wp:meta_value></wp:postmeta>`;
const menuItem = (id, title, type, object, of, more = {}) =>
	wpItem(
		id,
		"nav_menu_item",
		`item-${id}`,
		title,
		"",
		`<category domain="nav_menu" nicename="main">Main</category>${Object.entries({
			_menu_item_type: type,
			_menu_item_menu_item_parent: more.parent ?? 0,
			_menu_item_object_id: of,
			_menu_item_object: object,
			_menu_item_url: more.url ?? "",
		})
			.map(([key, value]) => meta(key, value))
			.join("")}`,
	);
const category = '<category domain="category" nicename="ink">Ink</category>';

/** Writes an export of WordPress, and its uploads. Returns the arguments for "stet import". */
export function wordpress(work) {
	const many = Array.from({ length: 14 }, (_, i) =>
		wpItem(20 + i, "post", `note-${i}`, `Note ${i}`, `<p>Note ${i}</p>`, category),
	);
	const xml = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel><title>Old &amp; good</title><link>${OLD}</link><description>Twelve kinds of ink</description><wp:wxr_version>1.2</wp:wxr_version><wp:base_site_url>${OLD}</wp:base_site_url><wp:base_blog_url>${OLD}</wp:base_blog_url>
<wp:author><wp:author_id>1</wp:author_id><wp:author_login>ann</wp:author_login><wp:author_display_name>Ann</wp:author_display_name></wp:author>
<wp:category><wp:term_id>2</wp:term_id><wp:category_nicename>ink</wp:category_nicename><wp:category_parent></wp:category_parent><wp:cat_name>Ink</wp:cat_name></wp:category>
<wp:category><wp:term_id>3</wp:term_id><wp:category_nicename>blue</wp:category_nicename><wp:category_parent>ink</wp:category_parent><wp:cat_name>Blue</wp:cat_name></wp:category>
<wp:term><wp:term_id>4</wp:term_id><wp:term_taxonomy>nav_menu</wp:term_taxonomy><wp:term_slug>main</wp:term_slug><wp:term_name>Main</wp:term_name></wp:term>
${wpItem(1, "post", "first", "The first &amp; foremost", blocks, `${category}<category domain="category" nicename="blue">Blue</category>${meta("_thumbnail_id", 90)}${meta("mood", "calm")}`)}
${wpItem(2, "post", "second", "The second", `<p>Back to <a href="/2024/05/first/#top">the first</a>, as classic text.</p>\n\n[gallery ids="90"]`, `${category}${["/plain.html", "/plain.html/below/", "long-".repeat(60)].map((slug) => meta("_wp_old_slug", slug)).join("")}`)}
${many.join("\n")}
${wpItem(3, "page", "about", "About", "<p>About us</p>")}
${wpItem(4, "page", "search", "A page where search is", "<p>Taken</p>")}
${wpItem(5, "book", "a-book", "A book", "<p>Bound</p>", meta("pages", 120))}
${wpItem(90, "attachment", "sky", "Sky", "", `<wp:attachment_url>${sky}</wp:attachment_url>`)}
${menuItem(50, "Home", "custom", "custom", 50, { url: "/" })}
${menuItem(51, "", "post_type", "page", 3)}
${menuItem(52, "Ink", "taxonomy", "category", 2)}
${menuItem(53, "The second", "post_type", "post", 2, { parent: 52 })}
${menuItem(54, "Lost", "custom", "custom", 54, { url: "/nowhere/" })}
</channel></rss>\n`;
	const uploads = path.join(work, "uploads/2024/05");

	fs.mkdirSync(uploads, { recursive: true });
	fs.writeFileSync(
		path.join(uploads, "sky.png"),
		png(640, 400, [
			[0, 60, 120],
			[200, 220, 240],
		]),
	);
	fs.writeFileSync(path.join(work, "site.xml"), xml);
	return [
		"wxr",
		path.join(work, "site.xml"),
		"--media-dir",
		path.join(work, "uploads"),
		"--fields",
		"--map",
		"book=books",
	];
}

// Cards as Ghost writes them in the HTML of a post.
const cards = `<p>Back to <a href="__GHOST_URL__/one/">one</a></p><blockquote>Quoted</blockquote>
<figure class="kg-card kg-image-card kg-width-wide kg-card-hascaption"><img src="https://pictures.example/a.jpg" class="kg-image" alt="A" width="800" height="600"><figcaption>The <a href="https://example.org/">caption</a></figcaption></figure>
<figure class="kg-card kg-gallery-card"><div class="kg-gallery-container"><div class="kg-gallery-row"><div class="kg-gallery-image"><img src="https://pictures.example/b.jpg" alt=""></div><div class="kg-gallery-image"><img src="https://pictures.example/c.jpg" alt=""></div></div></div></figure>
<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://example.org/page"><div class="kg-bookmark-content"><div class="kg-bookmark-title">A bookmark</div><div class="kg-bookmark-description">About it</div></div></a></figure>
<div class="kg-card kg-callout-card kg-callout-card-blue"><div class="kg-callout-emoji">!</div><div class="kg-callout-text">Mind the gap</div></div>
<div class="kg-card kg-toggle-card"><div class="kg-toggle-heading"><h4>A question</h4></div><div class="kg-toggle-content"><p>An answer</p></div></div>
<div class="kg-card kg-button-card kg-align-center"><a href="__GHOST_URL__/one/" class="kg-btn">Press</a></div>
<figure class="kg-card kg-embed-card"><iframe width="200" height="113" src="https://www.youtube.com/embed/aqz-KE-bpKQ?feature=oembed" title="A rabbit"></iframe></figure>
<div class="kg-card kg-file-card"><a class="kg-file-card-container" href="https://pictures.example/sheet.pdf" title="Download" download><div class="kg-file-card-title">Sheet</div></a></div>
<!--kg-card-begin: html--><table><tr><th>A</th><td>1</td></tr></table><!--kg-card-end: html-->`;

/** Writes an export of Ghost. */
export function ghost(work) {
	const text = (words, format = 0) => ({ type: "extended-text", text: words, format });
	const lexical = JSON.stringify({
		root: {
			type: "root",
			children: [
				{
					type: "paragraph",
					children: [
						text("Words "),
						text("bold", 1),
						{ type: "link", url: "__GHOST_URL__/two/", children: [text("two")] },
					],
				},
				{ type: "extended-heading", tag: "h2", children: [text("Cards")] },
				{
					type: "list",
					listType: "bullet",
					tag: "ul",
					children: [{ type: "listitem", value: 1, children: [text("An item")] }],
				},
				{ type: "horizontalrule" },
				{ type: "codeblock", code: "let x;", language: "js" },
				{ type: "html", html: "<table><tr><td>Cell</td></tr></table><script>go()</script>" },
				{ type: "markdown", markdown: "Some **Markdown**" },
				{ type: "bookmark", url: "https://example.org/", metadata: { title: "A bookmark" } },
				{
					type: "embed",
					url: "https://vimeo.com/76979871",
					html: '<iframe src="https://player.vimeo.com/video/76979871"></iframe>',
				},
				{ type: "callout", calloutText: "<p>Mind the gap</p>", calloutEmoji: "!" },
				{ type: "toggle", heading: "A question", content: "<p>An answer</p>" },
				{ type: "button", buttonText: "Press", buttonUrl: "__GHOST_URL__/two/" },
				{ type: "extended-quote", children: [text("Quoted")] },
			],
		},
	});
	const at = "2024-03-0";
	const post = (id, slug, title, more) => ({
		id,
		slug,
		title,
		status: "published",
		type: "post",
		created_at: `${at}${id}T10:00:00.000Z`,
		published_at: `${at}${id}T10:00:00.000Z`,
		...more,
	});
	const data = {
		posts: [
			post("1", "one", "One", { lexical, custom_excerpt: "The first one" }),
			post("2", "two", "Two", {
				html: cards,
			}),
			post("3", "about", "About", { type: "page", html: "<p>About</p>" }),
		],
		tags: [{ id: "7", name: "Blue", slug: "blue" }],
		posts_tags: [{ tag_id: "7", post_id: "1" }],
		users: [{ id: "1", name: "Ann Example", slug: "ann", email: "a@example.org" }],
		posts_authors: [{ post_id: "1", author_id: "1" }],
	};

	fs.writeFileSync(
		path.join(work, "ghost.json"),
		JSON.stringify({ db: [{ meta: { exported_on: 1, version: "5.0.0" }, data }] }),
	);
	return ["from", "ghost", path.join(work, "ghost.json"), "--no-media"];
}

/** Writes a site of Markdown in two languages. */
export function markdown(work) {
	const files = {
		"posts/one.md": `---
title: One
date: 2024-02-01
tags: [ink]
summary: The first
---

Text with *marks*, ~~struck~~, a [link](/posts/two/), one that [leads nowhere](/posts/gone/), a note[^a] and $x < y$.

- [x] done
- [ ] open

3. third
   1. deep

| Left | Right |
|:-----|------:|
| a    |     b |

> [!TIP] Mind
> A callout with a [link](/about/).

:::warning Hot
Do not touch.
:::

$$
a^2 + b^2
$$

Stet
: Let it stand.

\`\`\`js
if (a < b) go();
\`\`\`

<details><summary>More</summary>

Inside

</details>

<iframe src="https://www.youtube.com/embed/aqz-KE-bpKQ"></iframe>

Press <kbd>K</kbd>.

{{< figure src="https://pictures.example/sky.png" alt="Sky" caption="At noon" >}}

{{< chart 3 >}}

[^a]: The note, with a [link](https://example.org/).
`,
		"posts/two.md":
			'---\ntitle: Two\ndate: 2024-02-02\ntags: [ink]\n---\n\n# A heading\n\nBack to [one](/posts/one/).\n\n***\n\n![Alt](https://pictures.example/a.png "Title")\n',
		"posts/deux.md": "---\ntitle: Deux\ndate: 2024-02-03\nlanguage: fr\n---\n\nEn français.\n",
		"pages/about.md": "---\ntitle: About\n---\n\nAbout.\n",
	};

	for (const [name, text] of Object.entries(files)) {
		fs.mkdirSync(path.join(work, "md", path.dirname(name)), { recursive: true });
		fs.writeFileSync(path.join(work, "md", name), text);
	}
	return ["from", "markdown", path.join(work, "md"), "--no-media"];
}
