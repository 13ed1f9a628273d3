// feed.xml.ts - the newest items as Atom.
import { escape, toHtml } from "@stet/render";
import type { APIRoute } from "astro";
import { settings } from "../cms.js";
import { site } from "../model.js";
import { optionsOf } from "../render.js";

const COUNT = 20;

export const GET: APIRoute = async ({ site: base }) => {
	const { siteTitle } = await settings();
	const the = await site();
	const entries = the.home.entries.slice(0, COUNT);
	const at = (path: string): string => escape(new URL(path, base).href);
	const time = (text: string | null): string => new Date(text ?? 0).toISOString();
	const parts = entries.map((entry) => {
		const html = entry.texts
			.map((one) => toHtml(one.blocks, { ...optionsOf(the, entry, base), keys: false }))
			.join("");
		return (
			`<entry><id>${at(entry.path)}</id><title>${escape(entry.title)}</title><link href="${at(entry.path)}"/>` +
			`<published>${time(entry.item.publishedAt)}</published><updated>${time(entry.item.updatedAt)}</updated>` +
			entry.terms.map((one) => `<category term="${escape(one.label)}"/>`).join("") +
			`<content type="html">${escape(html)}</content></entry>`
		);
	});
	const updated =
		entries
			.map((one) => time(one.item.updatedAt))
			.sort()
			.at(-1) ?? time(null);

	return new Response(
		`<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><id>${at("/")}</id>` +
			`<title>${escape(siteTitle)}</title><updated>${updated}</updated><author><name>${escape(siteTitle)}</name></author>` +
			`<link rel="self" href="${at("/feed.xml")}"/>${parts.join("")}</feed>\n`,
		{ headers: { "Content-Type": "application/atom+xml" } },
	);
};
