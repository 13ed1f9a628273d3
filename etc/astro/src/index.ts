// index.ts - what the package exports.
export { stetCollections, type CollectionsOptions, type ContentCollection } from "./collections.js";
export { stetLoader, type LoaderOptions } from "./loader.js";
export { stetRefresh } from "./refresh.js";
export type { Include, SiteOptions } from "./site.js";
