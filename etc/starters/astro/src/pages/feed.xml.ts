// feed.xml.ts - the latest posts as Atom.
import type { APIRoute } from "astro";
import { cms, frame } from "../cms";
import { escape, toHtml } from "../html";

export const GET: APIRoute = async ({ site }) => {
	const { settings } = await frame();
	const { items } = await cms.list("posts", {
		status: "published",
		orderBy: "publishedAt",
		order: "desc",
		limit: 20,
	});
	const at = (path: string) => escape(new URL(path, site).href);
	const entries = items.map(
		(post) =>
			`<entry><id>${at(`/posts/${post.slug}/`)}</id><title>${escape(post.data.title)}</title>` +
			`<link href="${at(`/posts/${post.slug}/`)}"/><published>${post.publishedAt}</published><updated>${post.updatedAt}</updated>` +
			`<content type="html">${escape(toHtml(post.data.body, cms.mediaUrl))}</content></entry>`,
	);
	const updated =
		items
			.map((post) => post.updatedAt)
			.sort()
			.at(-1) ?? "1970-01-01T00:00:00Z";

	return new Response(
		`<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><id>${at("/")}</id>` +
			`<title>${escape(settings.siteTitle)}</title><updated>${updated}</updated><author><name>${escape(settings.siteTitle)}</name></author>` +
			`<link rel="self" href="${at("/feed.xml")}"/>${entries.join("")}</feed>\n`,
		{ headers: { "Content-Type": "application/atom+xml" } },
	);
};
