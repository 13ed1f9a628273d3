// health - problems of the site that the API reports: modules that do not run, webhook targets that fail, search
// indexes that are being rebuilt. Problems of the server (disk, key, backups, mail) are reported only by `stet doctor`.
import { html } from "../../lib/html.js";
import { api } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { href } from "../../lib/router.js";
import { addWords } from "../../lib/words.js";
import { has, manifest, may } from "../../lib/site.js";
import { Button, Loaded, Mark } from "../../ui/index.js";
import en from "./en.json";

const t = addWords("health", en);

/**
 * A finding: {what, isGood, text, path}.
 * @param {string} what
 * @param {boolean} isGood
 * @param {string} text
 * @param {string} [path]
 */
const finding = (what, isGood, text, path) => ({ what, isGood, text, path });

async function modules(signal) {
	const { items } = await api.get("/admin/plugins", { signal }),
		bad = items.filter((one) => one.status === "refused" || one.status === "suspended");

	return [
		finding(
			"modules",
			bad.length === 0,
			t(bad.length === 0 ? "modulesRun" : "modulesFail", {
				n: bad.length === 0 ? items.filter((one) => one.enabled).length : bad.length,
			}),
			"/plugins",
		),
		...bad.map((one) => finding("modules", false, `${one.name}: ${one.reason}`, `/plugins/${one.id}`)),
	];
}

async function webhooks(signal) {
	const { items } = await api.get("/admin/webhooks", { signal }),
		bad = items.filter((one) => one.disabledReason || one.failures > 0);

	return [
		finding(
			"webhooks",
			bad.length === 0,
			t(bad.length === 0 ? "webhooksRun" : "webhooksFail", {
				n: bad.length === 0 ? items.length : bad.length,
			}),
			"/webhooks",
		),
		...bad.map((one) =>
			finding(
				"webhooks",
				false,
				`${one.url}: ${one.disabledReason ?? t("failures", { n: one.failures })}`,
				`/webhooks/${one.id}`,
			),
		),
	];
}

async function search(signal) {
	const { collections, updating } = await api.get("/search/stats", { signal });
	const all = Object.entries(collections),
		behind = all.filter(([, one]) => one.rebuilding);
	const off = manifest.value.collections.filter((c) => !collections[c.slug]).length;
	const ready =
		all.length === 0 ? "" : t("searchReady", { n: all.reduce((sum, [, one]) => sum + one.indexed, 0) });

	return [
		finding(
			"search",
			!updating && behind.length === 0,
			updating
				? t("searchUpdating")
				: behind.length > 0
					? t("searchRebuilds", { n: behind.length })
					: [ready, off > 0 && t("searchOff", { n: off })].filter(Boolean).join(" · ") ||
						t("searchReady", { n: 0 }),
			"/schema",
		),
	];
}

/** Runs the checks that the person may run. A check that fails to run is a finding. */
async function look(signal) {
	const looks = {
		modules: may("plugins:read") && modules,
		webhooks: has("webhooks") && may("webhooks:manage") && webhooks,
		search: has("search") && may("search:manage") && search,
	};
	const began = performance.now();
	const found = await Promise.all(
		Object.entries(looks).map(
			([what, run]) =>
				run &&
				run(signal).catch((error) => {
					if (signal.aborted) throw error;
					return [finding(what, false, error.message)];
				}),
		),
	);

	return [
		finding(
			"server",
			true,
			t("answers", { version: manifest.value.version, ms: Math.round(performance.now() - began) }),
		),
		...found.filter(Boolean).flat(),
	];
}

export default function Health() {
	const health = useLoad(look, []);

	return html`<div
		class="head"><h1>${t("title")}</h1><${Button} onClick=${health.reload} data-again>${t("again")}<//>
		</div>
		<div class="blocks">
		<section class="sheet block" aria-labelledby="found-h"><h2 id="found-h" class="sr">${t("found")}</h2>
			<${Loaded} from=${health}>
			${(all) => html`<ul role="list"
				class="things">
				${all.map(
					(one) => html`<li key=${one.what + one.text} data-what=${one.what}>
				<div><strong>${t(one.what)}</strong>
				<small>${
					one.path
						? html`<a href=${href(one.path)}><bdi>${one.text}</bdi></a>`
						: html`<bdi>${one.text}</bdi>`
				}</small></div>
				<${Mark} kind=${one.isGood ? "live" : "bad"}>${t(one.isGood ? "good" : "bad")}<//>
				</li>`,
				)}</ul>`}<//></section>
			<section class="sheet block"
				aria-labelledby="more-h"><h2 id="more-h">${t("beyond")}</h2>
				<p class="lead">${t("beyondText")}</p>
				<dl class="facts"><div><dt><code>stet doctor</code></dt><dd>${t("doctor")}</dd></div>
				<div><dt><code>stet verify</code></dt><dd>${t("verify")}</dd></div>
				<div><dt><code>stet backup</code></dt><dd>${t("backup")}</dd></div></dl>
				${
					has("audit") &&
					may("audit:read") &&
					html`<p><a href=${href("/audit")}>${t("audit")}</a></p>`
				}</section></div>`;
}
