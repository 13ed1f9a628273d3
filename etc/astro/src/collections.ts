// collections.ts - all collections of a site for content.config.ts.
import type { Loader } from "astro/loaders";
import { type LoaderOptions, stetLoader } from "./loader.js";
import { type SiteOptions, siteOf } from "./site.js";

export interface CollectionsOptions extends SiteOptions, Omit<LoaderOptions, "collection"> {
	/** Options of single collections; false: without this one. */
	collections?: Record<string, false | Partial<Omit<LoaderOptions, "collection" | "url" | "token">>>;
}
/** What defineCollection() of Astro returns. */
export interface ContentCollection {
	type: "content_layer";
	loader: Loader;
}

/** A collection of Astro for each collection of the site: export const collections = await stetCollections({…}). */
export async function stetCollections({
	collections = {},
	...common
}: CollectionsOptions): Promise<Record<string, ContentCollection>> {
	const found = await siteOf(common).collections();
	const missing = Object.keys(collections).find((slug) => !found.some((one) => one.slug === slug));

	if (missing !== undefined) await siteOf(common).collection(missing);
	return Object.fromEntries(
		found
			.filter(({ slug }) => collections[slug] !== false)
			.map(({ slug }) => [
				slug,
				{
					type: "content_layer",
					loader: stetLoader({
						...common,
						...(collections[slug] || {}),
						collection: slug,
					}),
				},
			]),
	);
}
