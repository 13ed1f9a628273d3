// main.js - starts the admin pages: language, router, shell.
import { render } from "preact";
import { html } from "./lib/html.js";
import { recall } from "./lib/kept.js";
import { startRouter } from "./lib/router.js";
import { browserLanguage, region, setLanguage } from "./lib/words.js";
import { App } from "./shell/app.js";

region.value = recall("region", "");
void setLanguage(new URLSearchParams(location.search).get("language") ?? recall("language", browserLanguage())).then(
	() => {
		startRouter();
		render(html`<${App} />`, document.getElementById("app"));
	},
);
