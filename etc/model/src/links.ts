// links.ts - where links of texts and menus lead, and the old addresses of imported items.
import { bareHost, hostOf, lastOf, type Places, safeDecode, whole } from "./addresses.js";
import type { OldAddress } from "./read.js";
import type { Entry, Redirect, Tell } from "./types.js";

/** @param old hosts where the site was; `here` is where it is */
export function newFind(
	entries: Map<string, Entry>,
	places: Places,
	redirects: Redirect[],
	old: string[],
	here: (string | undefined)[],
	tell: Tell,
): (href: string, where: string) => string {
	const bySlug = new Map<string, Entry | null>();
	const byAddress = new Map(redirects.map((one) => [one.from, one.to]));
	const hosts = new Set([...old, ...here.map((one) => hostOf(one ?? ""))].map(bareHost));

	for (const entry of entries.values()) {
		const slug = entry.item.slug ?? "";
		bySlug.set(slug, bySlug.has(slug) ? null : entry);
	}

	/** A link to what the site does not have is none; an absolute one may lead to something else on the host. */
	return (given, where) => {
		const host = hostOf(given);
		const isOurs = host !== "" && hosts.has(bareHost(host));
		const href = isOurs ? given.replace(/^(https?:)?\/\/[^/?#]*\/?/i, "/") : given;

		if (host !== "" && !isOurs && bySlug.get(lastOf(safeDecode(given.split(/[?#]/)[0] as string))))
			tell(
				`links to ${host} have names of items: if the site was there, OLD_HOSTS should have it`,
				where,
			);
		if (!/^\/(?![/\\])/.test(href) || href.startsWith("/_cms/")) return href;
		const [, path = "", rest = ""] = /^([^?#]*)(.*)$/.exec(href) ?? [];
		const decoded = safeDecode(path);
		const to = [path, decoded].map(whole).find((one) => places.has(one));
		const moved = byAddress.get(href.replace(/#.*$/, "")) ?? byAddress.get(path);
		// An old address of an imported site ends with the slug.
		const named = bySlug.get(lastOf(decoded));

		if (to && !(path === "/" && moved)) return encodeURI(to) + rest;
		if (path === "/feed.xml") return href;
		if (moved ?? named) return encodeURI(moved ?? (named as Entry).path) + rest.replace(/^\?[^#]*/, "");
		tell(`a link leads to no page of the site: ${href}`, where);
		return isOurs && !old.includes(host) ? given : "";
	};
}

/** Old addresses that lead to another page here. */
export function redirectsOf(old: OldAddress[], entries: Map<string, Entry>, places: Places): Redirect[] {
	const found = new Map<string, Redirect>();

	for (const { from: given, id, slug } of old) {
		const to = entries.get(id)?.path;
		const now = lastOf(to ?? "");
		// The site may have patterns of its own.
		const isLast = safeDecode(now) === entries.get(id)?.item.slug;
		const from = slug && to && isLast ? to.replace(`/${now}/`, `/${slug}/`) : given;
		const path = safeDecode(from);

		// Items without a page have been told.
		if (to !== undefined && (!places.has(whole(path)) || path.startsWith("/?")))
			found.set(from, { from, to });
	}
	return [...found.values()];
}
