// feed.ts - the newest items as Atom.
import { escape, toHtml } from "@stet/render";
import type { Entry, Site } from "./types.js";

const time = (text: string | null): string => new Date(text ?? 0).toISOString();

export function feedOf(site: Pick<Site, "absolute" | "optionsOf" | "settings" | "home">, count: number): string {
	const entries = site.home.entries.slice(0, count);
	const at = (path: string): string => escape(site.absolute(path));
	const name = escape(site.settings.siteTitle);
	const entryXml = (entry: Entry): string => {
		const options = site.optionsOf(entry, { absolute: true, keys: false });
		const html = entry.texts.map((one) => toHtml(one.blocks, options)).join("");

		return (
			`<entry><id>${at(entry.path)}</id><title>${escape(entry.title)}</title><link href="${at(entry.path)}"/>` +
			`<published>${time(entry.item.publishedAt)}</published><updated>${time(entry.item.updatedAt)}</updated>` +
			entry.terms.map((one) => `<category term="${escape(one.label)}"/>`).join("") +
			`<content type="html">${escape(html)}</content></entry>`
		);
	};
	const updated = entries.map((one) => time(one.item.updatedAt)).sort();

	return (
		`<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><id>${at("/")}</id>` +
		`<title>${name}</title><updated>${updated.at(-1) ?? time(null)}</updated><author><name>${name}</name></author>` +
		`<link rel="self" href="${at("/feed.xml")}"/>${entries.map(entryXml).join("")}</feed>\n`
	);
}
