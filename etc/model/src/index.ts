// index.ts - what the package exports for builds; what browsers need is browser.ts.
export { commentsHtml } from "./comments.js";
export { type Phrases, phrasesOf, put } from "./phrases.js";
export { redirectFiles, redirectHtml } from "./redirects.js";
export { createSite } from "./site.js";
export type * from "./types.js";
export { day, directionOf, languageName, toldLines } from "./words.js";
