// inspector.mjs - tests the server with the Inspector's command line, which people use to debug servers.
import assert from "node:assert/strict";
import path from "node:path";
import { runScript } from "./command.mjs";
import { checkList } from "./list.mjs";

const SECONDS = 60;

export async function runInspector({ here, work, url, report, token }) {
	const bearer = token("admin");
	const inspect = async (...words) => {
		const run = await runScript(
			path.join(here, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"),
			["--cli", url, "--transport", "http", "--header", `Authorization: Bearer ${bearer}`, ...words],
			{ cwd: work, seconds: SECONDS },
		);

		return { ...run, answer: () => (assert.equal(run.status, 0, run.err), JSON.parse(run.out)) };
	};

	await report.test("Inspector: tools/list --strict finds no error", async () => {
		const list = await inspect("--method", "tools/list", "--strict");

		checkList(list.answer().tools);
		report.note(`Inspector: ${list.err.trim().split("\n").at(-1)}`);
	});
	await report.test("Inspector: tools/call makes a collection and reads it", async () => {
		const call = (name, ...pairs) =>
			inspect(
				"--method",
				"tools/call",
				"--tool-name",
				name,
				...pairs.flatMap((pair) => ["--tool-arg", pair]),
			);

		await call("schema_create_collection", "slug=inspected", "label=Inspected").then((run) => run.answer());
		const read = (await call("schema_get_collection", "slug=inspected")).answer();
		assert.equal(read.structuredContent.label, "Inspected");
		const missing = await call("schema_get_collection", "slug=nowhere");
		assert.match(missing.out, /\[NOT_FOUND\]/);
	});
}
