// index.ts - what the package exports for builds; what browsers need is browser.ts.
export { commentsHtml } from "./comments.js";
export { redirectFiles, redirectHtml } from "./redirects.js";
export { createSite } from "./site.js";
export type * from "./types.js";
export { day, languageName, toldLines } from "./words.js";
