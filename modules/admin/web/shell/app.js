// app.js - the root component: a page before sign-in, or the shell with a page in it.
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../lib/html.js";
import { ApiError } from "../lib/api.js";
import { BASE, go, place } from "../lib/router.js";
import { keep, recall } from "../lib/kept.js";
import { loadManifest, manifest } from "../lib/site.js";
import { setLanguage } from "../lib/words.js";
import { Problem } from "../ui/problem.js";
import { Waiting } from "../ui/state.js";
import { Door } from "./door.js";
import { found } from "./open.js";
import { Shell } from "./shell.js";

/** Shows the pages in the language of the person's profile, also in a browser in which it was not chosen. */
async function speak(own) {
	const isAsked = new URLSearchParams(location.search).has("language");

	if (own && own !== recall("language", "") && !isAsked && (await setLanguage(own))) keep("language", own);
}

export function App() {
	const problem = useSignal(/** @type {any} */ (null));
	const isDoor = found.value?.row.isDoor === true,
		isIn = manifest.value !== null;

	const enter = async () => {
		problem.value = null;
		try {
			await speak((await loadManifest()).user.language);
		} catch (error) {
			if (error instanceof ApiError && error.code === "UNAUTHORIZED") {
				const next = location.pathname + location.search;
				void go("/signin", { replace: true, query: next === BASE ? {} : { next } });
			} else problem.value = error;
		}
	};
	useEffect(() => {
		if (!isDoor && !isIn) void enter();
	}, [isDoor, isIn, place.value.path]);
	if (isDoor) return html`<${Door} />`;
	if (problem.value)
		return html`<main
			class="main"><h1 class="sr">stet</h1><${Problem} error=${problem.value} onRetry=${enter} />
			</main>`;
	return isIn ? html`<${Shell} />` : html`<main class="main"><h1 class="sr">stet</h1><${Waiting} /></main>`;
}
