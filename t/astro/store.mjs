// store.mjs - a stand-in for what Astro gives to a loader, as its documentation of the Loader API has it: a store that
// knows digests, a store of metadata, and parseData, which holds data against the schema. It counts what is parsed.
import { createHash } from "node:crypto";

// The schema of a loader, as Astro 5 or a later one asks for it.
export const schemaOf = async (loader) => (loader.schema ? loader.schema() : (await loader.createSchema()).schema);

export function newContext(collection, log = []) {
	const entries = new Map(),
		kept = new Map();
	const context = {
		collection,
		log,
		parsed: [],
		entries,
		kept,
		store: {
			get: (id) => entries.get(id),
			entries: () => [...entries],
			keys: () => [...entries.keys()],
			values: () => [...entries.values()],
			has: (id) => entries.has(id),
			set(entry) {
				if (!entry.id) throw new Error("ID must be a non-empty string");
				if (entry.digest && entries.get(entry.id)?.digest === entry.digest) return false;
				entries.set(entry.id, structuredClone(entry));
				return true;
			},
			delete: (id) => void entries.delete(id),
			clear: () => entries.clear(),
		},
		meta: {
			get: (key) => kept.get(key),
			set(key, value) {
				if (typeof value !== "string") throw new TypeError("metadata is text");
				kept.set(key, value);
			},
			delete: (key) => void kept.delete(key),
			has: (key) => kept.has(key),
		},
		logger: Object.fromEntries(
			["info", "warn", "error", "debug"].map((level) => [
				level,
				(text) => log.push(`${level}: ${text}`),
			]),
		),
		config: {},
		generateDigest: (value) =>
			createHash("sha1")
				.update(typeof value === "string" ? value : JSON.stringify(value))
				.digest("hex"),
	};
	// Runs a loader as Astro does: Astro reads the schema first.
	context.load = async (loader) => {
		const schema = await schemaOf(loader);
		context.parsed = [];
		context.parseData = async ({ id, data }) => {
			context.parsed.push(id);
			const parsed = await schema.safeParseAsync(data);
			if (!parsed.success)
				throw new Error(`${collection} → ${id}: ${JSON.stringify(parsed.error.issues)}`);
			return parsed.data;
		};
		await loader.load(context);
		return context;
	};
	context.slug = (slug) => [...entries.values()].find((entry) => entry.data.slug === slug);
	return context;
}

// Records the requests that are sent while `run` runs: "GET /schema". `before` is called before each of them.
export async function requests(run, before = () => {}) {
	const own = globalThis.fetch,
		list = [];

	globalThis.fetch = async (url, init) => {
		const { pathname } = new URL(url);
		list.push(`${init?.method ?? "GET"} ${pathname.replace("/_cms/api", "")}`);
		await before(list.at(-1), list);
		return own(url, init);
	};
	try {
		await run();
	} finally {
		globalThis.fetch = own;
	}
	return list;
}
