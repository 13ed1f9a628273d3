// widget.js - the control of a field, or of a block in a text, whose value is edited by a plugin's widget.
import { html } from "../../lib/html.js";
import { Frame } from "../../frames/frame.js";
import { t } from "../../frames/words.js";

/**
 * @param {{field: any, from: any, id?: string, locale: string, value: any, set: (value: any) => void,
 *   problem?: string, onStop: (text: string, hadFocus: boolean, why: string) => void}} props
 */
export function Widget({ field, from, id, locale, value, set, problem, onStop }) {
	const { slug, label, type, required, options, validation } = field;

	return html`<${Frame} kind="widget" from=${from} id=${id} label=${label} value=${value ?? null} onValue=${set}
		problem=${problem}
		start=${{
			locale,
			field: { slug, label, type, required, options: options ?? {}, validation: validation ?? {} },
		}}
			onStop=${(why, hadFocus) => onStop(t(why, { plugin: from.plugin }), hadFocus, why)} />`;
}
