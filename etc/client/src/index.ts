// index.ts - what the package exports.
export { createClient, type CallMore, type Client, type ReleaseCall, type ReleasePreview } from "./client.js";
export { followDraft, type Draft } from "./draft.js";
export { ConflictError, ExpiredError, StetError, type Issue, type Moved } from "./errors.js";
export type { CallOptions, ClientOptions, Fetch } from "./http.js";
export { bylinesOf, mediaOf, reference, references, termsOf, translationsOf, usedBy } from "./links.js";
export type { MediaLike, SizeOptions } from "./media.js";
export type * from "./types.js";
