// units.mjs - the parts of the editor that need no browser: random documents and edits, two editors and a bad network.
// DOCUMENTS and RUNS say how many (2000 and 200).
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

const TESTS = ["text/test/property.test.js", "save/test/model.test.js", "save/test/saver.test.js", "save/test/when.test.js", "save/test/diff.test.js"];

/** The sources beside the packages of `make web`, where their imports find them. */
export async function runUnits({ report }) {
	const room = path.join(process.env.STET_BUILD, "web/tests"), web = path.join(process.env.STET_SOURCE, "modules/admin/web");

	fs.rmSync(room, { recursive: true, force: true });
	for (const part of ["editor", "pages/editor"])
		fs.cpSync(path.join(web, part), path.join(room, part), { recursive: true });
	fs.writeFileSync(path.join(room, "package.json"), '{"type": "module"}\n');
	for (const name of TESTS)
		await report.test(`editor/${name}`, async () => {
			const { stdout } = await promisify(execFile)(process.execPath, ["--test", path.join(room, "editor", name)], { maxBuffer: 1 << 24 }).catch((error) => assert.fail(`${error.stdout}${error.stderr}`));

			for (const line of stdout.split("\n").filter((one) => /^# \\?#|\d+ (documents|interleavings)/.test(one)))
				report.note(line);
		});
}
