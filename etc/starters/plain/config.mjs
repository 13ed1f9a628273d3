// config.mjs - what the site builder decides. Everything else is asked of the site: its collections, fields, menus,
// taxonomies and languages. All of this may be left out; the README of @stet/model tells what there is.
import fs from "node:fs";

// Lines of .env, NAME=value; what the environment has is stronger.
for (const line of fs.existsSync(".env") ? fs.readFileSync(".env", "utf8").split("\n") : []) {
	const [, name, value] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
	if (name) process.env[name] ??= value.replace(/^(["'])(.*)\1$/, "$2");
}
const { STET_URL, STET_TOKEN, PUBLIC_STET_URL, SITE_URL, SITE_NAME, OLD_HOSTS, STET_KEYS } = process.env;

/** Where the content is, and where the pages will be. */
export const options = {
	url: STET_URL ?? "http://127.0.0.1:8080",
	token: STET_TOKEN,
	publicUrl: PUBLIC_STET_URL ?? STET_URL ?? "http://127.0.0.1:8080",
	siteUrl: SITE_URL ?? "http://localhost:4321",
	config: {
		// The name of the site, if the token may not read the settings.
		name: SITE_NAME,
		// Hosts where the site was before an import: links to them lead to its pages here.
		hosts: (OLD_HOSTS ?? "").split(/[\s,]+/).filter(Boolean),
		// Items on a page of a list.
		perPage: 12,
		collections: {
			// posts: { body: "content", hide: ["internal_note"] },
		},
	},
	// Own blocks and marks: the README of @stet/render tells how.
	render: {
		keys: STET_KEYS === "yes", // for tests: data-key
		blocks: {},
		inlines: {},
		marks: {},
	},
};
