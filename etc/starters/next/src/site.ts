// site.ts - the site that stet has, as @stet/model reads it: once for a build. Own blocks and marks of texts are added here.
import { createSite, type Site } from "@stet/model";
import { cache } from "react";
import { config } from "./config";
import { tell } from "./notes";

/** Where browsers find stet: for search, previews and comments. */
export const publicUrl = process.env.PUBLIC_STET_URL ?? process.env.STET_URL ?? "http://127.0.0.1:8080";
export const siteUrl = process.env.SITE_URL ?? "http://localhost:3000";

const read = (): Promise<Site> =>
	createSite({
		url: process.env.STET_URL,
		token: process.env.STET_TOKEN,
		publicUrl,
		siteUrl,
		config,
		tell,
		render: {
			keys: process.env.STET_KEYS === "yes", // for tests: data-key
			// etc/render/README.md of stet tells how.
			blocks: {},
			inlines: {},
			marks: {},
		},
	});

let made: Promise<Site> | undefined;

/** The whole site. While developing, each page reads it anew. */
export const site = process.env.NODE_ENV === "production" ? () => (made ??= read()) : cache(read);
