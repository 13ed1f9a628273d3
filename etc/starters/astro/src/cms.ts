// cms.ts - what all pages ask. STET_URL is where stetd serves the site, STET_TOKEN a token that may read.
import { createClient, StetError } from "@stet/client";
import type { Collections, Menu, Settings, Taxonomy, Term } from "./site.js";

export const cms = createClient<Collections>({
	url: import.meta.env.STET_URL ?? "http://127.0.0.1:8080",
	token: import.meta.env.STET_TOKEN,
	cache: 1000, // while developing, what has not changed is not sent again
});

// Only editors may read the settings. With the token of another user, SITE_NAME is the name of the site.
async function readSettings(): Promise<Settings> {
	try {
		return await cms.call<Settings>("GET /settings");
	} catch (error) {
		if (error instanceof StetError && error.status === 403)
			return { siteTitle: import.meta.env.SITE_NAME ?? "Journal" };
		throw error;
	}
}

// A build asks these once.
let asked: Promise<{ settings: Settings; menu: Menu }> | undefined;

export const frame = () =>
	(asked ??= (async () => ({
		settings: await readSettings(),
		menu: await cms.call<Menu>("GET /menus/:name", { name: "main" }),
	}))());

/** All terms that have items, with the taxonomy that each belongs to. */
export async function allTerms(): Promise<{ taxonomy: Taxonomy; term: Term }[]> {
	const { taxonomies } = await cms.call<{ taxonomies: Taxonomy[] }>("GET /taxonomies");
	const found = [];

	for (const taxonomy of taxonomies) {
		const { terms } = await cms.call<{ terms: Term[] }>("GET /taxonomies/:taxonomy/terms", {
			taxonomy: taxonomy.name,
		});
		const open = [...terms];
		for (let term = open.shift(); term; term = open.shift()) {
			found.push({ taxonomy, term });
			open.push(...((term.children ?? []) as Term[]));
		}
	}
	return found;
}

/** A time as readers want it. */
export const day = (time: string | null): string =>
	time ? new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" }).format(new Date(time)) : "";
