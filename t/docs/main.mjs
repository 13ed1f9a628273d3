// main.mjs - the examples of the manual: each has a test, and those that no other test runs are run here. STET_BUILD
// names the build tree, STET_SOURCE that of the source.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { newReport } from "../mcp/report.mjs";
import { runBook } from "./book.mjs";
import { checkList, listOf } from "./examples.mjs";
import { runManuals } from "./manuals.mjs";

const { STET_BUILD: build, STET_SOURCE: source } = process.env;
const work = fs.mkdtempSync(path.join(os.tmpdir(), "stet-manuals-"));
const report = newReport();

try {
	checkList(source, (name, why) => (why ? report.fail(`docs: ${name}`, why) : report.pass(`docs: ${name}`)));
	for (const [file, run] of [
		["t/docs/manuals.mjs", runManuals],
		["t/docs/book.mjs", runBook],
	]) {
		const ran = await run({ build, source, work, report });
		const rows = listOf(source).filter(({ test }) => test === file);

		for (const { page, first } of rows)
			if (!ran.has(`${page}\t${first}`)) report.fail(`docs: ${file} runs ${page} "${first}"`);
		for (const key of ran)
			if (!rows.some(({ page, first }) => `${page}\t${first}` === key))
				report.fail(`docs: t/docs/examples says that ${file} runs "${key}"`);
	}
} finally {
	fs.rmSync(work, { recursive: true, force: true });
}
report.end();
