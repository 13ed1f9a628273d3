// picture.js - the control of a setting that is a picture of the media library, with its alternative text.
import { useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { tileOf } from "../../lib/media.js";
import { has, may } from "../../lib/site.js";
import { wordsOf } from "../../lib/words.js";
import { Button, Field, tellProblem } from "../../ui/index.js";

const t = wordsOf("settings");

/**
 * @param {{label: string, value: any, onChange: (value: any) => void, problem?: string}} props value: {mediaId, alt,
 * url}
 */
export function Picture({ label, value, onChange, problem }) {
	const Choice = useSignal(/** @type {any} */ (null)),
		button = useRef(/** @type {HTMLElement | null} */ (null)),
		isSet = Boolean(value?.mediaId);
	// The code of the picker is loaded when it is opened.
	const open = async () => {
		try {
			const { MediaChoice } = await import("../../editor/choose.js");
			Choice.value = { MediaChoice };
		} catch (error) {
			tellProblem(error);
		}
	};
	const take = (item) => {
		Choice.value = null;
		onChange({
			mediaId: item.id,
			...(item.alt ? { alt: item.alt } : {}),
			url: tileOf(item),
			contentType: item.mimeType,
		});
	};
	const remove = () => {
		onChange({ mediaId: "" });
		requestAnimationFrame(() =>
			/** @type {HTMLElement | null} */ (button.current?.querySelector("button"))?.focus(),
		);
	};

	return html`<${Field} label=${label} isGroup
		problem=${problem}>${(props) => html`<div class="media-field" ...${props} ref=${button}>
		${
			isSet &&
			value.url &&
			(value.contentType ?? "image/").startsWith("image/") &&
			html`<img src=${value.url} width="96" height="72" alt=${value.alt ?? ""} />`
		}
		<div class="stack">
			${
				isSet &&
				html`<label
				class="stack"><span>${t("alt")}</span>
				<input class="in" maxlength="1000" value=${value.alt ?? ""}
					onInput=${(e) => onChange({ ...value, alt: e.currentTarget.value })} />
					</label>`
			}
			<div class="bs">
			${
				has("media") &&
				may("media:read") &&
				html`<${Button} kind="small" onClick=${open}
					aria-label=${t("chooseOf", { name: label })}>${t(isSet ? "change" : "choose")}
					<//>`
			}
				${
					isSet &&
					html`<${Button} kind="small out" onClick=${remove}
					aria-label=${t("removeOf", { name: label })}>${t("remove")}<//>`
				}</div>
		</div>
		${
			Choice.value &&
			html`<${Choice.value.MediaChoice} kind="image/" onChoose=${take}
				onClose=${() => (Choice.value = null)} />`
		}
	</div>`}<//>`;
}
