// config.ts - what the site builder decides. Everything else is asked of the site: its collections, fields, menus,
// taxonomies and languages. All of this may be left out.
import type { Config } from "@stet/model";

export const config: Config = {
	// The name of the site, if the token may not read the settings.
	name: import.meta.env.SITE_NAME,
	// Hosts where the site was before an import: links to them lead to its pages here.
	hosts: String(import.meta.env.OLD_HOSTS ?? "")
		.split(/[\s,]+/)
		.filter(Boolean),
	// Items on a page of a list.
	perPage: 12,
	collections: {
		// posts: { body: "content", hide: ["internal_note"] },
	},
};
