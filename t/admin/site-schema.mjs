// site-schema.mjs - the pages for collections and fields, for the audit log and for the health of the site.
import assert from "node:assert/strict";

const HOME = "/_cms/admin";
const rows = "tbody tr";

/** Operations with another method than GET that the log does not have: they write nothing that is kept, or sign in. */
const UNTOLD = new RegExp(
	`^(oauth_(?!client)|setup_admin$|passkey_(options|verify|register_options)$|import_(probe|analyze|exporter_analyze)$|${[
		"me_update",
		"release_preview",
		"presence_enter",
		"presence_leave",
		"content_preview_url",
		"magic_link_use",
		"magic_link_send",
		"invite_options",
		"recovery_code_use",
		"batch",
		"mcp_post",
		"mcp_delete",
	].join("$|")}$)`,
);

/* ---- collections and fields ---- */

export async function runSchema({ report, ann, api, told }) {
	const { page } = ann,
		SCHEMA = `${HOME}/schema`;
	const collection = async (slug) => (await api("GET", `/schema/collections/${slug}?includeFields=true`)).item;
	const field = async (slug, name) => (await collection(slug)).fields.find((one) => one.slug === name);
	const fill = (name, text) => page.locator(`dialog[open] [name="${name}"]`).fill(text);
	const choose = (name, value) => page.select(`dialog[open] [name="${name}"]`, value);
	const tick = (name) => page.locator(`dialog[open] [name="${name}"]`).click();
	const send = () => page.locator('dialog[open] button[type="submit"]').click();
	// Adds a field in the dialog.
	const add = async (label, type, more) => {
		await ann.press("[data-add]");
		await ann.has("dialog[open]", 1);
		await fill("label", label);
		await choose("type", type);
		await more?.();
		await send();
		await ann.has("dialog[open]", 0);
		await told(new RegExp(`Field “${label}” added`));
	};

	await report.test("schema: a collection is made, with a short name out of its name", async () => {
		await ann.open(SCHEMA);
		await ann.has(rows, 2);
		await ann.looks();
		await ann.press("[data-make]");
		await fill("label", "Wind tunnels");
		await fill("labelSingular", "Wind tunnel");
		assert.equal(await page.$eval('dialog[open] [name="slug"]', (one) => one.value), "wind_tunnels");
		await fill("slug", "papers");
		await send();
		await ann.reads("dialog[open] .note.wrong", /./);
		await fill("slug", "Tunnels!");
		await send();
		await ann.has('dialog[open] [name="slug"][aria-invalid="true"]', 1);
		await ann.looks();
		await fill("slug", "tunnels");
		await page.locator('dialog[open] [name="firstFields"]').click();
		await send();
		await ann.arrives(`${SCHEMA}/tunnels`);
		await ann.reads("h1", /^Wind tunnels$/);
		assert.deepEqual((await collection("tunnels")).supports, ["drafts", "revisions", "search"]);
		await ann.has(`.side a[href="${HOME}/collections/tunnels"]`, 1);
	});
	await report.test("schema: fields of all types are added", async () => {
		await add("Title", "string", async () => {
			await tick("required");
			await tick("searchable");
			await tick("indexed");
			await fill("maxLength", "80");
		});
		await add("Abstract", "text");
		await add("Text", "portableText");
		await add("Address", "slug");
		await add("Website", "url");
		await add("Length", "number", async () => {
			await fill("min", "0.5");
			await fill("max", "100");
		});
		await add("Built", "integer", async () => {
			await fill("defaultValue", "1950");
			await tick("indexed");
		});
		await add("Running", "boolean", () => choose("defaultValue", "true"));
		await add("Opened", "datetime", () => fill("min", "1900-01-01"));
		await add("Kind", "select", () => fill("options", "Open\nClosed"));
		await add("Used for", "multiSelect", () => fill("options", "Wings\nWakes"));
		await add("Picture", "image", () => fill("allowedMimeTypes", "image/"));
		await add("Plan", "file", () => fill("allowedMimeTypes", "application/pdf"));
		await add("Papers", "reference", async () => {
			await choose("target", "papers");
			await tick("allowMultiple");
		});
		await add("Fans", "repeater", async () => {
			await ann.press("dialog[open] [data-sub]");
			await fill("sub-label", "Power");
			await fill("sub-slug", "power");
			await choose("sub-type", "number");
		});
		await add("Raw", "json");
		const { fields } = await collection("tunnels");
		assert.deepEqual(
			fields.map((one) => `${one.slug}:${one.type}`),
			[
				"title:string",
				"abstract:text",
				"text:portableText",
				"address:slug",
				"website:url",
				"length:number",
				"built:integer",
				"running:boolean",
				"opened:datetime",
				"kind:select",
				"used_for:multiSelect",
				"picture:image",
				"plan:file",
				"papers:reference",
				"fans:repeater",
				"raw:json",
			],
		);
		const of = (slug) => fields.find((one) => one.slug === slug);
		assert.deepEqual(
			[of("title").required, of("title").indexed, of("title").validation],
			[true, true, { maxLength: 80 }],
		);
		assert.deepEqual(
			[of("length").validation, of("built").defaultValue, of("running").defaultValue],
			[{ min: 0.5, max: 100 }, 1950, true],
		);
		assert.deepEqual(
			[of("kind").validation, of("papers").options],
			[{ options: ["Open", "Closed"] }, { collection: "papers", allowMultiple: true }],
		);
		assert.deepEqual(
			of("fans").validation.subFields.map((sub) => [sub.slug, sub.label, sub.type]),
			[["power", "Power", "number"]],
		);
		await ann.looks();
	});
	await report.test("schema: a collection is put into search, and taken out of it after a question", async () => {
		const stats = async () => (await api("GET", "/search/stats")).collections;

		assert.equal((await stats()).tunnels, undefined);
		await ann.press("[data-search-begin]");
		await ann.reads("[data-search-index]", /Search is on|can be found by search/);
		await told(/Search now finds published items of “Wind tunnels”/);
		assert.equal((await stats()).tunnels.indexed, 0);
		await ann.looks();
		await ann.press("[data-search-end]");
		await ann.has("dialog[open]", 1);
		await ann.press("[data-yes]");
		await ann.has("[data-search-begin]", 1);
		assert.equal((await stats()).tunnels, undefined);
	});
	await report.test("schema: what stands in the way of a search is said", async () => {
		await ann.open(`${SCHEMA}/reviews`);
		await ann.reads("[data-search-index]", /First turn on “Search” in the settings below/);
		assert.equal(
			await page.$eval("[data-search-begin]", (one) => one.getAttribute("aria-disabled")),
			"true",
		);
		await ann.open(`${SCHEMA}/tunnels`);
		await ann.has("[data-add]", 1);
	});
	await report.test("schema: what is refused of a field stands beside it, and nothing is lost", async () => {
		await ann.press("[data-add]");
		await fill("label", "Size");
		await choose("type", "select");
		await send();
		await ann.reads("dialog[open] .problem", /required/);
		await ann.has('dialog[open] [name="options"][aria-invalid="true"]', 1);
		await ann.looks();
		assert.equal(await page.$eval('dialog[open] [name="label"]', (one) => one.value), "Size");
		await choose("type", "string");
		await fill("pattern", "[a-z");
		await send();
		await ann.has('dialog[open] [name="pattern"][aria-invalid="true"]', 1);
		await page.keyboard.press("Escape");
		await ann.has("dialog[open]", 0);
		assert.equal(await field("tunnels", "size"), undefined);
	});
	await report.test("schema: a plan says how many items a change touches before it is made", async () => {
		await ann.open(`${SCHEMA}/papers?field=source`);
		await ann.reads(".plan", /No items change/);
		const { total } = await api("GET", "/content/papers?limit=1&includeTotal=true");
		await tick("indexed");
		await ann.reads(".plan", new RegExp(`An index over ${total} items is built`));
		await ann.looks();
		await fill("label", "Report");
		await send();
		await told(/Field “Report” saved/);
		const now = await field("papers", "source");
		assert.deepEqual([now.indexed, now.label], [true, "Report"]);
		await ann.open(`${SCHEMA}/papers?field=${encodeURIComponent("+")}`);
		await ann.reads(".plan", new RegExp(`The field is empty in ${total} existing items`));
		await page.keyboard.press("Escape");
	});
	await report.test(
		"schema: fields are moved by the keyboard, the focus goes along, and one is deleted",
		async () => {
			await ann.open(`${SCHEMA}/tunnels`);
			await ann.has("section .list tbody tr", 16);
			await page.focus('[data-id="kind"] [data-up]');
			await page.keyboard.press("Enter");
			await ann.until(
				"it is before",
				async () =>
					(await collection("tunnels")).fields.findIndex((one) => one.slug === "kind") ===
					8,
			);
			await ann.until("the focus is on it", () =>
				page.evaluate(() => document.activeElement.matches('[data-id="kind"] [data-up]')),
			);
			await page.locator('[data-id="raw"] button[aria-haspopup]').click();
			await page.locator('[data-id="raw"] [role="menuitem"].out').click();
			await ann.reads("dialog[open]", /No item uses it/);
			await ann.press("[data-yes]");
			await told(/Field “Raw” deleted/);
			assert.equal(await field("tunnels", "raw"), undefined);
		},
	);
	await report.test(
		"schema: settings of a collection are changed, and those that are refused stand at their field",
		async () => {
			const set = (name, text) => page.locator(`form.form [name="${name}"]`).fill(text);
			await set("urlPattern", "/tunnels/{slug}");
			await page.select('form.form [name="titleField"]', "title");
			await set("admin.revisionsKept", "7");
			await page.locator('form.form [name="commentsEnabled"]').click();
			await page.locator('form.form [name="publicRead"]').click();
			await set("indexes", "kind,built:desc\nwhatever");
			// Scroll so that the bar at the top does not cover the checkbox.
			await page.$eval('form.form [value="scheduling"]', (one) =>
				one.scrollIntoView({ block: "center" }),
			);
			await page.locator('form.form [value="scheduling"]').click();
			await ann.reads(".form-foot", /7 unsaved changes/);
			await ann.looks();
			await ann.press("[data-save]");
			await ann.has('form.form [name="indexes"][aria-invalid="true"]', 1);
			await set("indexes", "kind,built:desc");
			await ann.press("[data-save]");
			await told(/saved/);
			const now = await collection("tunnels");
			assert.deepEqual(
				[
					now.urlPattern,
					now.titleField,
					now.admin.revisionsKept,
					now.commentsEnabled,
					now.publicRead,
					now.supports.includes("scheduling"),
				],
				["/tunnels/{slug}", "title", 7, true, true, true],
			);
			assert.deepEqual(now.indexes, ["kind:asc,built:desc"]);
			assert.equal(
				await page.$eval('form.form [name="indexes"]', (one) => one.value),
				"kind:asc,built:desc",
			);
			await set("admin.revisionsKept", "5000");
			await ann.press("[data-save]");
			await ann.has('form.form [name="admin.revisionsKept"][aria-invalid="true"]', 1);
			await set("indexes", "built,kind");
			await ann.press("[data-reset]");
			await ann.until("what was typed is undone", () =>
				page.$eval('form.form [name="indexes"]', (one) => one.value === "kind:asc,built:desc"),
			);
			assert.equal((await collection("tunnels")).admin.revisionsKept, 7);
		},
	);
	await report.test(
		"schema: collections are moved, and one is deleted after it was said what goes with it",
		async () => {
			await api("POST", "/content/tunnels", { data: { title: "The eleven-foot tunnel" } });
			await ann.open(SCHEMA);
			await ann.has(rows, 3);
			await page.focus('[data-id="tunnels"] [data-up]');
			await page.keyboard.press("Enter");
			await ann.until(
				"it is before",
				async () => (await api("GET", "/schema/collections")).items[1].slug === "tunnels",
			);
			await ann.open(`${SCHEMA}/tunnels`);
			await page.locator(".head button[aria-haspopup]").click();
			await page.locator('.head [role="menuitem"].out').click();
			await ann.reads("dialog[open]", /It has 1 item/);
			await ann.looks();
			await ann.press("[data-yes]");
			await ann.arrives(SCHEMA);
			await told(/Collection “Wind tunnels” deleted/);
			await ann.has(`.side a[href="${HOME}/collections/tunnels"]`, 0);
			assert.equal((await ann.api("GET", "/schema/collections/tunnels")).status, 404);
		},
	);
}

/* ---- audit ---- */

export async function runAudit({ report, ann, api }) {
	const { page } = ann,
		AUDIT = `${HOME}/audit`;

	await report.test("audit: what was done is listed, and one record is shown whole", async () => {
		await ann.open(AUDIT);
		await ann.has(rows, 50);
		// Items are named by their titles, with their collections, and are links.
		await ann.open(`${AUDIT}?op=content_create`);
		await ann.until("a title and a collection", () =>
			page.$$eval("tbody .sub", (all) =>
				all.some(
					(one) =>
						one.querySelector('a[href*="/collections/papers/"]') &&
						/Articles/.test(one.textContent),
				),
			),
		);
		await ann.open(AUDIT);
		await ann.press("[data-next]");
		await ann.reads(".pager", /Newest/);
		await ann.open(`${AUDIT}?op=collection_delete&subject=tunnels`);
		await ann.has(rows, 1);
		await ann.reads("tbody", /Collection deleted.*tunnels/s);
		await ann.press("[data-record]");
		await ann.reads("dialog[open] .facts", /browser.*OK/s);
		const { items } = await api("GET", "/admin/audit?op=collection_delete&subject=tunnels");
		await ann.reads("dialog[open] .facts", new RegExp(items[0].hash));
		await ann.looks();
	});
	await report.test("audit: every operation that writes has words, and fields have their labels", async () => {
		await ann.open(AUDIT);
		await ann.has(rows, 50);
		const own = new Set(await page.$$eval('[name="op"] option', (all) => all.map((one) => one.value)));
		const { paths } = await (await fetch(`${ann.origin}/_cms/api/openapi.json`)).json();
		const missing = Object.values(paths)
			.flatMap((path) => Object.entries(path))
			.filter(([method, op]) => method !== "get" && op.operationId && !UNTOLD.test(op.operationId))
			.map(([, op]) => op.operationId)
			.filter((name) => !own.has(name));
		assert.deepEqual(missing, []);
		const labels = await page.$$eval('[name="op"] option', (all) => all.map((one) => one.textContent));
		assert.equal(new Set(labels).size, labels.length, "each choice can be told from the others");
		await page.select('[name="op"]', "content_create");
		await ann.until("filtered", () => new URL(page.url()).searchParams.get("op") === "content_create");
		await ann.reads("tbody", /Article created/);
		await ann.press("[data-record]");
		await ann.reads("dialog[open] .facts", /Operation\s*content_create/);
		await ann.reads("dialog[open] .facts", /Written values\s*[^_]*Title/);
		await ann.looks();
	});
	await report.test("audit: it is filtered by person, subject and day", async () => {
		const { items } = await api("GET", "/admin/audit?op=content_create&limit=1");
		await ann.open(AUDIT);
		await page.locator('[name="subject"]').fill("tunnels");
		await ann.until(
			"these alone",
			async () =>
				(await ann.count(rows)) < 50 &&
				(await page.$$eval(
					rows,
					(all) => all.length > 0 && all.every((one) => /tunnels/.test(one.textContent)),
				)),
		);
		assert.match(page.url(), /subject=tunnels/);
		await page.select('[name="actor"]', items[0].actorId);
		await ann.until(
			"it is in the address",
			() => new URL(page.url()).searchParams.get("actor") === items[0].actorId,
		);
		await page.locator('[name="until"]').fill("2020-01-01");
		await ann.reads(".state", /No entries found/);
		await ann.looks();
		await page.locator(".named-tools a").click();
		await ann.has(rows, 50);
	});
	await report.test("audit: the chain is proved, against a head that was noted before too", async () => {
		await ann.open(AUDIT);
		await page.locator(".proof summary").click();
		await ann.press("[data-check]");
		await ann.reads("[data-proof]", /The log is intact\./);
		const head = await ann.text("[data-head]");
		assert.match(head, /^\d+:[0-9a-f]{64}$/);
		await ann.looks();
		await api("PUT", "/admin/plugins/comments/settings", { values: { limitCount: 900 } });
		await page.locator('[name="pin"]').fill(head);
		await ann.press("[data-check]");
		await ann.until(
			"it has grown",
			async () => (await page.$("[data-head]")) !== null && (await ann.text("[data-head]")) !== head,
		);
		await ann.reads("[data-proof]", /intact/);
		await page.locator('[name="pin"]').fill(`${head.split(":")[0]}:${"0".repeat(64)}`);
		await ann.press("[data-check]");
		await ann.reads("[data-proof]", /has been altered.*not the one that was pinned/s);
		await ann.looks();
		await page.locator('[name="pin"]').fill("nonsense");
		await ann.press("[data-check]");
		await ann.has('[name="pin"][aria-invalid="true"]', 1);
	});
}

/* ---- health ---- */

export async function runHealth({ report, ann, api }) {
	await report.test("health: what runs is told, and what does not", async () => {
		const { items } = await api("GET", "/admin/plugins");
		await ann.open(`${HOME}/health`);
		await ann.reads(
			'[data-what="modules"]',
			new RegExp(`${items.filter((one) => one.enabled).length} modules are on.*Good`, "s"),
		);
		await ann.reads('[data-what="search"]', /can be found|Search is off for/);
		// The tests' webhook receiver has stopped, so deliveries fail from now on.
		const [hook] = (await api("GET", "/admin/webhooks")).items;
		const drafts = (await api("GET", "/content/papers?status=draft&limit=1")).items;
		await api("PUT", `/content/papers/${drafts[0].id}`, { data: { source: "NACA R-1339" } });
		await ann.until(
			"an attempt failed",
			async () => (await api("GET", `/admin/webhooks/${hook.id}`)).item.failures > 0,
		);
		await ann.press("[data-again]");
		await ann.reads(".things", /1 webhook is failing.*127\.0\.0\.1.*failed/s);
		await ann.has(".things .mark.bad", 2);
		await ann.looks();
	});
}

export async function runBackups({ report, ann, api, told }) {
	const { page } = ann;

	await report.test("backups: where none is scheduled, the page says how", async () => {
		await ann.open(`${HOME}/backups`);
		await ann.reads('[data-fact="last"]', /Never/);
		await ann.reads("[data-how]", /backup-at = "03:30"/);
		await ann.reads("[data-archives]", /No archives yet/);
		await ann.looks();
	});
	await report.test("backups: one that is asked for is made, listed and told", async () => {
		await ann.press("[data-now]");
		await told(/Backup finished/);
		await ann.has("[data-archives] tbody tr", 1);
		await ann.reads("[data-archives] tbody tr", /-asked\.tar\.zst.*Manual/s);
		const { requested, archives } = await api("GET", "/admin/backups");
		assert.ok(requested.path.endsWith(archives[0].name) && archives[0].bytes > 0);
		assert.ok((await ann.text('[data-fact="file"]')).includes(requested.path));
		await ann.reads("main", new RegExp(`stet verify \\S+${archives[0].name}`));
		await ann.has("[data-now]:not([disabled]):not([aria-disabled])", 1);
		await ann.looks();
		assert.equal((await api("GET", "/admin/audit?op=backups_start")).items.length, 1);
	});
	await report.test("backups: what is late, has failed or is under way is told", async () => {
		const answer = {
			...(await api("GET", "/admin/backups")),
			state: "running",
			progress: { step: "writing", done: 30, all: 120 },
			isOverdue: true,
			schedule: { everyMs: 21600000 },
			nextAt: "2026-11-01T03:30:00.000Z",
		};
		answer.scheduled = {
			triedAt: "2026-11-01T03:30:00.000Z",
			madeAt: "2026-10-01T03:30:00.000Z",
			error: "/backups: No space left on device",
			failures: 3,
		};
		answer.requested = {};
		await page.setRequestInterception(true);
		const answers = (request) =>
			request.url().endsWith("/_cms/api/admin/backups")
				? request.respond({
						contentType: "application/json",
						body: JSON.stringify({ data: answer }),
					})
				: request.continue();
		page.on("request", answers);
		try {
			await ann.open(`${HOME}/backups`);
			await ann.reads("[data-failed]", /No space left on device/);
			await ann.reads("[data-overdue]", /overdue/);
			await ann.reads("[data-going]", /writing.*25 %/s);
			await ann.reads('[data-fact="schedule"]', /Every 6 hours/);
			await ann.has("[data-unscheduled]", 0);
			await ann.looks();
		} finally {
			page.off("request", answers);
			await page.setRequestInterception(false);
		}
	});
}
