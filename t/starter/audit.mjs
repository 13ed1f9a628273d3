// audit.mjs - looks at the built sites in Chromium, by t/lighthouse/auditor.mjs: a page of each kind.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";

const WIDTHS = [360, 768, 1280];
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
/** AUDIT=all: Lighthouse scores the start and an item of every site, three times; none: nothing is looked at. */
const much = process.env.AUDIT ?? "some";
const SHOTS = process.env.SHOTS;

// Pictures and films of other hosts cannot be had here, which Lighthouse takes for errors.
const isWhole = (html) => !/src="https?:\/\/(?!127\.)/.test(html) && !/<(video|audio)/.test(html);

/** A page of each kind that the built site has. */
function kindsOf(built, word) {
	const pages = built.pages().map((name) => ({ name, html: built.read(name) }));
	const items = pages
		.filter((one) => one.html.includes("<article data-item"))
		.map(({ name, html }) => ({ name, html, blocks: html.match(/ data-key="/g)?.length ?? 0 }))
		.sort((a, b) => b.blocks - a.blocks);
	const isList = ({ name, html }) => html.includes('class="cards"') && !/^((\w\w\/)?index|404)\.html$/.test(name);
	const where = (name) => `/${name.replace(/index\.html$/, "")}`;
	const term = /rel="tag" href="([^"]*)"|href="([^"]*)" rel="tag"/.exec(items.map((one) => one.html).join(""));
	const found = {
		start: "/",
		list: pages.find((one) => isList(one) && one.html.includes('rel="next"')) ?? pages.find(isList),
		item: items[0],
		term: term && (term[1] ?? term[2]),
		"item with comments": items.find((one) => /<ol><li id="comment-/.test(one.html)),
		plain: items.find((one) => isWhole(one.html)),
		search: `/search/?q=${encodeURIComponent(word)}`,
		404: "/nothing/here/",
	};

	if (found["item with comments"] === found.item) delete found.item;
	return Object.entries(found)
		.filter(([, one]) => one)
		.map(([kind, one]) => ({ kind, where: typeof one === "string" ? one : where(one.name) }));
}

// What a page has when its scripts have run.
const READY = { search: "#found li, main ul li", "item with comments": "form[data-comments]:not([hidden])" };

/** Returns null where nothing can be looked at. */
export async function startAuditor(report) {
	if (much === "none" || !fs.existsSync(CHROMIUM)) {
		report.note("skipped: axe, Lighthouse and screenshots (AUDIT=none, or there is no Chromium)");
		return null;
	}
	if (SHOTS) fs.mkdirSync(SHOTS, { recursive: true });
	const child = spawn("sh", [path.join(process.env.STET_SOURCE, "t/npm"), "lighthouse"], {
		env: { ...process.env, MAIN: "auditor.mjs" },
		stdio: ["pipe", "pipe", "inherit"],
	});
	const lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
	const began = Date.now();
	let spent = 0;

	async function answer() {
		for (;;) {
			const { value, done } = await lines.next();
			if (done) throw new Error("the auditor has ended");
			if (value.startsWith("{")) return JSON.parse(value);
		}
	}
	const ready = answer();
	ready.catch(() => undefined);

	return {
		/** @param word one that search finds */
		async look(test, { name, starter, site, built, origin, word }) {
			for (const { kind, where } of kindsOf(built, word)) {
				const isScored =
					much === "all"
						? ["start", "plain"].includes(kind)
						: kind === "plain" && site === "WordPress";
				if (kind === "plain" && !isScored) continue;
				await test(`${name}: ${kind} is for everybody, and fits ${WIDTHS.join(", ")} px`, async () => {
					await ready;
					child.stdin.write(
						`${JSON.stringify({
							url: origin + where,
							name: `starter-${starter}-${site}-${kind}`.replaceAll(
								/[^\w-]+/g,
								"-",
							),
							ready: READY[kind],
							shots:
								kind === "plain"
									? undefined
									: SHOTS && path.resolve(SHOTS),
							widths: WIDTHS,
							runs: isScored ? (much === "all" ? 3 : 1) : 0,
						})}\n`,
					);
					const { faults, scores, speed, ms } = await answer();
					spent += ms;
					report.note(
						`${where} ${ms} ms ${scores ? `${JSON.stringify(scores)}, speed of the machine ${speed}` : ""}`,
					);
					assert.deepEqual(faults, []);
				});
			}
		},
		async close() {
			child.stdin.end();
			await new Promise((resolve) =>
				child.exitCode === null ? child.on("close", resolve) : resolve(),
			);
			report.note(
				`audit: ${Math.round(spent / 1000)} s in pages, of ${Math.round((Date.now() - began) / 1000)}`,
			);
		},
	};
}
