// types.ts - code that the types of the client accept, and code that they must reject (@ts-expect-error). It is
// compiled with every strict option and the types of the site (site.ts, by "stet types"), and never run.
import {
	createClient,
	ConflictError,
	mediaOf,
	reference,
	references,
	termsOf,
	type Filters,
	type Media,
	type Page,
	type Term,
} from "@stet/client";
import type { Collections, PortableTextBlock, Post } from "./site.js";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <T extends true>(): T => true as T;

const client = createClient<Collections>({ url: "https://example.org", token: undefined, retries: 1 });

export async function reading(signal: AbortSignal | undefined): Promise<void> {
	const page = await client.list("posts", { limit: 10, orderBy: "createdAt", signal });
	const post = page.items[0]!;
	holds<Same<typeof post, Post & { _rev?: string }>>();
	holds<Same<typeof post.data.kind, "note" | "essay" | undefined>>();
	holds<Same<typeof page.partial, boolean | undefined>>();
	// @ts-expect-error: nothing is included unless it is asked for
	page.included;
	// @ts-expect-error: no such field
	post.data.colour;
	// @ts-expect-error: no such collection
	await client.list("papers");
	// @ts-expect-error: no such option
	await client.list("posts", { limit: 10, limits: 10 });

	const some = await client.get("posts", "hello", { fields: ["slug", "title", "year"] });
	holds<Same<typeof some.item.data, Pick<Post["data"], "title" | "year">>>();
	holds<Same<typeof some.item.slug, string | null>>();
	some.item.id;
	// @ts-expect-error: it was not asked for
	some.item.status;
	// @ts-expect-error: nor was this
	some.item.data.kind;
	const members = await client.list("posts", { fields: ["slug"] });
	// @ts-expect-error: no field was asked for
	members.items[0]!.data;
	// @ts-expect-error: no such field
	await client.list("posts", { fields: ["colour"] });

	const marked = await client.get("posts", "hello", { markdown: true });
	holds<Same<typeof marked.item.data.body, string | undefined>>();
	holds<Same<typeof marked.item.data.year, number | undefined>>();
	const blocks = await client.get("posts", "hello");
	holds<Same<typeof blocks.item.data.body, PortableTextBlock[] | undefined>>();

	for await (const one of client.all("posts", { fields: ["title"], order: "asc" }))
		holds<Same<typeof one.data.title, string>>();
	// @ts-expect-error: only a page has included records
	client.all("posts", { include: { terms: true } });
	for await (const change of client.changes({ since: "x", signal })) holds<Same<typeof change.cursor, string>>();
}

export async function filters(): Promise<void> {
	await client.list("posts", {
		fieldFilters: { kind: "note", year: { gte: 1990, lt: 2000 }, seen: true, summary: null },
	});
	await client.list("posts", {
		fieldFilters: { createdAt: { between: [new Date(0), "2026-01-01"] }, title: { startsWith: "A" } },
	});
	await client.list("posts", {
		fieldFilters: { or: [{ kind: { in: ["note", "essay"] } }, { not: { year: { isNull: true } } }] },
	});
	await client.list("posts", {
		fieldFilters: {
			tags: { has: "a" },
			related: { has: "01ARZ3NDEKTSV4RRFFQ69G5FAV" },
			or: [{ tags: null }],
		},
	});
	await client.list("posts", {
		fieldFilters: {
			title: { contains: "two words" },
			not: { body: { contains: "draft" } },
			tags: { contains: "a" },
		},
	});
	// @ts-expect-error: numbers have no `contains`
	await client.list("posts", { fieldFilters: { year: { contains: "1" } } });
	// @ts-expect-error: an item's dates have no `contains`
	await client.list("posts", { fieldFilters: { createdAt: { contains: "1" } } });
	// @ts-expect-error: `contains` excludes other operators
	await client.list("posts", { fieldFilters: { title: { contains: "a", eq: "b" } } });
	// @ts-expect-error: blocks have only `contains`
	await client.list("posts", { fieldFilters: { body: { has: "a" } } });
	// @ts-expect-error: no such choice
	await client.list("posts", { fieldFilters: { tags: { has: "z" } } });
	// @ts-expect-error: a field of many values has `has`, not `eq`
	await client.list("posts", { fieldFilters: { tags: { eq: "a" } } });
	// @ts-expect-error: a field of one value has no `has`
	await client.list("posts", { fieldFilters: { kind: { has: "note" } } });
	await client.list("posts", { fieldFilters: { author: { eq: "01ARZ3NDEKTSV4RRFFQ69G5FAV" } } });
	// @ts-expect-error: no choice of the field
	await client.list("posts", { fieldFilters: { kind: "poem" } });
	// @ts-expect-error: no number
	await client.list("posts", { fieldFilters: { year: "1990" } });
	// @ts-expect-error: one operator
	await client.list("posts", { fieldFilters: { year: { eq: 1, ne: 2 } } });
	// @ts-expect-error: not two lower bounds
	await client.list("posts", { fieldFilters: { year: { gt: 1, gte: 2 } } });
	// @ts-expect-error: numbers have no `startsWith`
	await client.list("posts", { fieldFilters: { year: { startsWith: "1" } } });
	// @ts-expect-error: no such operator
	await client.list("posts", { fieldFilters: { year: { like: 1 } } });
	// @ts-expect-error: blocks are no value to compare
	await client.list("posts", { fieldFilters: { body: "x" } });
	// @ts-expect-error: no such field
	await client.list("posts", { fieldFilters: { colour: "red" } });
	// @ts-expect-error: nor inside a group
	await client.list("posts", { fieldFilters: { or: [{ colour: "red" }] } });
	const kept: Filters<Post["data"]> = { and: [{ year: 1 }], not: [{ kind: "note" }] };
	await client.list("posts", { fieldFilters: kept });

	await client.list("posts", {
		orderBy: ["kind:asc", "year:desc"],
		terms: { topic: ["news", "!sport"], tag: "db" },
	});
	await client.list("posts", { orderBy: "year", terms: "topic:news/*" });
	// @ts-expect-error: no such order
	await client.list("posts", { orderBy: "colour" });
	// @ts-expect-error: no such direction
	await client.list("posts", { orderBy: "year:up" });
	const beside = await client.neighbors("posts", "hello", { orderBy: "publishedAt" });
	holds<Same<typeof beside.next, Omit<Post, "bylines" | "byline"> | null>>();
	// @ts-expect-error: neighbours are sent without bylines
	await client.neighbors("posts", "hello", { fields: ["bylines"] });
	const [near] = (await client.related("posts", "hello", { fields: ["title"] })).items;
	holds<Same<NonNullable<typeof near>["data"], Pick<Post["data"], "title">>>();
	// @ts-expect-error: and so are relatives
	await client.related("posts", "hello", { fields: ["byline"] });
	await client.neighbors("posts", "hello", { orderBy: ["kind:asc", "year:desc"], fields: ["title"] });
}

export async function included(): Promise<void> {
	const page = await client.list("posts", {
		include: { terms: true, media: true, references: { author: 1, related: true } },
	});
	const post = page.items[0]!;
	const writer = reference(page, "people", post.data.author);
	holds<Same<NonNullable<typeof writer>["type"], "people">>();
	holds<Same<NonNullable<typeof writer>["data"]["name"], string>>();
	// @ts-expect-error: the reference is null if the caller may not read the item
	writer.data;
	for (const other of references(page, "posts", post.data.related))
		holds<Same<typeof other.data.title, string>>();
	// @ts-expect-error: no such collection
	reference(page, "papers", post.data.author);
	const terms: Term[] = termsOf(page, post, "topic");
	const media: Media[] = mediaOf(page, post);
	const row = page.included.items[post.id];
	if (row?.type === "people") holds<Same<typeof row.data.name, string>>();
	// @ts-expect-error: bylines were not asked for
	page.included.bylines;

	const plain = await client.list("posts", { include: { terms: true } });
	// @ts-expect-error: nor were references
	reference(plain, "people", post.data.author);
	// @ts-expect-error: no such kind
	await client.list("posts", { include: { terms: true, tags: true } });
	// @ts-expect-error: no reference
	await client.list("posts", { include: { references: { year: 1 } } });
	// @ts-expect-error: too deep
	await client.list("posts", { include: { references: { author: 4 } } });
	const kept: Page<Collections, "posts", never, "terms"> = plain;
	await client.get("posts", "hello", { include: { translations: true, author: true, references: true } });
	void [terms, media, kept];
}

export async function writing(): Promise<void> {
	const { item, _rev } = await client.create("posts", {
		data: { title: "Hello", kind: "note", extra: { any: 1 } },
		status: "published",
	});
	holds<Same<typeof item, Post>>();
	await client.update(
		"posts",
		item.id,
		{ _rev, data: { year: null }, slug: "hello" },
		{ idempotencyKey: "once" },
	);
	await client.patch("posts", item.id, { _rev, field: "body", blocks: [{ op: "insert_after", value: "Text" }] });
	await client.publish("posts", item.id, { _rev });
	await client.schedule("posts", item.id, new Date(), { _rev });
	// @ts-expect-error: no choice of the field
	await client.create("posts", { data: { title: "Hello", kind: "poem" } });
	// @ts-expect-error: no such field
	await client.create("posts", { data: { title: "Hello", colour: "red" } });
	// @ts-expect-error: values are members of data
	await client.create("posts", { title: "Hello" });
	// @ts-expect-error: an item is scheduled by schedule()
	await client.update("posts", item.id, { status: "scheduled" });
	// @ts-expect-error: blocks are changed with the _rev that was read
	await client.patch("posts", item.id, { blocks: [] });
	try {
		await client.delete("posts", item.id);
	} catch (error) {
		if (error instanceof ConflictError) holds<Same<typeof error.currentRev, string | undefined>>();
	}
}

export async function loose(): Promise<void> {
	const any = createClient({ url: "https://example.org" });
	const page = await any.list("whatever", {
		fieldFilters: { colour: { in: ["red"] } },
		orderBy: "colour",
		include: { references: { maker: 2 } },
	});
	const colour: string = page.items[0]!.data.colour;
	const maker = reference(page, "makers", page.items[0]!.data.maker);
	const menu = await any.call<{ items: unknown[] }>("menu_get", { name: "main" });
	await any.create("whatever", { data: { colour: 1 } });
	// @ts-expect-error: no such option
	createClient({ address: "https://example.org" });
	void [colour, maker?.data.name, menu.items];
}
