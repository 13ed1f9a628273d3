// site.ts - the site, as @stet/model reads it: once in a build; while developing, every two seconds at most. Own blocks
// and marks are added here: the README of @stet/render tells how.
import { createClient } from "@stet/client";
import { createSite, type Site } from "@stet/model";
import { config } from "./config.js";

const { STET_URL: url, STET_TOKEN: token, PUBLIC_STET_URL: publicUrl, SITE: siteUrl, DEV } = import.meta.env;
// cache: while developing, what has not changed is not sent again.
const client = createClient({ url: url ?? "http://127.0.0.1:8080", token, cache: 1000 });
let made: Promise<Site> | undefined;
let madeAt = 0;

export function site(): Promise<Site> {
	if (!made || (DEV && Date.now() - madeAt > 2000)) {
		madeAt = Date.now();
		made = createSite({
			client,
			url,
			publicUrl,
			siteUrl,
			config,
			render: {
				keys: import.meta.env.STET_KEYS === "yes", // for tests: data-key
				blocks: {},
				inlines: {},
				marks: {},
			},
		});
		// Pages and astro.config.mjs, which prints what was told, are different bundles in one process.
		(globalThis as { stetSite?: Promise<Site> }).stetSite = made;
	}
	return made;
}
