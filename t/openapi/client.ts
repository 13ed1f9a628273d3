// client.ts - an editor's work through a client that is typed by the document: compiled with every strictness,
// then run. api.ts is made of the document, site.ts by "stet types".
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

type Item = components["schemas"]["Content"];
type Recipe = components["schemas"]["Content_recipes"];

export interface Context {
	url: string;
	token: string;
	fetch: (request: Request) => Promise<Response>;
}

function must<T>(value: T | null | undefined, what: string): T {
	if (value === null || value === undefined) throw new Error(`${what} is not there`);
	return value;
}

function same(a: unknown, b: unknown): void {
	if (a !== b) throw new Error(`${String(a)} is not ${String(b)}`);
}

const isRecipe = (item: Item): item is Recipe => item.type === "recipes";

export async function drive({ url, token, fetch }: Context): Promise<void> {
	const client = createClient<paths>({ baseUrl: url, fetch, headers: { Authorization: `Bearer ${token}` } });
	const recipes = { path: { collection: "recipes" } };

	const made = await client.POST("/content/{collection}", {
		params: recipes,
		body: { data: { title: "Soup", kind: "warm", steps: [{ text: "Boil", minutes: 10 }] } },
	});
	const { item, _rev } = must(made.data, "the new item").data;
	if (item.type !== "recipes") throw new Error("another collection");
	const kind: "warm" | "cold" | undefined = item.data.kind; // the values of a select
	same(kind, "warm");
	same(item.data.steps?.[0]?.minutes, 10);

	const one = { params: { path: { collection: "recipes", id: item.id } } };
	const published = await client.POST("/content/{collection}/{id}/publish", one);
	same(must(published.data, "what is published").data.item.status, "published");

	const list = await client.GET("/content/{collection}", {
		params: { ...recipes, query: { limit: 1, orderBy: "createdAt", status: "published" } },
	});
	const page = must(list.data, "the page").data;
	same(page.items.length, 1);
	same(page.items.filter(isRecipe)[0]?.data?.title, "Soup");

	// A stale revision: the failure has a type, too.
	const stale = await client.PUT("/content/{collection}/{id}", {
		...one,
		body: { _rev, data: { title: "Stew" } },
	});
	const failure = must(stale.error, "the failure");
	const code: components["schemas"]["Error"]["error"]["code"] = failure.error.code;
	same(code, "CONFLICT");
	same(stale.response.status, 409);

	const wrong = await client.POST("/content/{collection}", {
		params: recipes,
		// @ts-expect-error: the choices of the field are known before anything is sent
		body: { data: { kind: "tepid" } },
	});
	same(must(wrong.error, "the second failure").error.code, "VALIDATION_ERROR");
	same(
		wrong.error?.error.details?.issues?.some((i) => i.path === "data.kind"),
		true,
	);

	// @ts-expect-error: no such value
	await client.POST("/content/{collection}", { params: recipes, body: { data: {}, slug: 1 } });
	// @ts-expect-error: a required argument is missing
	await client.POST("/content/{collection}", { params: recipes, body: {} });
}
