// units.mjs - tests of parts that need no browser: random documents and edits, two editors and a bad network, trees.
// DOCUMENTS (2000) and RUNS (200) are the numbers of documents and of runs.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

const TESTS = [
	"editor/text/test/property.test.js",
	"editor/text/test/found.test.js",
	"editor/text/test/readable.test.js",
	"editor/save/test/model.test.js",
	"editor/save/test/saver.test.js",
	"editor/save/test/sittings.test.js",
	"editor/save/test/when.test.js",
	"editor/save/test/diff.test.js",
	"ui/test/tree.test.js",
	"frames/test/rules.test.js",
	"lib/test/begun.test.js",
	"lib/test/find.test.js",
	"lib/test/fold.test.js",
	"lib/test/preview.test.js",
	"lib/test/rows.test.js",
];

/** The sources beside the packages of `make web`, where their imports find them. */
export async function runUnits({ report }) {
	const room = path.join(process.env.STET_BUILD, "web/tests"),
		web = path.join(process.env.STET_SOURCE, "modules/admin/web");

	fs.rmSync(room, { recursive: true, force: true });
	for (const part of ["editor", "pages/editor", "pages/taxonomies", "ui/test", "lib", "frames"])
		fs.cpSync(path.join(web, part), path.join(room, part), { recursive: true });
	fs.writeFileSync(path.join(room, "package.json"), '{"type": "module"}\n');
	for (const name of TESTS)
		await report.test(name, async () => {
			const { stdout } = await promisify(execFile)(
				process.execPath,
				["--test", path.join(room, name)],
				{ maxBuffer: 1 << 24 },
			).catch((error) => assert.fail(`${error.stdout}${error.stderr}`));

			for (const line of stdout
				.split("\n")
				.filter((one) => /^# \\?#|\d+ (documents|interleavings)/.test(one)))
				report.note(line);
		});
}
