// frame - shows a plugin's page in its frame.
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { manifest } from "../../lib/site.js";
import { Frame } from "../../frames/frame.js";
import { t } from "../../frames/words.js";
import { wordsOf } from "../../lib/words.js";
import { Button, Empty } from "../../ui/index.js";
import { ownTitle } from "../../shell/open.js";

const ts = wordsOf("shared");

/** @param {{from: any, query: Record<string, string>}} props */
function One({ from, query }) {
	const why = useSignal(""),
		title = useSignal(from.title);
	const stop = (reason, hadFocus) => {
		why.value = reason;
		if (hadFocus) document.getElementById("main")?.focus({ preventScroll: true });
	};

	useEffect(() => {
		ownTitle.value = title.value;
	}, [title.value]);
	return html`<div class="head"><h1><bdi>${title}</bdi></h1></div>
		${
			why.value === ""
				? html`<${Frame} kind="page" from=${from} label=${from.title} start=${{ query }}
					onStop=${stop}
				onTitle=${(text) => (title.value = text || from.title)} />`
				: html`<div class="note wrong"
				role="alert"><p>${t(why.value, { plugin: from.plugin })}</p>
				<${Button} kind="small" onClick=${() => (why.value = "")}>${ts("again")}<//></div>`
		}`;
}

/** @param {import("../table.js").PageProps} props */
export default function PluginPage({ params, query }) {
	const from = manifest.value.pages?.find((one) => one.plugin === params.id && one.name === params.page);

	if (!from) return html`<div class="head"><h1>${t("gone")}</h1></div><${Empty} title=${t("goneText")} />`;
	return html`<${One} key=${`${from.plugin}/${from.name}?${new URLSearchParams(query)}`} from=${from}
		query=${query} />`;
}
