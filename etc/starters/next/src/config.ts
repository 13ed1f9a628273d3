// config.ts - what the site builder decides. Everything else is asked of the site: its collections, fields, menus,
// taxonomies and languages. All of this may be left out.
import type { Config } from "@stet/model";

export const config: Config = {
	name: process.env.SITE_NAME, // if the token may not read the settings
	hosts: (process.env.OLD_HOSTS ?? "").split(/[\s,]+/).filter(Boolean),
	perPage: 12,
	collections: {
		// posts: { body: "content", hide: ["internal_note"] },
	},
};
