// session.mjs - a day at a site, route by route: what works, and what is refused. Every answer is held against
// the document (conforms.mjs); the answers themselves are the concern of t/module.
import assert from "node:assert/strict";

const CSRF = { "X-CMS-Request": "1" };

export class Session {
	constructor(url, token, conformance) {
		Object.assign(this, { url, token, conformance });
	}

	// Returns the data of a success, or the error; `expected` is a status.
	async send(expected, method, path, body, headers = {}) {
		const answer = await this.conformance.fetch(`${this.url}${path}`, {
			method,
			headers: {
				...CSRF,
				...(this.token ? { Authorization: `Bearer ${this.token}` } : {}),
				...(body !== undefined && !(body instanceof FormData)
					? { "Content-Type": "application/json" }
					: {}),
				...headers,
			},
			body:
				body === undefined || typeof body === "string" || body instanceof FormData
					? body
					: JSON.stringify(body),
		});
		const text = await answer.text();

		assert.equal(answer.status, expected, `${method} ${path}: ${text.slice(0, 400)}`);
		const json = answer.headers.get("content-type")?.startsWith("application/json")
			? JSON.parse(text)
			: null;
		return { etag: answer.headers.get("etag"), data: json?.data, error: json?.error };
	}

	get = async (path, headers) => (await this.send(200, "GET", path, undefined, headers)).data;
	post = async (path, body = {}) => (await this.send(200, "POST", path, body)).data;
	create = async (path, body = {}) => (await this.send(201, "POST", path, body)).data;
	put = async (path, body) => (await this.send(200, "PUT", path, body)).data;
	delete = async (path) => (await this.send(200, "DELETE", path)).data;
	refused = (status, method, path, body, headers) => this.send(status, method, path, body, headers);
}

// A collection with a field of every type.
export async function makeRecipes(s) {
	const fields = [
		{ slug: "title", type: "string", searchable: true, required: true },
		{ slug: "intro", type: "text", searchable: true },
		{ slug: "source", type: "url" },
		{ slug: "price", type: "number" },
		{ slug: "portions", type: "integer", indexed: true },
		{ slug: "vegan", type: "boolean" },
		{ slug: "day", type: "datetime" },
		{ slug: "kind", type: "select", validation: { options: ["warm", "cold"] } },
		{ slug: "tags", type: "multiSelect", validation: { options: ["a", "b-c", 'd"e'] } },
		{ slug: "body", type: "portableText" },
		{ slug: "photo", type: "image" },
		{ slug: "card", type: "file" },
		{ slug: "parent", type: "reference", options: { collection: "recipes" } },
		{ slug: "others", type: "reference", options: { collection: "recipes", allowMultiple: true } },
		{ slug: "extra", type: "json" },
		{ slug: "code", type: "slug" },
		{
			slug: "steps",
			type: "repeater",
			validation: {
				subFields: [
					{ slug: "text", type: "string", label: "Text", required: true },
					{ slug: "minutes", type: "integer", label: "Minutes" },
				],
			},
		},
	];

	await s.create("/schema/collections", {
		slug: "recipes",
		label: "Recipes",
		labelSingular: "Recipe",
		supports: ["drafts", "revisions", "search", "scheduling", "preview", "seo"],
	});
	for (const field of fields)
		await s.create("/schema/collections/recipes/fields", { label: field.slug, ...field });
	await s.create("/schema/collections", { slug: "empty_ones", label: "Nothing yet" });
}

async function schema(s) {
	await s.get("/schema");
	await s.get("/schema?format=typescript");
	await s.get("/schema/collections");
	await s.get("/schema/collections/recipes?includeFields=true");
	await s.put("/schema/collections/recipes", {
		description: "What to cook",
		commentsEnabled: true,
		admin: { listColumns: ["title"] },
	});
	await s.get("/schema/collections/recipes/fields");
	await s.get("/schema/collections/recipes/fields/title");
	await s.put("/schema/collections/recipes/fields/intro", { label: "Introduction" });
	await s.refused(404, "GET", "/schema/collections/nothing");
	await s.refused(409, "POST", "/schema/collections", { slug: "recipes", label: "Again" });
	await s.refused(400, "POST", "/schema/collections", { slug: "Not a name", label: "" });
	await s.create("/schema/collections", { slug: "passing", label: "Passing" });
	await s.post("/schema/collections/reorder", { slugs: ["recipes", "empty_ones", "passing"] });
	await s.delete("/schema/collections/passing");
}

/** An item with an old slug, and rules of all. */
async function moves(s, base) {
	const { item } = await s.create(base, { slug: "place-one", status: "published", data: { title: "Moves" } });
	const at = `${base}/${item.id}`;

	await s.put(at, { slug: "place-two", status: "published" });
	await s.refused(404, "GET", `${base}/place-one`);
	await s.get("/redirects/recipes");
	await s.get(`${at}/redirects`);
	for (const format of ["json", "nginx", "netlify"]) await s.send(200, "GET", `/redirects?format=${format}`);
	await s.delete(`${at}/redirects/place-one`);
	await s.delete(at);
}

async function content(s) {
	const base = "/content/recipes";
	const data = {
		title: "Bread",
		intro: "Of flour",
		source: "https://example.org/bread",
		price: 1.5,
		portions: 4,
		vegan: true,
		day: "2026-11-20",
		kind: "cold",
		tags: ["a", "b-c"],
		body: [
			{
				_type: "block",
				_key: "k",
				style: "normal",
				children: [{ _type: "span", _key: "s", text: "Knead" }],
				markDefs: [],
			},
		],
		extra: { any: [1, null, "x"] },
		code: "bread-1",
		steps: [{ text: "Mix", minutes: 5 }, { text: "Bake" }],
	};
	const { item, _rev } = await s.create(base, {
		data,
		seo: { title: "How to bake", canonical: "https://example.org/bread" },
	});
	const at = `${base}/${item.id}`;

	const second = await s.create(base, {
		slug: "second",
		status: "published",
		data: { title: "Second", parent: item.id, others: [item.id] },
	});
	await s.get(`${base}?limit=1&orderBy=portions&order=desc`);
	await s.get(`${base}?fields=id,title,body&markdown=true`);
	await s.get(`${base}?include=terms,bylines,author,media,translations,references(others:2)`);
	await s.get(`${at}?include=references&fields=seo`);
	await s.get(at);
	await s.get(`${at}?markdown=true`);
	const updated = await s.put(at, { _rev, data: { title: "Better bread" } });
	const conflict = await s.refused(409, "PUT", at, { _rev, data: { title: "Too late" } });
	assert.equal(conflict.error.code, "CONFLICT");
	await s.refused(412, "PUT", at, { data: { title: "Too late" } }, { "If-Match": `"${_rev}"` });
	const { etag } = await s.send(200, "GET", at);
	await s.refused(304, "GET", at, undefined, { "If-None-Match": etag });
	await s.post(`${at}/publish`);
	await s.put(at, { data: { title: "A draft of it", tags: [] } });
	await s.get(at);
	await s.get(`${at}/compare`);
	await s.get(`${at}/neighbors?orderBy=portions`);
	await s.get(`${at}/related?limit=5`);
	await s.post(`${at}/discard-draft`);
	await s.post(`${at}/unpublish`);
	await s.post(`${at}/schedule`, { scheduledAt: "2099-01-01T00:00:00Z" });
	await s.delete(`${at}/schedule`);
	await releases(s, item.id);
	await s.get(`${at}/translations`);
	const { items: revisions } = await s.get(`${at}/revisions`);
	await s.get(`/revisions/${revisions[0].id}`);
	await s.post(`/revisions/${revisions.at(-1).id}/restore`);
	await s.post(`${at}/preview-url`);
	const link = await s.create(`${at}/preview-links`);
	await s.get(`${at}/preview-links`);
	await s.delete(`${at}/preview-links/${link.id}`);
	await moves(s, base);
	await s.get(`${base}/authors`);
	const copy = await s.create(`${at}/duplicate`);
	const copied = `${base}/${copy.item.id}`;
	await s.delete(copied);
	await s.get(`${base}/trash`);
	await s.post(`${copied}/restore`);
	await s.delete(copied);
	await s.delete(`${copied}/permanent`);
	await s.refused(404, "GET", `${base}/nothing`);
	await s.refused(404, "GET", "/content/nothing");
	await s.refused(400, "GET", `${base}?cursor=x`);
	await s.refused(400, "GET", `${base}?limit=1000`);
	await s.refused(400, "POST", base, "{");
	await s.refused(400, "POST", base, { data: { title: 1, kind: "tepid", tags: "x", nothing: 1 } });
	await s.send(200, "GET", "/changes?limit=3");
	await s.get("/changes");
	await s.refused(404, "GET", `/comments/recipes/${item.id}`);
	await s.get(`/comments/recipes/${second.item.id}`);
	await views(s);
	await s.get(`${base}/${item.id}/uses`);
	await s.get(`${base}/${item.id}/menus`);
	await together(s, at);
	assert.ok(updated._rev);
	return item.id;
}

// Saved views of a list.
async function views(s) {
	const { item } = await s.post("/views/recipes", {
		name: "Mine",
		query: { status: "draft" },
		columns: ["title"],
	});

	await s.post("/views/recipes", { name: "Ours", query: {}, columns: [], shared: true });
	await s.get("/views/recipes");
	await s.refused(400, "POST", "/views/recipes", { name: "" });
	await s.delete(`/views/recipes/${item.id}`);
	await s.refused(404, "DELETE", `/views/recipes/${item.id}`);
}

// Notes on an item, a request for its review, who has it open.
async function together(s, at) {
	const note = await s.create(`${at}/notes`, { body: "Is this right?", field: "title" });

	await s.create(`${at}/notes`, { body: "It is", threadId: note.id });
	await s.put(`${at}/notes/${note.id}`, { resolved: true });
	await s.get(`${at}/notes?state=all`);
	await s.refused(400, "POST", `${at}/notes`, {});
	await s.delete(`${at}/notes/${note.id}`);
	await s.get(`${at}/people?search=a`);
	await s.get(`${at}/review`);
	await s.create(`${at}/review`, { message: "Please read" });
	await s.refused(409, "POST", `${at}/review`, {});
	await s.get("/reviews?for=all");
	await s.get("/reviews/counts");
	await s.post(`${at}/review/return`, { message: "More" });
	await s.create(`${at}/review`);
	await s.post(`${at}/review/withdraw`);
	await s.create(`${at}/review`);
	await s.post(`${at}/review/approve`, { message: "Good" });
	await s.get("/reviews/me");
	await s.put("/reviews/me", { mail: true });
	await s.post(`${at}/presence`, { tab: "tab-1", field: "title" });
	await s.delete(`${at}/presence?tab=tab-1`);
}

async function releases(s, item) {
	const { release } = await s.create("/releases", {
		name: "Spring",
		add: [{ type: "item", collection: "recipes", item }],
	});
	const at = `/releases/${release.id}`;

	await s.get("/releases");
	await s.get(at);
	await s.put(at, { description: "Together", remove: [release.changes[0].id] });
	await s.refused(409, "POST", `${at}/publish`, {});
	await s.put(at, { add: [{ type: "settings", content: { title: "Spring" } }] });
	await s.post(`${at}/check`);
	const shared = await s.create(`${at}/preview-links`, { expiresIn: "1d" });
	await s.get(`${at}/preview-links`);
	await s.post("/releases/preview", { token: shared.token, calls: [{ op: "settings_get" }] });
	await s.delete(`${at}/preview-links/${shared.id}`);
	await s.post(`${at}/schedule`, { scheduledAt: "2099-01-01T00:00:00Z" });
	await s.get("/calendar?from=2099-01-01&to=2099-02-01");
	await s.delete(`${at}/schedule`);
	await s.post(`${at}/publish`);
	await s.post(`${at}/undo`);
	await s.delete(at);
}

async function structures(s, id) {
	await s.create("/taxonomies", {
		name: "topic",
		label: "Topics",
		labelSingular: "Topic",
		hierarchical: true,
		collections: ["recipes"],
	});
	await s.get("/taxonomies");
	await s.get("/taxonomies/topic");
	const { term } = await s.create("/taxonomies/topic/terms", { slug: "food", label: "Food" });
	await s.get("/taxonomies/topic/terms");
	await s.get("/taxonomies/topic/terms/food");
	await s.put("/taxonomies/topic/terms/food", { label: "Foods" });
	await s.post(`/content/recipes/${id}/terms/topic`, { termIds: [term.id] });
	await s.get(`/content/recipes/${id}/terms/topic`);
	await s.get("/changes?term=topic:food&collection=recipes");
	await s.refused(400, "GET", "/changes?term=topic:nothing");
	await s.refused(404, "GET", "/taxonomies/nothing");

	await s.create("/menus", { name: "main", label: "Main" });
	const entry = await s.create("/menus/main/items", { type: "custom", label: "Home", customUrl: "/" });
	await s.get("/menus");
	await s.get("/menus/main");
	await s.put("/menus/main", { label: "The menu" });
	await s.put(`/menus/main/items/${entry.id}`, { label: "Start" });
	await s.refused(409, "POST", "/menus", { name: "main", label: "Again" });
	await s.delete(`/menus/main/items/${entry.id}`);

	const byline = await s.create("/bylines", { slug: "ann", displayName: "Ann" });
	await s.get("/bylines");
	await s.get(`/bylines/${byline.id ?? byline.item.id}`);
	await s.refused(404, "GET", "/bylines/01ARZ3NDEKTSV4RRFFQ69G5FAV");

	await s.create("/sections", { slug: "footer", title: "Footer", content: [] });
	await s.get("/sections");
	await s.get("/sections/footer");
	await s.delete("/sections/footer");

	await s.create("/widget-areas", { name: "side", label: "Side" });
	await s.get("/widget-areas");
	await s.get("/widget-areas/side");
	await s.put("/widget-areas/side", { widgets: [{ type: "menu", menuName: "main" }] });
	await s.delete("/widget-areas/side");

	await s.post("/settings", { siteTitle: "Recipes", timezone: "Europe/Paris" });
	await s.get("/settings");
	await s.refused(400, "POST", "/settings", { timezone: "Nowhere" });
}

async function imports(s) {
	await s.refused(400, "POST", "/import/probe", { url: "http://192.168.0.1" });
	const space = "http://wordpress.org/export/1.2/";
	const text = `<rss xmlns:wp="${space}"><channel><wp:wxr_version>1.2</wp:wxr_version></channel></rss>`;
	const form = new FormData();
	form.append("file", new Blob([text], { type: "text/xml" }), "export.xml");
	const analysis = await s.post("/import/platform/analyze", form);
	await s.post("/import/platform/execute", { analysisId: analysis.analysisId, options: { includeMenus: false } });
	await s.refused(400, "POST", "/import/platform/analyze", new FormData());
	form.append("config", JSON.stringify({ postTypeMappings: { post: { collection: "posts", enabled: true } } }));
	await s.post("/import/platform/execute", form);
	await s.refused(400, "POST", "/import/platform/execute", new FormData());
	await s.post("/import/platform/prepare", {
		postTypes: [
			{
				name: "story",
				collection: "stories",
				enabled: true,
				fields: [
					{
						slug: "title",
						label: "Title",
						type: "string",
						required: true,
						searchable: true,
					},
				],
			},
		],
	});
	/* With two collections a client cannot know to which of them a value belongs. */
	await s.delete("/schema/collections/stories");
}

async function library(s) {
	const form = () => {
		const parts = new FormData();
		parts.append("file", new Blob(["a film"], { type: "video/mp4" }), "film.mp4");
		return parts;
	};
	const { item } = await s.create("/media", form());
	await s.post("/media", form()); // the same file was uploaded before: 200
	await s.refused(400, "POST", "/media", new FormData());
	const { item: folder } = await s.create("/media/folders", { name: "Films" });
	await s.get("/media/folders");
	await s.get(`/media/folders/${folder.id}`);
	await s.put(`/media/folders/${folder.id}`, { name: "Movies" });
	await s.refused(409, "POST", "/media/folders", { name: "movies" });
	await s.put(`/media/${item.id}`, { alt: "A film", folderId: folder.id });
	await s.get("/media?page=1");
	await s.post("/media/bulk/move", { ids: [item.id], folderId: null });
	await s.refused(404, "POST", "/media/bulk/delete", { ids: [item.id, "nothing"] });
	await s.get(`/media?folderId=${folder.id}&mimeType=video/`);
	await s.get(`/media/${item.id}`);
	const asked = { filename: "a.mp4", contentType: "video/mp4", size: 1 };
	await s.refused(422, "GET", `/media/${item.id}/rendition?w=100`); // the file is no image
	const target = await s.post("/media/upload-url", asked);
	await s.refused(400, "POST", `/media/${target.mediaId}/confirm`);
	await s.send(200, "PUT", `/media/${target.mediaId}/upload`, "x", target.headers);
	await s.post(`/media/${target.mediaId}/confirm`, { size: 1 });
	await s.refused(400, "POST", "/media/upload-url", { ...asked, contentType: "text/html" });
	await s.refused(404, "GET", "/media/file/nothing");
	await s.delete(`/media/folders/${folder.id}`);
	await s.delete(`/media/${item.id}`);
	await s.refused(404, "DELETE", `/media/${item.id}`);
}

async function usage(s) {
	const base = "/admin/media-usage";
	const parts = new FormData();
	parts.append("file", new Blob(["used"], { type: "video/mp4" }), "used.mp4");
	const { item } = await s.create("/media", parts);
	await s.get(`/media/${item.id}/usage`);
	await s.get(`/media/${item.id}?includeUsage=1`);
	await s.get("/media?includeUsage=1");
	await s.refused(409, "GET", "/media?unused=1");
	await s.refused(409, "DELETE", `/media/${item.id}?ifUnused=1`);
	await s.refused(404, "GET", "/media/nothing/usage");
	await s.refused(409, "GET", `${base}/progress`);
	await s.refused(409, "POST", `${base}/progress`);
	await s.post(`${base}/activation`, { writersDrained: true });
	let state;
	do state = await s.post(`${base}/progress`);
	while (state.nextRequestInMs === 0);
	await s.get(`${base}/activation`);
	await s.get(`${base}/progress`);
	const { items } = await s.get("/schema/collections");
	await s.post(`${base}/work/retry`, { collectionId: items[0].id, contentId: "nothing" });
	await s.get(`${base}/work?collection=${items[0].slug}`);
	await s.refused(404, "GET", `${base}/work?collection=nothing`);
	await s.get(`${base}/collection-deletions`);
	await s.refused(404, "POST", `${base}/collection-deletions/retry`, { collectionId: "x" });
	await s.post(`${base}/repair`, { scope: "all" });
	await s.refused(400, "POST", `${base}/repair`, {});
	await s.delete(`/media/${item.id}`);
}

async function administration(s) {
	const { items: users } = await s.get("/admin/users");
	await s.get(`/admin/users/${users[0].id}`);
	const token = await s.create("/admin/api-tokens", { name: "session", scopes: ["content:read"] });
	await s.get("/admin/api-tokens");
	const delivery = await s.create("/admin/delivery-tokens", { name: "session" });
	await s.get("/admin/delivery-tokens");
	await s.delete(`/admin/delivery-tokens/${delivery.info.id}`);
	await s.get("/auth/me");
	await s.get("/auth/sessions");
	await s.refused(404, "DELETE", "/auth/sessions/01ARZ3NDEKTSV4RRFFQ69G5FAV");
	await s.delete("/auth/sessions");
	await s.get("/auth/grants");
	await s.refused(404, "DELETE", "/auth/grants/01ARZ3NDEKTSV4RRFFQ69G5FAV");
	await s.get("/auth/recovery-codes");
	await s.create("/auth/recovery-codes");
	await s.refused(400, "POST", "/auth/recovery-codes/use", { email: "a@example.org", code: "x" });
	await s.refused(404, "POST", "/auth/magic-link/verify", { token: "x" });
	await s.get("/setup/status");
	await s.refused(409, "POST", "/setup", { title: "Recipes", includeContent: false });
	await s.refused(400, "POST", "/setup/admin", { email: "a@example.org" });
	await s.post("/auth/passkey/options", {});
	await s.post("/auth/passkey/register/options", {});
	await s.get("/auth/passkey");
	const nobodys = { id: "AAAA", rawId: "AAAA", type: "public-key", response: { clientDataJSON: "e30" } };
	await s.refused(401, "POST", "/auth/passkey/verify", nobodys);
	await s.refused(400, "POST", "/auth/passkey/register/verify", { credential: nobodys });
	await s.refused(404, "PATCH", "/auth/passkey/01ARZ3NDEKTSV4RRFFQ69G5FAV", { name: "Laptop" });
	await s.refused(404, "DELETE", "/auth/passkey/01ARZ3NDEKTSV4RRFFQ69G5FAV");
	await s.refused(503, "POST", "/auth/magic-link/send", { email: "ann@example.org" });
	const { inviteUrl } = await s.post("/auth/invite", { email: "guest@example.org", role: 20 });
	const invitation = inviteUrl.split("#")[1];
	await s.get(`/auth/invite/accept?token=${invitation}`);
	await s.post("/auth/invite/register-options", { token: invitation });
	await s.refused(400, "POST", "/auth/invite/complete", { token: invitation });
	const { items: invitations } = await s.get("/auth/invite");
	await s.delete(`/auth/invite/${invitations[0].id}`);
	await s.refused(404, "POST", "/auth/invite/complete", { token: invitation });
	await s.refused(404, "GET", `/auth/site/${"0".repeat(32)}`);
	await s.delete(`/admin/api-tokens/${token.id ?? token.item?.id ?? token.info.id}`);
	await s.get("/admin/audit?limit=5");
	const { head } = await s.get("/admin/audit/verify");
	await s.get(`/admin/audit/verify?pin=${head}`);
	await s.refused(400, "GET", "/admin/audit/verify?pin=5");
	await s.get("/admin/backups");
	await s.post("/admin/backups");
	await s.get("/admin/manifest");
	await s.get("/admin/manifest?limit=1");
	await s.get("/admin/manifest/recipes");
	await s.get("/admin/manifest/field-types");
	await s.get("/admin/manifest/import-formats");
	await s.get("/admin/plugins");
	await s.get("/admin/plugins/content");
	await s.get("/admin/plugins/mcp/settings");
	await s.put("/admin/plugins/mcp/settings", { values: { callsPerMinute: 500 } });
	await s.get("/admin/comments");
	await s.get("/admin/comments/counts");
	await s.get("/admin/bylines");
	await s.get("/admin/webhooks");
	const { item: hook } = await s.create("/admin/webhooks", { url: "https://example.org/hook", events: [] });
	await s.post(`/admin/webhooks/${hook.id}/replay`, { state: "pending" });
	await s.post(`/admin/webhooks/${hook.id}/drop`);
	await s.refused(400, "POST", `/admin/webhooks/${hook.id}/drop`, { state: "delivered" });
	await s.refused(404, "GET", "/admin/users/01ARZ3NDEKTSV4RRFFQ69G5FAV");
	await s.refused(403, "PUT", `/admin/users/${users[0].id}`, { name: "X" }, { "X-CMS-Request": "0" });
	await s.get("/search/stats");
	await s.refused(404, "GET", "/search/similar/recipes/nothing");
	const batch = await s.post("/batch", {
		calls: [
			{ op: "content_list", arguments: { collection: "recipes", limit: 1 } },
			{ op: "content_get", arguments: { collection: "recipes", id: "nothing" } },
		],
	});
	assert.deepEqual(
		batch.results.map((r) => r.ok),
		[true, false],
	);
	await s.refused(404, "POST", "/batch", {
		atomic: true,
		calls: [{ op: "content_get", arguments: { collection: "recipes", id: "nothing" } }],
	});
	await s.refused(400, "POST", "/batch", { calls: [] });
	await s.refused(405, "GET", "/mcp");
	await s.send(
		200,
		"POST",
		"/mcp",
		{ jsonrpc: "2.0", id: 1, method: "tools/list" },
		{
			Accept: "application/json, text/event-stream",
		},
	);
	await s.get("/openapi.json");
}

// Callers who are not signed in, or whose token lacks a right, get the same error from each route.
export async function rejections(s, document) {
	const nobody = new Session(s.url, null, s.conformance);

	for (const [path, operations] of Object.entries(document.paths))
		for (const [method, operation] of Object.entries(operations)) {
			if (!operation.operationId || operations.servers || operation.security.length !== 1) continue;
			const body = operation.requestBody ? {} : undefined;
			await nobody.refused(401, method.toUpperCase(), path.replaceAll(/{[^}]*}/g, "x"), body);
		}
}

export async function runSession(s) {
	await makeRecipes(s);
	await schema(s);
	await structures(s, await content(s));
	await imports(s);
	await library(s);
	await usage(s);
	await administration(s);
}
