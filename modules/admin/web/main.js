// main.js - the admin pages begin: language, who is signed in, the frame.
import { render } from "preact";
import { html } from "./lib/html.js";
import { recall } from "./lib/kept.js";
import { loadManifest } from "./lib/site.js";
import { startRouter } from "./lib/router.js";
import { setLanguage } from "./lib/words.js";
import { ApiError } from "./lib/api.js";
import { Problem } from "./ui/problem.js";
import { Shell } from "./shell/shell.js";

const app = document.getElementById("app");

async function start() {
	await setLanguage(new URLSearchParams(location.search).get("language") ?? recall("language", navigator.language.slice(0, 2)));
	try {
		await loadManifest();
	} catch (error) {
		if (error instanceof ApiError && error.code === "UNAUTHORIZED")
			location.replace(`/_cms/signin?next=${encodeURIComponent(location.pathname + location.search)}`);
		else
			render(html`<main class="main"><${Problem} error=${error} onRetry=${start} /></main>`, app);
		return;
	}
	startRouter();
	app.replaceChildren();
	render(html`<${Shell} siteName="" />`, app);
}

void start();
