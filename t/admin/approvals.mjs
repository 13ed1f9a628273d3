// approvals.mjs - requests of programs for approval: the list on the start page, the page of one request with what it
// would change, the answer, and an item that has changed since.
import assert from "node:assert/strict";
import { Person } from "../browser/people.mjs";
import { caller, paragraph } from "./articles.mjs";
import { maker } from "./site.mjs";

const HOME = "/_cms/admin",
	POSTS = "/content/proposals";

export async function runApprovals({ report, ann, browser, shots }) {
	const { page } = ann,
		made = maker(ann);
	let program;

	const look = (name) => ann.looksEverywhere(`approvals-${name}`, shots);
	/** What readers see of an item; it has liveData only while the draft differs. */
	const live = async (id) => {
		const { item } = await made("GET", `${POSTS}/${id}`);

		return JSON.stringify(item.liveData ?? item.data);
	};
	/** Makes a live item and a draft of it, whose publication the program asks for; returns the ids of both. */
	const asked = async (title, message) => {
		const { item } = await made("POST", POSTS, {
			data: { title, body: [paragraph("b1", "Words that are live")] },
			status: "published",
		});
		const { _rev } = await program("PUT", `${POSTS}/${item.id}`, {
			data: { body: [paragraph("b1", "Words of the program")] },
		});
		const { approval } = await program("POST", "/approvals", {
			op: "content_publish",
			arguments: { collection: "proposals", id: item.id, _rev },
			message,
		});

		return { id: item.id, approval: approval.id };
	};
	const approval = async (id) => (await made("GET", `/approvals/${id}`)).approval;

	await made("POST", "/schema/collections", {
		slug: "proposals",
		label: "Proposals",
		labelSingular: "Proposal",
		supports: ["drafts", "revisions"],
	});
	for (const [slug, type] of [
		["title", "string"],
		["body", "portableText"],
	])
		await made("POST", "/schema/collections/proposals/fields", { slug, label: slug, type });
	const { token } = await made("POST", "/admin/api-tokens", {
		name: "A program",
		scopes: ["content:read", "content:draft"],
	});
	program = caller(ann.origin, token);

	await report.test("approvals: the start page leads to a request, which is compared and allowed", async () => {
		const one = await asked("Wake turbulence", "It is proof-read");

		await assert.rejects(program("POST", `${POSTS}/${one.id}/publish`, {}), /PUBLISH_NEEDS_APPROVAL/);
		await ann.open(HOME);
		await ann.reads("[data-approvals]", /Publish: Wake turbulence/);
		await look("start");
		await ann.press("[data-approvals] a");
		await ann.arrives(`${HOME}/approvals/${one.approval}`);
		await ann.reads("h1", /^Publish: Wake turbulence$/);
		await ann.reads(".facts", /It is proof-read/);
		await ann.reads("[data-changes] .changed", /Words of the program/);
		await ann.reads("[data-changes] .changed", /Words that are live/);
		await ann.has("[data-stale]", 0);
		await look("request");
		await ann.type('[name="message"]', "Well done");
		await ann.press("[data-allow]");
		await ann.reads(".notices .note", /Allowed and done/);
		await ann.has("[data-allow]", 0);
		await ann.until("the focus is on the page", () =>
			page.evaluate(() => document.activeElement.id === "main"),
		);
		await ann.reads(".facts", /Well done/);
		await look("allowed");
		assert.match(await live(one.id), /Words of the program/);
		assert.deepEqual(
			(({ state, answer }) => [state, answer])(
				(await program("GET", `/approvals/${one.approval}`)).approval,
			),
			["allowed", "Well done"],
		);
	});
	await report.test("approvals: a request is refused with a word, by the keyboard", async () => {
		const one = await asked("Laminar flow", "Now, please");

		await ann.open(`${HOME}/approvals`);
		await ann.has("tbody tr", 1);
		await look("list");
		await ann.tabTo(`tbody a[href$="${one.approval}"]`);
		await page.keyboard.press("Enter");
		await ann.arrives(`${HOME}/approvals/${one.approval}`);
		await ann.has("[data-refuse]", 1);
		await ann.tabTo('[name="message"]');
		await page.keyboard.type("Too early");
		await ann.tabTo("[data-refuse]");
		await page.keyboard.press("Enter");
		await ann.reads(".facts", /Refused.*Too early/s);
		await ann.has("[data-refuse]", 0);
		assert.match(await live(one.id), /Words that are live/);
		const { state, answer } = await approval(one.approval);
		assert.deepEqual([state, answer], ["refused", "Too early"]);
		await ann.open(`${HOME}/approvals?show=refused`);
		await ann.reads("tbody", /Laminar flow.*Too early/s);
		await ann.open(`${HOME}/approvals`);
		await ann.reads(".state", /No requests/);
	});
	await report.test("approvals: an item that has changed since is not published unseen", async () => {
		const one = await asked("Drag rise", "As planned");
		const change = (text) => made("PUT", `${POSTS}/${one.id}`, { data: { body: [paragraph("b1", text)] } });

		// It changes while the page of the request is open.
		await ann.open(`${HOME}/approvals/${one.approval}`);
		await ann.has("[data-allow]", 1);
		await change("Words of the editor");
		await ann.press("[data-allow]");
		await ann.has("[data-stale]", 1);
		await ann.has("[data-allow]", 0);
		await ann.has("[data-refuse]", 1);
		await look("stale");
		assert.match(await live(one.id), /Words that are live/);
		assert.equal((await approval(one.approval)).state, "open");
		await ann.open(`${HOME}/approvals`);
		await ann.reads("tbody", /item changed/);
		await ann.open(`${HOME}/approvals/${one.approval}`);
		await ann.press("[data-refuse]");
		await ann.has("[data-refuse]", 0);
	});
	await report.test("approvals: an author is shown none that others decide", async () => {
		const one = await asked("Stall margins", "Soon");
		const { inviteUrl } = await made("POST", "/auth/invite", { email: "ada@approvals.example", role: 30 });
		const ada = await Person.sit(browser, ann.origin);

		await ada.plugIn("internal");
		await ada.open(inviteUrl);
		await ada.type("#name", "Ada Author");
		await ada.press("[data-accept]");
		await ada.arrives(HOME);
		await ada.has("h1", 1);
		await ada.has("[data-approvals]", 0);
		await ada.open(`${HOME}/approvals`);
		await ada.reads(".state", /No requests/);
		await ada.looks();
		await ada.open(`${HOME}/approvals/${one.approval}`);
		await ada.reads("main", /not found/);
		await ada.has("[data-allow], [data-refuse]", 0);
		assert.equal((await ada.api("POST", `/approvals/${one.approval}/allow`, {})).status, 404);
		await ada.leave();
		await program("POST", `/approvals/${one.approval}/withdraw`, {});
	});
	await made("DELETE", "/schema/collections/proposals?force=true");
}
