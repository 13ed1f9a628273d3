// addresses.ts - where items, lists and terms are, and paths in general.
import type { LooseItem, Term } from "@stet/client";
import type { Collection, Config, Route, Tell } from "./types.js";

const FIXED = ["/search/", "/preview/", "/404/"]; // pages of their own

/** A path from the root, with "/" at its end. */
export const whole = (path: string): string => `/${path.split("/").filter(Boolean).join("/")}/`.replace(/^\/\/$/, "/");
/** The last part of a path. */
export const lastOf = (path: string): string => path.split("/").filter(Boolean).at(-1) ?? "";
export const hostOf = (address: string): string => /^(?:https?:)?\/\/([^/?#]+)/i.exec(address)?.[1] ?? "";
export const bareHost = (host: string): string => host.toLowerCase().replace(/^www\./, "");

export function safeDecode(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** The pages of the site by their paths. */
export class Places {
	readonly routes = new Map<string, Route>();
	readonly #tell: Tell;

	constructor(tell: Tell) {
		this.#tell = tell;
	}

	has(path: string): boolean {
		return this.routes.has(path) || FIXED.includes(path);
	}

	/** A path that is free; another one if it is taken. */
	free(path: string, locale: string, what: string): string {
		if (!this.has(path)) return path;
		const other = [
			`/${locale}${path}`,
			...Array.from({ length: 100 }, (_, i) => `${path.slice(0, -1)}-${i + 2}/`),
		].find((one) => !this.routes.has(one)) as string;
		this.#tell(`the address ${path} is taken: it is at ${other}`, what);
		return other;
	}
}

/** Puts the parts of an item into a pattern. null: it lacks one of them. */
export function filled(
	pattern: string,
	item: Pick<LooseItem, "id" | "slug" | "locale" | "type"> & { publishedAt?: string | null },
): string | null {
	const [year, month, day] = item.publishedAt?.slice(0, 10).split("-") ?? [];
	const parts: Record<string, string | null | undefined> = {
		year,
		month,
		day,
		slug: item.slug,
		id: item.id,
		locale: item.locale,
		collection: item.type,
	};
	const path = pattern.replace(/\{(\w+)\}/g, (all, name: string) => parts[name] ?? all);

	return path.includes("{") ? null : whole(path);
}

/** Where items of a collection are: "/blog/{slug}"; null: they have no pages. */
export function patternOf(collection: Collection, config: Config, locale = ""): string | null {
	const own = config.collections?.[collection.slug]?.path;
	const usual = collection.slug === "pages" ? "/{slug}" : `/${collection.slug}/{slug}`;

	if (own !== undefined) return own;
	return (
		collection.urlPatterns?.[locale] ??
		collection.urlPattern ??
		(collection.routable === false ? null : usual)
	);
}

/** Where all items of a collection are listed: what its addresses begin with. "": they begin with nothing. */
export function listPath(collection: Collection, config: Config): string {
	const begin = /^[^{]*/.exec(patternOf(collection, config) ?? "")?.[0] ?? "";

	return begin.includes("/", 1) ? whole(begin) : "";
}

/** The paths of terms by their ids. */
export function termPathsOf(terms: Term[]): Map<string, string> {
	const paths = new Map<string, string>();
	const used = new Set<string>();

	for (const term of terms) {
		const path = whole(`${term.name}/${term.slug}`);
		paths.set(term.id, used.has(path) ? whole(`${term.locale}${path}`) : path);
		used.add(path);
	}
	return paths;
}
