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
	"editor/text/test/notes.test.js",
	"editor/text/test/readable.test.js",
	"editor/save/test/model.test.js",
	"editor/save/test/saver.test.js",
	"editor/save/test/sittings.test.js",
	"editor/save/test/when.test.js",
	"lib/test/address.test.js",
	"lib/test/region.test.js",
	"lib/test/calendar.test.js",
	"editor/save/test/diff.test.js",
	"ui/test/tree.test.js",
	"frames/test/rules.test.js",
	"lib/test/begun.test.js",
	"lib/test/bulk.test.js",
	"lib/test/find.test.js",
	"lib/test/fold.test.js",
	"lib/test/owntypes.test.js",
	"lib/test/preview.test.js",
	"lib/test/rows.test.js",
	"lib/test/uses.test.js",
	"style/test/classes.test.js",
];

/** What node FOLDER/text/check.mjs says. @param {string} folder */
const checkTexts = (folder) =>
	promisify(execFile)(process.execPath, [path.join(folder, "text/check.mjs")]).then(
		({ stdout }) => stdout,
		(error) => error.stdout + error.stderr,
	);

async function runTexts({ report, web, room }) {
	await report.test("translations: every text, in every language, as text/README asks", async () => {
		assert.equal(await checkTexts(web), "");
	});
	await report.test("translations: the check finds what is missing, superfluous, changed and wrong", async () => {
		const copy = path.join(room, "texts"),
			change = (name, work) => {
				const file = path.join(copy, name),
					all = JSON.parse(fs.readFileSync(file, "utf8"));

				work(all);
				fs.writeFileSync(file, JSON.stringify(all));
			};

		fs.cpSync(web, copy, { recursive: true, filter: (from) => !from.endsWith("/bundle") });
		change("pages/link/en.json", (all) => {
			all.once = "This link works once.";
			all.added = "A new text of somebody";
		});
		change("text/de.json", (all) => {
			delete all.list.draft;
			all.list.drafts = "Entwürfe";
			all.list.edit = "Edit";
			all.list.publish = "Jetzt allen Lesern zugänglich machen";
			all.list.is = "{field}: {wert}";
			delete all.list.chosen.one;
		});
		change("text/fr.json", (all) => {
			all.list.viewDelete = "Supprimer la vue « {name} »";
		});
		const said = await checkTexts(copy);

		for (const line of [
			/^de changed link\.once: "This link works once\."/m,
			/^es missing link\.added: "A new text of somebody"/m,
			/^de missing list\.draft: "Draft"/m,
			/^de superfluous list\.drafts/m,
			/^de wrong list\.edit: is English/m,
			/^de wrong list\.publish: has 36 characters, the English 7/m,
			/^de wrong list\.is: has \{field\} \{wert\} instead of \{field\} \{value\}/m,
			/^de wrong list\.chosen: forms are other instead of one,other/m,
			/^fr wrong list\.viewDelete: a narrow no-break space/m,
		])
			assert.match(said, line);
		assert.equal(said.trim().split("\n").length, 13, said);
	});
}

/** Checks that the table of modules/admin/README has the steps of tasks.txt, which tasks.mjs counts. */
function checkTable() {
	const read = (name) => fs.readFileSync(path.join(process.env.STET_SOURCE, name), "utf8");
	const steps = [...read("t/admin/tasks.txt").matchAll(/^ *(\d+) {2}(.+)$/gm)].map(
		([, n, task]) => `${task} ${n}`,
	);
	const rows = read("modules/admin/README")
		.split("An editor's day")[1]
		.matchAll(/^(\S.*?\S) {2,}(\d+) {5,}\S/gm);

	assert.ok(steps.length >= 20);
	assert.deepEqual(
		[...rows].map(([, task, n]) => `${task} ${n}`),
		steps,
	);
}

/** The sources beside the packages of `make web`, where their imports find them. */
export async function runUnits({ report }) {
	const room = path.join(process.env.STET_BUILD, "web/tests"),
		web = path.join(process.env.STET_SOURCE, "modules/admin/web");

	fs.rmSync(room, { recursive: true, force: true });
	fs.cpSync(web, room, { recursive: true, filter: (name) => name !== path.join(web, "bundle") });
	fs.writeFileSync(path.join(room, "package.json"), '{"type": "module"}\n');
	await runTexts({ report, web, room });
	await report.test("the table of an editor's day has the steps that are counted", checkTable);
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
