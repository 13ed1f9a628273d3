// pages.mjs - the HTML of the pages. html`…` escapes what is put into it, unless it is HTML itself.
import { commentsHtml, day, directionOf, languageName, phrasesOf, put } from "@stet/model";
import { escape } from "@stet/render";

class Html {
	constructor(text) {
		this.text = text;
	}
	toString() {
		return this.text;
	}
}
/** Text that is HTML already. */
const raw = (text) => new Html(text);
/** null, undefined and false are nothing; the parts of a list follow each other. */
function html(texts, ...values) {
	const put = (value) => {
		if (value === null || value === undefined || value === false) return "";
		if (Array.isArray(value)) return value.map(put).join("");
		return value instanceof Html ? value.text : escape(String(value));
	};

	return raw(texts.reduce((all, text, i) => all + put(values[i - 1]) + text));
}

const script = (names, calls) => html`<script type="module">
	import { ${raw(names)} } from "@stet/model/browser";
	${raw(calls)}
</script>`;
// For a <script>: "<" cannot end it.
const json = (value) => JSON.stringify(value).replaceAll("<", "\\u003c");

// ---- what is around every page ----

const MODULES = json({
	imports: {
		"@stet/client": "/assets/client.js",
		"@stet/render": "/assets/render.js",
		"@stet/model/browser": "/assets/browser.js",
	},
});

function links(all, here, isInside = false) {
	const anchor = ({ href, label }) =>
		html`<a href="${href}"${href === here && raw(' aria-current="page"')}>${label}</a>`;

	return all.map((one) => {
		if (one.inside.length === 0) return html`<li>${anchor(one)}</li>`;
		const inside = links(one.inside, here, true);
		if (isInside) return html`<li>${one.href ? anchor(one) : one.label}<ul>${inside}</ul></li>`;
		return html`<li><details name="menu"><summary>${one.label}</summary><ul>
			${one.href && html`<li>${anchor(one)}</li>`}${inside}</ul></details></li>`;
	});
}

function frame(site, page, body) {
	const { settings, languages } = site;
	const name = settings.siteTitle;
	const locale = page.locale ?? site.locale;
	const t = phrasesOf(locale);
	const about = page.description || site.tagline(locale) || name;
	const { path: front, search } = languages.find((one) => one.locale === locale) ?? {
		path: "/",
		search: "/search/",
	};
	const icon = settings.favicon?.url ? site.mediaUrl(settings.favicon.url) : "/favicon.svg";
	const here = page.path && site.absolute(encodeURI(page.path));
	const logo = settings.logo?.url;

	return `${html`<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${page.title ? `${page.title} – ${name}` : name}</title>
<meta name="description" content="${about}">
${page.noIndex && html`<meta name="robots" content="noindex">`}
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="/assets/style.css">
${here && html`<link rel="canonical" href="${page.canonical || here}"><meta property="og:url" content="${here}">`}
${page.alternates?.map((one) => html`<link rel="alternate" hreflang="${one.item.locale}" href="${site.absolute(encodeURI(one.path))}">`)}
<link rel="alternate" type="application/atom+xml" title="${name}" href="/feed.xml">
<meta property="og:title" content="${page.title ?? name}">
<meta property="og:description" content="${about}">
${page.image && html`<meta property="og:image" content="${page.image}">`}
${page.script && html`<script type="importmap">${raw(MODULES)}</script>${page.script}`}
</head>
<body>
<a class="skip" href="#main" lang="${t.lang}">${t.skip}</a>
<header class="site-head">
<a class="site-name" href="${front}">${logo ? html`<img src="${site.mediaUrl(logo)}" alt="${settings.logo.alt || name}">` : name}</a>
<nav aria-label="${t.mainMenu}"><ul>${links(site.menu("menu", locale), page.path)}${links([{ href: search, label: t.search, inside: [] }], page.path)}</ul></nav>
</header>
<main id="main">
${body}
</main>
<footer class="site-foot">
<nav aria-label="${t.footerMenu}"><ul>${links(site.menu("footer", locale), page.path)}
${languages.length > 1 && languages.map((one) => html`<li><a href="${one.path}" lang="${one.locale}" hreflang="${one.locale}">${one.name}</a></li>`)}
<li><a href="/feed.xml">${t.feed}</a></li></ul></nav>
<span>${name}</span>
</footer>
</body>
</html>
`}`;
}

// ---- lists ----

function card(site, entry) {
	const cover = site.coverHtml(entry, "(min-width: 46rem) 21rem, 92vw");

	return html`<li class="card${!cover && " plain"}">
${entry.date && html`<span class="meta"><time datetime="${entry.date}">${day(entry.date, entry.item.locale)}</time></span>`}
<h2><a href="${encodeURI(entry.path)}">${entry.title}</a></h2>
<p>${entry.summary}</p>
${cover && html`<div class="picture">${raw(cover)}</div>`}</li>`;
}

export function listPage(site, list) {
	const { siteTitle } = site.settings;
	const tagline = site.tagline(list.locale);
	const { isFront, page, pages } = list;
	const t = phrasesOf(list.locale);
	const newest = [list.title, ...list.entries.slice(0, 3).map((one) => one.title)].filter(Boolean).join(" · ");
	const title = [isFront ? "" : list.title, page > 1 ? put(t.page, { n: page }) : ""].filter(Boolean).join(", ");
	const description = isFront ? tagline : list.description || newest;
	const to = (number) => encodeURI(list.at(number));

	return frame(
		site,
		{ title: title || undefined, description, locale: list.locale, path: list.path },
		html`<div class="wide${isFront && " front"}">
<h1>${isFront ? tagline || siteTitle : list.title}</h1>
${page === 1 && !isFront && list.description && html`<p class="tagline">${list.description}</p>`}
${list.entries.length > 0 ? html`<ul class="cards">${list.entries.map((one) => card(site, one))}</ul>` : html`<p>${t.nothing}</p>`}
${list.more && html`<p class="pager"><span></span><a href="${encodeURI(list.more)}">${put(t.all, { title: list.title })} →</a></p>`}
${
	pages > 1 &&
	html`<nav class="pager" aria-label="${t.pages}">
<span>${page > 1 && html`<a rel="prev" href="${to(page - 1)}">← ${t.newer}</a>`}</span>
<span class="meta">${put(t.pageOf, { n: page, count: pages })}</span>
<span>${page < pages && html`<a rel="next" href="${to(page + 1)}">${t.older} →</a>`}</span></nav>`
}
</div>`,
	);
}

// ---- items ----

function head({ title, item, isDated, date, bylines, translations, summary, texts }) {
	const parts = [
		isDated && html`<time datetime="${date}">${day(date, item.locale)}</time>`,
		bylines.length > 0 && html`${bylines.join(", ")}`,
		...translations.map(
			(one) =>
				html`<a href="${encodeURI(one.path)}" lang="${one.item.locale}" hreflang="${one.item.locale}">${languageName(one.item.locale)}</a>`,
		),
	].filter(Boolean);

	return html`<header class="article-head narrow">
<h1>${title}</h1>
${summary && texts.length === 0 && html`<p class="lead">${summary}</p>`}
<p class="meta">${parts.map((one, i) => [i > 0 && " · ", one])}</p>
</header>`;
}

const beside = ({ newer, older, item }) => html`<nav class="pager" aria-label="${phrasesOf(item.locale).beside}">
<span>${newer && html`<a rel="next" href="${encodeURI(newer.path)}">← ${newer.title}</a>`}</span>
<span>${older && html`<a rel="prev" href="${encodeURI(older.path)}">${older.title} →</a>`}</span></nav>`;

/** @param isTested the page says which item it has, for tests */
export async function entryPage(site, entry, isTested) {
	const { item, cover, isDated } = entry;
	const seo = item.seo ?? {};
	const t = phrasesOf(item.locale);
	const picture = site.coverHtml(entry, "(min-width: 70rem) 68rem, 92vw", true);
	const related = await site.related(entry, 3);
	const comments = commentsHtml(await site.comments(entry), item.locale);
	const texts = site.textsHtml(entry);
	const facts = entry.facts.map(
		({ field, value }) => html`<dt>${field.label}</dt><dd>${raw(site.valueHtml(entry, field, value))}</dd>`,
	);

	return frame(
		site,
		{
			title: seo.title || entry.title,
			description: seo.description || entry.summary,
			locale: item.locale,
			path: entry.path,
			canonical: seo.canonical,
			noIndex: seo.noIndex,
			image: picture && site.mediaUrl(cover),
			alternates: entry.translations.length > 0 ? [entry, ...entry.translations] : [],
			script:
				(comments || texts.includes("data-player")) &&
				script("startComments, startPlayers", "startComments();\n\tstartPlayers();"),
		},
		html`<article${isTested && raw(` data-item="${escape(item.id)}"`)}>
${head(entry)}
${picture && html`<div class="hero wide">${raw(picture)}</div>`}
<div class="text narrow">${raw(texts)}${facts.length > 0 && html`<dl class="facts">${facts}</dl>`}</div>
</article>
<div class="narrow">
${entry.terms.length > 0 && html`<nav aria-label="${t.terms}"><ul class="terms">${entry.terms.map((one) => html`<li><a rel="tag" href="${encodeURI(one.path)}">${one.label}</a></li>`)}</ul></nav>`}
${related.length > 0 && html`<aside class="beside"><h2>${t.related}</h2><ul>${related.map((one) => html`<li><a href="${encodeURI(one.path)}">${one.title}</a></li>`)}</ul></aside>`}
${raw(comments)}
${isDated && (entry.newer || entry.older) && beside(entry)}
</div>`,
	);
}

// ---- pages of their own ----

export function searchPage(site, url, { locale, search: path }) {
	const t = phrasesOf(locale);
	const only = site.languages.length > 1 && html` data-locale="${locale}"`;

	return frame(
		site,
		{
			title: t.search,
			noIndex: true,
			path,
			locale,
			script: script("startSearch", `startSearch(${json(url)});`),
		},
		html`<div class="narrow" lang="${t.lang}">
<h1>${t.search}</h1>
<form role="search" data-patterns="${JSON.stringify(site.patterns)}"${only}><input type="search" name="q" aria-label="${t.searchWords}" required> <button>${t.search}</button></form>
<p role="status"></p>
<ul id="found"></ul>
</div>`,
	);
}

/** Links of releases lead here, and those of items made with pathPattern "/preview/?collection={collection}&id={id}". */
export function previewPage(site, url) {
	const t = phrasesOf(site.locale);

	return frame(
		site,
		{
			title: t.preview,
			noIndex: true,
			path: "/preview/",
			script: script("startPreview", `startPreview(${json(url)});`),
		},
		html`<article class="narrow" aria-busy="true"><h1>${t.preview}</h1><div id="body" class="text"></div></article>`,
	);
}

/** In each language of the site. */
export function notFoundPage(site) {
	const first = phrasesOf(site.locale);
	const part = ({ locale, path, search }) => {
		const t = phrasesOf(locale);
		return html`<div lang="${t.lang}">${locale !== site.locale && html`<h2>${t.notFound}</h2>`}
<p>${t.notFoundText}</p>
<p><a href="${search}">${t.toSearch}</a> · <a href="${path}">${t.toFront}</a></p></div>`;
	};

	return frame(
		site,
		{ title: first.notFound, noIndex: true },
		html`<div class="narrow">
<h1 lang="${first.lang}">${first.notFound}</h1>
${site.languages.map(part)}
</div>`,
	);
}
