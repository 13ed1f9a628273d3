// examples.mjs - the examples of etc/client/README.md, compiled with the types of the site and run. The first one makes
// the client, the others use it. The output of each example must equal its comments.
import assert from "node:assert/strict";
import fs from "node:fs";

const ADDRESS = "https://cms.example.org"; // the site's URL in the README

// Types and values that the examples use, which are the reader's own code.
const OWN = `
declare global {
	const process: { env: Record<string, string | undefined> };
	const own: {
		posts: string[]; saved: { cursor: string }; previewToken: string; file: Blob;
		render(what: { slug: string | null }): void; refresh(change: Change): Promise<void>; merge(mine: object, theirs: object): object;
	};
}
`;

export function examplesOf(readme) {
	return [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((found) => found[1]);
}

// One module of all examples: imports first, then each in a function of its own, so that names may be used again.
export function moduleOf(examples, url) {
	const imports = new Set(['import type { Change } from "@stet/client";']),
		parts = [];

	for (const [i, example] of examples.entries()) {
		const rest = example.replace(/^import .*;\n/gm, (line) => {
			imports.add(line.trim());
			return "";
		});
		const body = rest.trim().replaceAll(ADDRESS, url);
		parts.push(
			i === 0 ? `export ${body}` : `export async function example${i}(): Promise<void> {\n${body}\n}`,
		);
	}
	return [...imports].join("\n") + OWN + parts.join("\n\n") + "\n";
}

// Returns the lines that the examples should print, from their comments.
export const wanted = (example) => [...example.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map((found) => found[1]);

export async function testExamples(test, { editor, token: mine }, examples, compiled) {
	const log = console.log,
		printed = [];
	const { token } = await editor.previewUrl("posts", "unfinished");

	globalThis.own = {
		posts: [],
		saved: { cursor: await editor.cursor() },
		previewToken: token,
		file: new Blob(["a film"], { type: "video/mp4" }),
		render: (what) => globalThis.own.posts.push(what.slug),
		refresh: async () => {},
		merge: (mine, theirs) => ({ ...theirs, ...mine }),
	};
	process.env.STET_TOKEN = mine;
	const module = await import(compiled);
	for (const [i, example] of examples.entries()) {
		if (i === 0) continue;
		const name = example
			.trim()
			.split("\n")
			.find((line) => line !== "" && !/^(import |try)/.test(line))
			.trim()
			.slice(0, 70);
		await test(`README: ${name}`, async () => {
			printed.length = 0;
			console.log = (...words) => printed.push(words.join(" "));
			try {
				await module[`example${i}`]();
			} finally {
				console.log = log;
			}
			assert.deepEqual(printed, wanted(example));
		});
	}
	await test("each example of the README is one of these", () => {
		assert.ok(examples.length >= 10, String(examples.length));
		assert.equal(
			fs
				.readFileSync("README.md", "utf8")
				.match(/^```\w*$/gm)
				.filter((line) => line === "```ts").length,
			examples.length,
		);
	});
}
