// auditor.mjs - looks at built pages for t/starter, which starts it with "npm lighthouse": each line of its input is a page,
// { url, name, ready, shots, widths, runs }, and each line of its output what is wrong there, { faults, scores, speed, ms }. The
// page is checked by axe-core in both colour schemes, and has to fit into each of `widths`, at which it is
// photographed into the directory `shots`. With `runs`, Lighthouse scores it so often; how fast a page is says nothing
// where the machine is busy, which Lighthouse measures (`speed`): then the other scores alone are judged.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { Person } from "../browser/people.mjs";
import { judge, launch, look, STARTER } from "./scores.mjs";

// What Lighthouse measures of the processor: 2,700 where nothing else runs here, 700 to 1,800 at a load of 16 on two cores,
// when the same page scores 0.75 to 1.
const SLOW = 2000;
const work = fs.mkdtempSync(path.join(os.tmpdir(), "stet-auditor-"));
const browser = await launch(work, "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost");
const reader = await Person.sit(browser, "");

// Elements that are not wholly in the window, which then scrolls sideways. Those that scroll themselves are none.
const overflow = () => {
	if (document.documentElement.scrollWidth <= window.innerWidth) return [];
	return [...document.querySelectorAll("body *")]
		.filter((one) => one.getBoundingClientRect().right > window.innerWidth + 1)
		.slice(0, 3)
		.map((one) => one.outerHTML.slice(0, 120));
};

async function audit({ url, name, ready, shots, widths = [], runs = 0 }) {
	const faults = [];
	let scores, speed;

	await reader.page.setViewport({ width: 1280, height: 900 });
	await reader.open(url);
	if (ready) await reader.page.waitForSelector(ready);
	try {
		await reader.looks();
	} catch (error) {
		faults.push(error.message);
		reader.faults.length = 0;
	}
	for (const width of widths) {
		await reader.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
		await reader.page.setViewport({ width, height: 900 });
		faults.push(...(await reader.page.evaluate(overflow)).map((one) => `does not fit ${width} px: ${one}`));
		if (shots) await reader.page.screenshot({ path: `${shots}/${name}-${width}.png`, fullPage: true });
	}
	if (runs > 0) {
		const results = [];
		let missed;

		// A machine with other work makes some runs slow: a page has reached its goal if it does once.
		do {
			results.push(await look(browser, url, STARTER));
			({ scores, missed } = judge(runs === 1 ? results.slice(-1) : results, STARTER));
		} while (results.length < runs || (missed.length > 0 && results.length < 3));
		speed = Math.max(...results.map((one) => one.environment.benchmarkIndex));
		faults.push(...missed.filter((one) => speed >= SLOW || !one.startsWith("performance: ")));
	}
	return { faults, scores, speed };
}

console.log(JSON.stringify({ ready: true }));
try {
	for await (const line of readline.createInterface({ input: process.stdin })) {
		const begun = Date.now();
		const found = await audit(JSON.parse(line)).catch((error) => ({ faults: [error.stack] }));

		console.log(JSON.stringify({ ...found, ms: Date.now() - begun }));
	}
} finally {
	await browser.close();
	fs.rmSync(work, { recursive: true, force: true });
}
