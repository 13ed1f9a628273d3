// typed.ts - values that the types of entries must accept, and values that they must reject.
import type { CollectionEntry } from "astro:content";

type Thing = CollectionEntry<"things">["data"];

export const title = (thing: Thing): string => thing.title;
export const count = (thing: Thing): number => (thing.count ?? 0) + 1;
export const width = (thing: Thing): number => thing.cover?.width ?? 0;
export const posts = (thing: Thing): string[] => thing.posts ?? [];
export const rows = (thing: Thing): string[] => (thing.rows ?? []).map((row) => row.a_string ?? "");
export const blocks = (thing: Thing): unknown[] => (thing.body ?? []).map((block) => block._type);
// @ts-expect-error a field that is not required may be missing
export const missing = (thing: Thing): number => thing.count;
// @ts-expect-error a text is no number
export const wrong = (thing: Thing): number => thing.title;
