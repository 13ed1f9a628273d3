// hostile.mjs - texts that would run as a script if a page took them for markup. They are stored in each place of a
// site that takes a text; then every page is opened. No script runs, no other host gets a request, and the
// Content-Security-Policy has nothing to refuse.
import assert from "node:assert/strict";
import { upload, caller } from "./articles.mjs";
import { pages } from "./looks.mjs";
import { Person } from "../browser/people.mjs";
import { setUp } from "./tour.mjs";

const HOME = "/_cms/admin";
const RUN = "window.ran=1";

// Texts that escape from a text node, an attribute, an address, a style, a comment or a template; that use names of
// object members; or that rely on error correction by the HTML parser.
export const corpus = [
	`<script>${RUN}</script>`,
	`"><script>${RUN}</script>`,
	`'><img src=x onerror=${RUN}>`,
	`"><img src=x onerror="${RUN}">`,
	`<svg/onload=${RUN}>`,
	`<svg><script>${RUN}</script></svg>`,
	`<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
	`<body onload=${RUN}>`,
	`<details open ontoggle=${RUN}>`,
	`<input autofocus onfocus=${RUN}>`,
	`" autofocus onfocus="${RUN}`,
	`' onmouseover='${RUN}`,
	`\` onerror=${RUN}`,
	`<video><source onerror=${RUN}></video>`,
	`<iframe srcdoc="<script>parent.ran=1</script>">`,
	`<iframe src="javascript:parent.ran=1">`,
	`<object data="javascript:${RUN}">`,
	`<embed src="javascript:${RUN}">`,
	`<form action="javascript:${RUN}"><button>`,
	`<a href="javascript:${RUN}">x</a>`,
	`<base href="https://evil.example/">`,
	`<meta http-equiv="refresh" content="0;url=https://evil.example/">`,
	`<link rel=stylesheet href="https://evil.example/x.css">`,
	`<style>*{background:url(https://evil.example/x)}</style>`,
	`</title><script>${RUN}</script>`,
	`</textarea><script>${RUN}</script>`,
	`</style><script>${RUN}</script>`,
	`--><script>${RUN}</script>`,
	`]]><script>${RUN}</script>`,
	`<!--<img src="--><img src=x onerror=${RUN}>">`,
	`<math><mtext></form><form><mglyph><style></math><img src onerror=${RUN}>`,
	`<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
	`<scr<script>ipt>${RUN}</scr</script>ipt>`,
	`<IMG SRC=x ONERROR=${RUN}>`,
	`<img/src="x"/onerror=${RUN}>`,
	`&lt;script&gt;${RUN}&lt;/script&gt;`,
	`&#60;img src=x onerror=${RUN}&#62;`,
	`\\u003cimg src=x onerror=${RUN}\\u003e`,
	`%3Cimg%20src%3Dx%20onerror%3D${RUN}%3E`,
	`javascript:${RUN}`,
	`JaVaScRiPt:${RUN}`,
	` javascript:${RUN}`,
	`java\tscript:${RUN}`,
	`data:text/html,<script>${RUN}</script>`,
	`vbscript:${RUN}`,
	`//evil.example/x`,
	`{{constructor.constructor('${RUN}')()}}`,
	`\${${RUN}}`,
	`<%= ${RUN} %>`,
	`__proto__`,
	`constructor`,
	`\u202e\u2066<b onclick=${RUN}>`,
	`<xss style="position:fixed;inset:0" onclick=${RUN}>`,
	`');${RUN}//`,
	`";${RUN}//`,
];
const all = corpus
	.filter((one) => !/[\t\u202e]/.test(one))
	.join(" ")
	.slice(0, 4000);

/* ---- filling a site ---- */

const span = (text) => ({ _type: "span", _key: "s", text });
const block = (text) => ({ _type: "block", _key: "b", style: "normal", children: [span(text)] });
/** An address that the server accepts: it is of the site itself, and contains any text. */
const addressOf = (text) => `/x/${text}`;
const linkTo = (text) => ({
	...block(text),
	_key: "a",
	markDefs: [{ _key: "m", _type: "link", href: text }],
	children: [{ ...span(text), marks: ["m"] }],
});
const bodyOf = (text) => [
	{ ...block(text), style: text },
	{
		...block(text),
		_key: "l",
		markDefs: [
			{ _key: "m", _type: "link", href: addressOf(text) },
			{ _key: "n", _type: text },
		],
		children: [{ ...span(text), marks: ["m", "n", text] }],
	},
	{ _type: "image", _key: "i", asset: { url: addressOf(text) }, alt: text, caption: text },
	{ _type: "embed", _key: "e", url: addressOf(text), html: text },
	{ _type: "htmlBlock", _key: "h", html: text },
	{ _type: "code", _key: "c", code: text, language: text },
	{ _type: text, _key: "u", [text]: text },
];

/** Stores every text in every place, unless the server refuses it. Returns the numbers of stored and refused texts. */
async function fill(call, { origin }) {
	const counts = { taken: 0, refused: 0 };
	const put = (...words) =>
		call(...words).then(
			(data) => {
				counts.taken++;
				return data;
			},
			(error) => {
				if (
					!/"code":"(VALIDATION_ERROR|INVALID_\w+|BAD_REQUEST|\w*_INVALID|CONFLICT|SLUG_CONFLICT)"/.test(
						error.message,
					)
				)
					throw error;
				counts.refused++;
			},
		);

	await call("POST", "/schema/collections", {
		slug: "traps",
		label: all.slice(0, 500),
		labelSingular: all.slice(0, 500),
		description: all,
		supports: ["drafts", "revisions", "preview", "scheduling", "search", "seo"],
	});
	const field = (slug, type, more) =>
		call("POST", "/schema/collections/traps/fields", { slug, label: all.slice(0, 200), type, ...more });
	await field("title", "string", { required: true, searchable: true, indexed: true });
	await field("lead", "text", { searchable: true });
	await field("body", "portableText", { searchable: true });
	await field("kind", "select", { indexed: true, validation: { options: corpus.slice(0, 20) } });
	await field("kinds", "multiSelect", { validation: { options: corpus.slice(20, 40) } });
	await field("address", "url");
	await field("cover", "image");
	await field("sheet", "file");
	await field("other", "reference", { options: { collection: "traps", allowMultiple: true } });
	await field("rows", "repeater", {
		options: { itemLabel: all.slice(0, 100) },
		validation: { subFields: [{ slug: "cell", label: all.slice(0, 100), type: "string" }] },
	});
	await field("raw", "json");
	await call("PUT", "/schema/collections/traps", {
		commentsEnabled: true,
		commentsModeration: "all",
		admin: { listColumns: ["kind", "address", "lead"] },
	});
	await call("PUT", "/admin/plugins/comments/settings", { values: { limitCount: 1000 } });
	await call("POST", "/search/enable", { collection: "traps", enabled: true });
	await call("POST", "/taxonomies", {
		name: "bad",
		label: all.slice(0, 200),
		hierarchical: true,
		collections: ["traps"],
	});
	await call("POST", "/menus", { name: "bad", label: all.slice(0, 200) });
	await call("POST", "/widget-areas", { name: "bad", label: all.slice(0, 200), description: all.slice(0, 500) });

	const media = await upload(call, "plain.png");
	await put("PUT", `/media/${media.id}`, { alt: all.slice(0, 1000), caption: all.slice(0, 1000) });
	let first;
	for (const [i, text] of corpus.entries()) {
		const file = await upload(call, `${text}.png`).catch(() => undefined);

		const made = await put("POST", "/content/traps", {
			status: "published",
			slug: `trap-${i}`,
			data: {
				title: text,
				lead: text,
				body: bodyOf(text),
				cover: { id: media.id, url: addressOf(text), alt: text },
				sheet: {
					id: media.id,
					provider: "local",
					filename: text,
					mimeType: text,
					meta: {},
					url: addressOf(text),
				},
				rows: [{ cell: text }],
				raw: { [text]: text },
				...(i < 20 ? { kind: text } : i < 40 ? { kinds: [text] } : {}),
			},
			seo: { title: text, description: text },
		});
		const id = (
			made ??
			(await put("POST", "/content/traps", {
				status: "published",
				slug: `trap-${i}`,
				data: { title: text, lead: text, body: bodyOf(text), raw: { [text]: text } },
			}))
		)?.item.id;
		first ??= id;
		await put("POST", "/content/traps", { data: { title: "link", body: [linkTo(text)] } });
		await put("POST", "/content/traps", {
			data: { title: "address", address: text },
			seo: { canonical: text },
		});
		await put("POST", "/content/traps", {
			data: { title: "address", address: `https://example.org/${text}` },
		});
		if (id) {
			await put("PUT", `/content/traps/${id}`, { data: { lead: `${text} again` } });
			await put("POST", `/comments/traps/${first}`, { body: text });
			await fetch(`${origin}/_cms/api/comments/traps/${first}`, {
				method: "POST",
				headers: { "Content-Type": "application/json", "X-CMS-Request": "1" },
				body: JSON.stringify({ authorName: text, authorEmail: "a@example.org", body: text }),
			});
		}
		if (file) await put("PUT", `/media/${file.id}`, { alt: text, caption: text });
		await put("POST", "/media/folders", { name: text });
		await put("POST", "/taxonomies/bad/terms", { label: text, slug: `term-${i}`, description: text });
		await put("POST", "/menus/bad/items", {
			type: "custom",
			label: text,
			customUrl: text,
			titleAttr: text,
			cssClasses: text,
			target: "_blank",
		});
		await put("POST", "/menus/bad/items", { type: "custom", label: text, customUrl: "/" });
		await put("POST", "/sections", {
			slug: `section-${i}`,
			title: text,
			description: text,
			keywords: [text],
			content: bodyOf(text),
		});
		await put("POST", "/widget-areas/bad/widgets", { type: "content", title: text, content: bodyOf(text) });
		await put("POST", "/widget-areas/bad/widgets", {
			type: "component",
			title: text,
			componentId: text,
			componentProps: { [text]: text },
		});
		await put("POST", "/bylines", { displayName: text, slug: `byline-${i}`, bio: text, websiteUrl: text });
		await put("POST", "/bylines", {
			displayName: text,
			slug: `site-${i}`,
			websiteUrl: `https://example.org/${text}`,
		});
		await put("POST", "/bylines", { displayName: text, slug: `name-${i}`, bio: text });
		await put("POST", "/admin/api-tokens", { name: text, scopes: ["content:read"] });
		await put("POST", "/admin/webhooks", {
			url: `http://127.0.0.1:9/${encodeURIComponent(text)}`,
			events: ["collection.*"],
			description: text.slice(0, 100),
		});
	}
	await put("POST", "/settings", {
		title: all.slice(0, 200),
		tagline: all.slice(0, 500),
		seo: { titleSeparator: `"><b>`, robotsTxt: all },
		social: { twitter: all.slice(0, 200), github: `javascript:${RUN}` },
	});
	await put("PUT", `/admin/users/${(await call("GET", "/admin/users")).items[0].id}`, {
		name: `<img src=x onerror=${RUN}>`,
	});
	return { counts, id: first };
}

/* ---- looking at it ---- */

// Runs in the page: returns the scripts that ran, and the addresses that would run one when clicked.
const traps = () => ({
	ran: /** @type {any} */ (window).ran ?? null,
	links: [...document.querySelectorAll("a[href], area[href], form[action], iframe[src], [formaction]")]
		.map((one) => one.href ?? one.action ?? one.src ?? "")
		.filter((one) => /^(javascript|vbscript|data):/i.test(one)),
	handlers: [...document.querySelectorAll("*")]
		.filter((one) => [...one.attributes].some((a) => /^on/i.test(a.name)))
		.map((one) => one.outerHTML.slice(0, 100)),
	foreign: [
		...document.querySelectorAll(
			"script, link[rel=stylesheet], base, meta[http-equiv=refresh], object, embed",
		),
	]
		.filter((one) => {
			const at = one.src ?? one.href ?? one.data;
			return (
				["BASE", "META", "OBJECT", "EMBED"].includes(one.tagName) ||
				(at && new URL(at).origin !== location.origin)
			);
		})
		.map((one) => one.outerHTML.slice(0, 100)),
});

async function lookEverywhere({ report, site, ann }) {
	const { daemon, origin } = site,
		{ page } = ann;
	const strangers = [];
	let filled;

	page.on("request", (request) => {
		if (!request.url().startsWith(origin) && !/^(data|blob|about):/.test(request.url()))
			strangers.push(request.url());
	});
	page.on("dialog", (dialog) => strangers.push(dialog.message()));
	const harmless = async () => {
		assert.deepEqual(
			await page.evaluate(traps),
			{ ran: null, links: [], handlers: [], foreign: [] },
			page.url(),
		);
		assert.deepEqual([strangers, ann.faults], [[], []], page.url());
	};

	await page.setViewport({ width: 1280, height: 900 });
	await report.test("hostile: a site gets such texts in every place", async () => {
		await setUp(ann, daemon);
		filled = await fill(
			caller(
				origin,
				daemon.stet(
					"token",
					"add",
					"ann@slipstream.example",
					"--name",
					"hostile",
					"--scope",
					"admin",
				),
			),
			site,
		);
		report.note(
			`${corpus.length} texts; ${filled.counts.taken} were taken, ${filled.counts.refused} refused`,
		);
		assert.ok(filled.counts.taken > 10 * corpus.length);
	});
	const get = async (where) => (await ann.api("GET", where)).data;
	const more = [
		["/collections/traps", "tbody tr"],
		["/collections/traps?q=script", "tbody tr"],
		[`/collections/traps?f.kind=${encodeURIComponent(corpus[0])}`, "tbody tr"],
		["/media", ".grid li"],
		["/taxonomies/bad/en", ".tree li"],
		["/menus/bad/en", ".tree li"],
		["/sections/section-0", ".body"],
		[`/bylines/${(await get("/bylines?limit=1")).items[0].id}`, ".form"],
		[`/widgets/bad/${(await get("/widget-areas/bad")).widgets[0].id}`, ".form"],
		["/schema/traps", "form.form"],
		["/schema/traps?field=kind", ".plan"],
		[`/webhooks/${(await get("/admin/webhooks")).items[0].id}`, ".form"],
		[`/collections/traps/${encodeURIComponent(`"><img src=x onerror=${RUN}>`)}`, ".note"],
		[`/${encodeURIComponent(`<img src=x onerror=${RUN}>`)}`, "h1"],
		[`/collections/traps?q=${encodeURIComponent(`"><img src=x onerror=${RUN}>`)}`, "tbody tr, .state"],
	].map(([path, ready]) => ({ name: path.slice(0, 40), path, ready }));
	// Pages that every site has. Pages of single records are in `more`, with the records of this test.
	const shared = pages.filter(
		(one) => typeof one.path === "string" && /^\/?[a-z]*$/.test(one.path) && one.path !== "/nothing",
	);

	for (const one of [...shared, ...more])
		await report.test(`hostile: nothing runs at ${one.path || "/"}`, async () => {
			await ann.open(`${HOME}${one.path}`);
			await page.waitForSelector(`${one.ready}, .state, .note`);
			await page.evaluate(() =>
				document.querySelectorAll("details").forEach((d) => {
					d.open = true;
				}),
			);
			await harmless();
		});
	await report.test("hostile: nothing runs in the editor, whatever is in an item", async () => {
		for (let i = 0; i < corpus.length; i++) {
			await ann.open(`${HOME}/collections/traps/trap-${i}`);
			await page.waitForSelector(".panel .in-panel");
			await page.waitForSelector("#field-raw");
			await page.evaluate(() =>
				document.querySelectorAll("details").forEach((d) => {
					d.open = true;
				}),
			);
			await harmless();
		}
		await ann.open(`${HOME}/collections/traps/${filled.id}/compare`);
		await page.waitForSelector(".compare");
		await harmless();
	});
	await report.test("hostile: nothing runs in the palette, and what is chosen in dialogs", async () => {
		await ann.open(HOME);
		await ann.press(".goto");
		for (const text of [corpus[0], corpus[2], "img"]) {
			await page.locator(".palette input").fill(text);
			await harmless();
		}
		await ann.open(`${HOME}/media`);
		await page.waitForSelector(".tile");
		for (const tile of (await page.$$(".tile")).slice(0, 12)) {
			await tile.click();
			await page.waitForSelector("#media-h");
			await harmless();
		}
	});
}

export async function runHostile({ report, browser, newSite }) {
	const site = await newSite("hostile"),
		ann = await Person.sit(browser, site.origin);

	try {
		await lookEverywhere({ report, site, ann });
	} finally {
		await ann.leave();
		await site.end();
	}
}
