// activity.mjs - what assistants did: the list of sessions, one session with what each write changed, the trial of an
// undo with what others have edited since, the undo of one write and of all, by the pointer and by the keyboard.
import assert from "node:assert/strict";
import { caller } from "./articles.mjs";
import { maker } from "./site.mjs";

const HOME = "/_cms/admin",
	LOGS = "/content/logs";

export async function runActivity({ report, ann, shots }) {
	const { page } = ann,
		made = maker(ann);
	const look = (name) => ann.looksEverywhere(`activity-${name}`, shots);

	/** The session of a new program that edits two items, creates one and a menu; returns its id and the items'. */
	const wrote = async (name) => {
		const [first, second] = await Promise.all(
			["Runway", "Taxiway"].map(
				async (title) =>
					(await made("POST", LOGS, { data: { title, note: "as it was" } })).item,
			),
		);
		const { token } = await made("POST", "/admin/api-tokens", { name, scopes: ["admin"] });
		const program = caller(ann.origin, token);

		await program("PUT", `${LOGS}/${first.id}`, { data: { title: "Runway of the program" } });
		await program("PUT", `${LOGS}/${second.id}`, {
			data: { title: "Taxiway of the program", note: "as the program left it" },
		});
		const { item } = await program("POST", LOGS, { data: { title: "Apron" } });
		await program("POST", "/menus", { name: `logs-${first.id.toLowerCase()}`, label: "Logs" });
		const { items } = await program("GET", "/assistant-sessions");

		return { first: first.id, second: second.id, third: item.id, session: items[0].id };
	};
	const valueOf = async (id) => (await made("GET", `${LOGS}/${id}`)).item.data;

	await made("POST", "/schema/collections", {
		slug: "logs",
		label: "Logs",
		labelSingular: "Log",
		supports: ["drafts", "revisions"],
	});
	for (const slug of ["title", "note"])
		await made("POST", "/schema/collections/logs/fields", { slug, label: slug, type: "string" });

	await report.test("activity: a session is listed, and shows each write with what it changed", async () => {
		const one = await wrote("First robot");

		await ann.open(`${HOME}/activity`);
		await ann.reads("h1", /What assistants did/);
		await ann.reads(`tr[data-id="${one.session}"]`, /First robot.*for Ann.*4 writes/s);
		await look("list");
		await ann.press(`tr[data-id="${one.session}"] a`);
		await ann.arrives(`${HOME}/activity/${one.session}`);
		await ann.reads("h1", /^First robot, for Ann/);
		await ann.has("tbody tr", 4);
		await ann.reads("tbody tr:first-child", /Menu.*Created/s);
		await ann.reads("tbody tr:last-child", /Log “Runway of the program”.*Edited/s);
		await ann.press("tbody tr:last-child summary");
		await ann.reads("tbody tr:last-child dl", /title/);
		await ann.reads("tbody tr:last-child ins", /of the program/);
		await look("session");
		await ann.press("tbody tr:last-child th > a");
		await ann.arrives(`${HOME}/collections/logs/${one.first}`);
	});
	await report.test("activity: one write is undone, and what others edited stays", async () => {
		const one = await wrote("Second robot");

		await made("PUT", `${LOGS}/${one.second}`, { data: { note: "as an editor left it" } });
		await ann.open(`${HOME}/activity/${one.session}`);
		await ann.has("tbody tr", 4);
		await ann.press(`tbody tr:nth-child(3) [data-undo-one]`);
		await ann.reads("[data-tried]", /In part.*Taxiway.*Edited by others since, and kept: data.note/s);
		await look("partly");
		await ann.press("[data-yes]");
		await ann.reads(".notices .note", /1 write undone/);
		await ann.has("tbody [data-undo-one]", 3);
		await ann.until("the focus is on the page", () =>
			page.evaluate(() => document.activeElement.id === "main"),
		);
		assert.deepEqual(await valueOf(one.second), { title: "Taxiway", note: "as an editor left it" });
		assert.equal((await valueOf(one.first)).title, "Runway of the program");
	});
	await report.test("activity: all of a session is tried, then undone, by the keyboard", async () => {
		const one = await wrote("Third robot");

		await made("PUT", `${LOGS}/${one.third}`, { data: { note: "an editor uses it now" } });
		await ann.open(`${HOME}/activity/${one.session}`);
		await ann.has("tbody tr", 4);
		await ann.tabTo("[data-undo-all]");
		await page.keyboard.press("Enter");
		await ann.reads("[data-count]", /3 writes will be undone/);
		await ann.reads('[data-result="skipped"]', /Left as it is.*Apron.*changed since/s);
		assert.equal((await valueOf(one.first)).title, "Runway of the program", "a trial changes nothing");
		await look("trial");
		await page.keyboard.press("Escape");
		await ann.has("dialog", 0);
		await page.keyboard.press("Enter");
		await ann.reads("[data-count]", /3 writes will be undone/);
		await ann.tabTo("[data-yes]");
		await page.keyboard.press("Enter");
		await ann.reads(".notices .note", /3 writes undone/);
		await ann.has("dialog", 0);
		await ann.has("tbody [data-undo-one]", 1);
		await look("undone");
		assert.equal((await valueOf(one.first)).title, "Runway");
		assert.deepEqual(await valueOf(one.second), { title: "Taxiway", note: "as it was" });
		assert.equal((await valueOf(one.third)).title, "Apron");
	});
	await made("DELETE", "/schema/collections/logs?force=true");
}
