// told.ts - what the build has to say: blocks that are not known, links that lead nowhere, fields that are not shown.
// Nothing of it ends the build; astro.config.mjs prints it at the end.

// The pages and the configuration are different bundles in one process. What was told, and of which items.
const all: Map<string, Set<string>> = ((globalThis as { stetTold?: Map<string, Set<string>> }).stetTold ??= new Map());

/** @param where the page or item, of which the first one is printed */
export function tell(what: string, where: string): void {
	all.set(what, (all.get(what) ?? new Set()).add(where));
}
