// suites.mjs - the public conformance suites, each revision of the protocol: one test a scenario. Scenarios
// that do not apply are listed, with reasons, in not-applicable.yml.
import fs from "node:fs";
import path from "node:path";
import { runScript } from "./command.mjs";

const SUITES = [
	{ version: "0.1.16", module: "conformance", revisions: [null] },
	{
		version: "0.2.0-alpha.12",
		module: "conformance-next",
		revisions: ["2025-06-18", "2025-11-25", "2026-07-28"],
		single: true, // single checks of a scenario can be excused
	},
];
const SECONDS = 180; // time limit of a suite, which takes about six

function baseline(here, work, single) {
	const list = fs.readFileSync(path.join(here, "not-applicable.yml"), "utf8");
	const file = path.join(work, single ? "checks.yml" : "scenarios.yml");

	fs.writeFileSync(file, single ? list : list.replace(/^( +- [^:\n]+):.*$/gm, "$1"));
	return file;
}

// Returns the lines below a heading, without their bullets.
function below(text, headline) {
	const section = new RegExp(`${headline}[^\n]*\n((?: +\\S [^\n]*\n)*)`).exec(text);

	return (section?.[1] ?? "")
		.split("\n")
		.filter(Boolean)
		.map((line) => line.trim().slice(2));
}

async function runSuite({ here, work, url, report }, suite, revision) {
	const name = `conformance ${suite.version}${revision ? `, ${revision}` : ""}`;
	const run = await runScript(
		path.join(here, "node_modules/@modelcontextprotocol", suite.module, "dist/index.js"),
		[
			...["server", "--url", url, "--suite", "all"],
			...["--expected-failures", baseline(here, work, suite.single)],
			...(revision ? ["--spec-version", revision] : []),
		],
		{ cwd: work, seconds: SECONDS },
	);
	const said = `${run.out}${run.err}`.replace(/\x1b\[\d+m/g, "");
	const scenarios = [...said.matchAll(/^[✓✗] (\S+): \d+ passed, \d+ failed/gm)].map((m) => m[1]);
	const under = (headline) => below(said, headline).map((item) => item.split(":"));
	const named = (list) => new Set(list.map(([scenario]) => scenario));
	const excused = under("Expected failures");
	const bad = named(under("Unexpected failures")),
		stale = named(under("Stale"));
	// A scenario that is excused as a whole is not reported; one with single excused checks is.
	const whole = named(excused.filter(([, check]) => check === undefined));

	for (const scenario of scenarios)
		if (stale.has(scenario)) report.fail(`${name}: ${scenario} passes, and is listed as not applicable`);
		else if (bad.has(scenario)) report.fail(`${name}: ${scenario}`);
		else if (!whole.has(scenario)) report.pass(`${name}: ${scenario}`);
	if (scenarios.length === 0 || (run.status === 0) !== (bad.size + stale.size === 0))
		report.fail(`${name} can be run`, `exit status ${run.status}\n${said.slice(-4000)}`);
	else if (run.status !== 0) report.note(said.slice(said.indexOf("Unexpected failures")));
	report.note(`${name}: ${whole.size} of ${scenarios.length} scenarios do not apply`);
}

export async function runSuites(context) {
	for (const suite of SUITES) for (const revision of suite.revisions) await runSuite(context, suite, revision);
}
