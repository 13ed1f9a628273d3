// site.ts - a stet site: its client, the definitions of its collections, and its errors in words.
import { type AnyCollections, type Client, createClient, StetError } from "@stet/client";

export interface SiteOptions {
	/** Where stetd serves the site: its base URL. */
	url: string;
	/** A token that reads published content: "stet token add --delivery" makes one. */
	token: string;
}

/** Kinds of what belongs to items, as `include` of @stet/client has them. */
export interface Include {
	terms?: boolean;
	bylines?: boolean;
	author?: boolean;
	media?: boolean;
	translations?: boolean;
	/** All fields, or some, each with the depth to which it is followed. */
	references?: boolean | Record<string, boolean | 1 | 2 | 3>;
}

export interface SubField {
	slug: string;
	type: string;
	required?: boolean;
	options?: string[];
}
export interface Field {
	slug: string;
	label: string;
	type: string;
	required?: boolean;
	options?: { collection?: string; allowMultiple?: boolean };
	validation?: { options?: string[]; subFields?: SubField[] };
}
export interface Collection {
	slug: string;
	label: string;
	fields: Field[];
}

export interface Site {
	url: string;
	client: Client<AnyCollections>;
	/** All definitions. They are shared by what asks within a second, unless they have to be new. */
	collections(isNew?: boolean): Promise<Collection[]>;
	/** One of them; the error says which ones there are. */
	collection(slug: string): Promise<Collection>;
}

const FRESH = 1000;
const sites = new Map<string, Site>();

function newSite({ url, token }: SiteOptions): Site {
	// Definitions come with an ETag: unchanged ones are not sent again.
	const client = createClient({ url, token, cache: 4 });
	let asked: Promise<Collection[]> | undefined,
		at = 0;

	const collections = (isNew = false): Promise<Collection[]> => {
		if (asked === undefined || isNew || Date.now() - at > FRESH) {
			at = Date.now();
			asked = client.call<{ collections: Collection[] }>("GET /schema").then(({ collections }) => {
				if (Array.isArray(collections)) return collections;
				throw new StetError(0, {
					code: "NOT_UNDERSTOOD",
					message: "there are no definitions in its answer",
				});
			});
			asked.catch(() => (asked = undefined));
		}
		return asked;
	};
	const site: Site = {
		url,
		client,
		collections: (isNew) => collections(isNew).catch(said(site)),
		async collection(slug) {
			const isIt = (one: Collection) => one.slug === slug;
			const known = (await site.collections()).find(isIt);
			if (known) return known;
			const all = await site.collections(true);
			const found = all.find(isIt);
			if (found) return found;
			const names = all.map((one) => one.slug).join(", ");
			throw new Error(
				`stet: there is no collection "${slug}" at ${url}; ${names ? `there are: ${names}` : "it has none"}`,
			);
		},
	};
	return site;
}

/** The site of these options: the same for all loaders that have the same. */
export function siteOf({ url, token }: SiteOptions): Site {
	if (!URL.canParse(url ?? "") || !/^https?:/i.test(url))
		throw new Error(
			`stet: url is ${url ? `"${url}", which is no address` : "missing"}: it is where stetd serves the site`,
		);
	if (!token)
		throw new Error(`stet: token is missing: "stet token add --delivery --name site" makes one for ${url}`);
	const key = `${url}\n${token}`;
	const site = sites.get(key) ?? newSite({ url, token });

	sites.set(key, site);
	return site;
}

function wordsOf({ status, code, message }: StetError, { url }: Site, collection: string): string {
	if (code === "NETWORK" || code === "TIMEOUT")
		return `no answer from ${url}: does stetd run there? (${message})`;
	if (code === "NOT_UNDERSTOOD") return `what answers at ${url} is not stet, or a proxy before it (${message})`;
	if (status === 401)
		return `${url} does not accept the token: ${message}; "stet token add --delivery" makes one`;
	if (status === 403) return `the token may not read ${collection || "this"} at ${url}: ${message}`;
	return `${url}: ${collection && `${collection}: `}${message} (${status} ${code})`;
}

/** For `catch`: throws the error in words that tell what to do. */
export const said =
	(site: Site, collection = "") =>
	(error: unknown): never => {
		if (!(error instanceof StetError)) throw error;
		throw new Error(`stet: ${wordsOf(error, site, collection)}`, { cause: error });
	};
