// config.ts - what the site builder decides. Everything else is asked of the site: its collections, fields, menus,
// taxonomies and languages. All of this may be left out.

export interface CollectionConfig {
	/** Where items are: "/notes/{slug}"; the urlPattern of the collection, unless this is given. null: no pages. */
	path?: string | null;
	/** Fields by what they are for. Without these, they are found by their type and name. */
	title?: string;
	body?: string;
	cover?: string;
	summary?: string;
	/** Fields that are not shown. */
	hide?: string[];
}

export interface Config {
	/** The name of the site, if the token may not read the settings; SITE_NAME is another way. */
	name?: string;
	/** The menus at the top and at the bottom, by name. */
	menu?: string;
	footer?: string;
	/** The collection whose newest items are the front page. */
	home?: string;
	/** Hosts where the site was before an import: links to them lead to its pages here. */
	hosts: string[];
	/** Items on a page of a list. */
	perPage: number;
	collections: Record<string, CollectionConfig>;
}

export const config: Config = {
	hosts: String(import.meta.env.OLD_HOSTS ?? "")
		.split(/[\s,]+/)
		.filter(Boolean),
	perPage: 12,
	collections: {
		// posts: { body: "content", hide: ["internal_note"] },
	},
};
