// together.mjs - two people at one item: notes, a request for review, who is here; the page of requests, the start page.
import assert from "node:assert/strict";
import { Person } from "../browser/people.mjs";
import { paragraph } from "./articles.mjs";

const HOME = "/_cms/admin";

export async function runTogether({ report, ann, browser, shots }) {
	const made = async (who, method, where, body) => {
		const { status, data } = await who.api(method, where, body);

		assert.ok(status < 300, `${method} ${where}: ${status}`);
		return data;
	};
	const look = (who, name) => who.looksEverywhere(`together-${name}`, shots);
	let tom, at;

	await made(ann, "POST", "/schema/collections", {
		slug: "drafts",
		label: "Drafts",
		labelSingular: "Draft",
		supports: ["drafts", "revisions"],
	});
	for (const [slug, type] of [
		["title", "string"],
		["body", "portableText"],
	])
		await made(ann, "POST", "/schema/collections/drafts/fields", { slug, label: slug, type });
	await report.test(
		"together: an author writes, notes something at a paragraph and asks for a review",
		async () => {
			const { inviteUrl } = await made(ann, "POST", "/auth/invite", {
				email: "tom@together.example",
				role: 30,
			});

			tom = await Person.sit(browser, ann.origin);
			await tom.plugIn("internal");
			await tom.open(inviteUrl);
			await tom.type("#name", "Tom Author");
			await tom.press("[data-accept]");
			await tom.arrives(HOME);
			const { item } = await made(tom, "POST", "/content/drafts", {
				data: {
					title: "Supersonic",
					body: [paragraph("b1", "First words"), paragraph("b2", "More words")],
				},
			});

			at = `${HOME}/collections/drafts/${item.id}`;
			await tom.open(at);
			await tom.has("#notes", 1);
			await tom.page.locator(".body p").click();
			await tom.has("[data-at-block]", 1);
			await tom.page.click("[data-at-block]");
			await tom.type("#new-note", "Is this the right word?");
			await tom.page.click("#notes [data-send]");
			await tom.has(".thread", 1);
			await tom.reads(".thread .quote", /First words/);
			await tom.has(".note-mark button", 1);
			await tom.page.click("#review [data-ask]");
			await tom.type("dialog textarea", "Please read");
			await tom.looks();
			await tom.page.click("dialog [data-yes]");
			await tom.has('#review [data-state="open"]', 1);
		},
	);
	await report.test("together: an editor sees who is here, answers, resolves and approves", async () => {
		await ann.open(HOME);
		await ann.reads('[data-reviews="waitingForYou"]', /Supersonic/);
		await ann.open(`${HOME}/reviews`);
		await ann.reads("tbody", /Supersonic/);
		await look(ann, "requests");
		await ann.open(at);
		await ann.has("#beside .people li", 1);
		await ann.reads("#beside .people", /TA/);
		await ann.has(".note-mark", 1);
		await ann.page.locator(".thread ::-p-text(Reply)").click();
		await ann.type('[id^="answer-"]', "It is");
		await ann.page.click(".thread .writing [data-send]");
		await ann.has(".reply", 1);
		await look(ann, "editor");
		await ann.page.click("[data-resolve]");
		await ann.has(".thread", 0);
		await ann.page.click("#beside [data-approve]");
		await ann.has('#review [data-state="approved"]', 1);
		await ann.has("#beside .b", 0);
	});
	await report.test("together: a note of somebody else appears, told by the feed of changes", async () => {
		const polls = [],
			item = at.split("/").at(-1);
		const note = (request) =>
			/\/(notes|review|presence)\b/.test(request.url()) && polls.push(request.method());

		await ann.has(".thread", 0);
		ann.page.on("request", note);
		const { id } = await made(tom, "POST", `/content/drafts/${item}/notes`, { body: "Told at once" });
		await ann.reads(".thread", /Told at once/);
		ann.page.off("request", note);
		assert.deepEqual(
			polls.filter((one) => one === "GET"),
			["GET"],
		);
		await made(tom, "DELETE", `/content/drafts/${item}/notes/${id}`);
		await ann.has(".thread", 0);
	});
	await report.test(
		"together: a change after the approval is told, and a returned request is on the start page",
		async () => {
			await tom.open(at);
			await tom.has('#review [data-state="approved"]', 1);
			await tom.type(".title", "Supersonic again");
			await tom.has("[data-changed]", 1);
			await tom.until("saved", async () => /^Saved/.test(await tom.text("#saved")));
			await tom.page.click("#review [data-ask]");
			await tom.page.click("dialog [data-yes]");
			await tom.has('#review [data-state="open"]', 1);
			await ann.open(at);
			await ann.page.locator("#beside [data-return]").click();
			await ann.type("dialog textarea", "Too long");
			await ann.page.click("dialog [data-yes]");
			await ann.has('#review [data-state="returned"]', 1);
			await tom.open(HOME);
			await tom.reads('[data-reviews="returnedToYou"]', /Too long/);
			await look(tom, "start");
			assert.deepEqual(tom.faults, []);
		},
	);
	await tom?.page.close();
}
