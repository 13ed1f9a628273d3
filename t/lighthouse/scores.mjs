// scores.mjs - what Lighthouse says of a page in Chromium.
import assert from "node:assert/strict";
import path from "node:path";
import lighthouse from "lighthouse";
import puppeteer from "puppeteer-core";

/** Starts Chromium with a profile below `work`. @param rules its --host-resolver-rules */
export const launch = (work, rules) =>
	puppeteer.launch({
		executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
		// Its own sandbox is not to be had for root, and /dev/shm is small in containers.
		args: [
			"--no-sandbox",
			"--disable-dev-shm-usage",
			"--disable-background-networking",
			`--host-resolver-rules=${rules}`,
			"--lang=en-GB",
		],
		userDataDir: path.join(work, "profile"),
		protocolTimeout: 60000, // ms
	});

export const middle = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** The goals of a page of a starter: the lowest scores. */
export const STARTER = { performance: 0.95, accessibility: 1, "best-practices": 1, seo: 1 };

// Returns the failed audits of a category, with the places in the page.
function faults({ categories, audits }, category) {
	const lost = categories[category].auditRefs.filter(
		({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 1,
	);

	return lost.map(({ id }) => {
		const where = (audits[id].details?.items ?? [])
			.slice(0, 5)
			.map((item) => item.node?.snippet ?? item.description ?? item.url ?? "");
		return `${category}: ${id}: ${audits[id].title} ${audits[id].displayValue ?? ""} ${where.join(" ")}`;
	});
}

// Returns Lighthouse's result for a page. If Lighthouse could not read its trace, tries again.
export async function look(browser, url, goals) {
	for (let left = 2; ; left--) {
		const page = await browser.newPage();
		const { lhr } = await lighthouse(
			url,
			{ logLevel: "error", onlyCategories: Object.keys(goals) },
			undefined,
			page,
		);

		await page.close();
		if (lhr.runtimeError && left > 0) continue;
		assert.equal(lhr.runtimeError, undefined);
		assert.equal(lhr.finalDisplayedUrl, url);
		return lhr;
	}
}

// Returns the scores of some results for one page: the median of the performance, and the lowest value of the other
// categories, which do not vary; and what is missed of the goals.
export function judge(results, goals) {
	const of = (category) => results.map((one) => one.categories[category].score);
	const scores = Object.fromEntries(
		Object.keys(goals).map((one) => [one, one === "performance" ? middle(of(one)) : Math.min(...of(one))]),
	);
	const missed = Object.keys(goals).filter((one) => scores[one] < goals[one]);

	return {
		scores,
		missed: missed.flatMap((one) => [`${one}: ${of(one).join(", ")}`, ...faults(results.at(-1), one)]),
	};
}
