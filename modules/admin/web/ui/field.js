// field.js - a control with its label, help text and validation message.
//
//	<${Field} label="Name" help="..." problem=${error?.issueAt("name")}>
//		${(props) => html`<input class="in" ...${props} value=${name} onInput=${...} />`}
//	<//>
//
// `props` connects label, help and message to the control: id, aria-describedby, aria-invalid.
import { useId } from "preact/hooks";
import { html } from "../lib/html.js";

/**
 * @param {{label: any, note?: string, help?: any, problem?: string | null, isGroup?: boolean, children: (props: any) => any}} props
 *   note: small print beside the label; isGroup: several controls, so the label belongs to a group
 */
export function Field({ label, note, help, problem, isGroup = false, children }) {
	const id = useId();
	const described = [help && `${id}-h`, problem && `${id}-p`].filter(Boolean).join(" ") || undefined;
	const props = isGroup
		? { "aria-describedby": described }
		: { id, "aria-describedby": described, "aria-invalid": problem ? "true" : undefined };
	const words = html`${label}${note && html` <small>${note}</small>`}`;

	return html`<div class="f" role=${isGroup ? "group" : undefined}
		aria-labelledby=${isGroup ? `${id}-l` : undefined}>
		${
			isGroup
				? html`<span class="label" id=${`${id}-l`}>${words}</span>`
				: html`<label for=${id}>${words}</label>`
		}
		<div class="stack">
			${children(props)}
			${help && html`<p class="help" id=${`${id}-h`}>${help}</p>`}
			${problem && html`<p class="problem" id=${`${id}-p`}>${problem}</p>`}
		</div>
	</div>`;
}

/**
 * @param {{label: any, note?: string, help?: any, problem?: string | null, value: string, onInput: (value: string) => void,
 *   type?: string, class?: string, [name: string]: any}} props further ones go to the input
 */
export const TextField = ({ label, note, help, problem, value, onInput, type = "text", class: more = "", ...rest }) =>
	html`<${Field} label=${label} note=${note} help=${help} problem=${problem}>
		${(props) => html`<input class=${`in ${more}`} type=${type} value=${value}
			onInput=${(e) => onInput(e.currentTarget.value)} ...${props} ...${rest} />`}
	<//>`;

/**
 * @param {{label: any, help?: any, problem?: string | null, value: string, onChange: (value: string) => void,
 *   options: {value: string, label: string}[], class?: string, [name: string]: any}} props
 */
export const SelectField = ({ label, help, problem, value, onChange, options, class: more = "half", ...rest }) =>
	html`<${Field} label=${label} help=${help} problem=${problem}>
		${(props) => html`<select class=${`in ${more}`} value=${value}
			onChange=${(e) => onChange(e.currentTarget.value)} ...${props} ...${rest}>
			${options.map(
				(o) => html`<option key=${o.value} value=${o.value}
				selected=${o.value === value}>${o.label}</option>`,
			)}
		</select>`}
	<//>`;

/**
 * A box to tick with its words beside it.
 * @param {{isOn: boolean, onChange: (isOn: boolean) => void, children?: any, [name: string]: any}} props
 */
export const Tick = ({ isOn, onChange, children, ...rest }) =>
	html`<label class="tick">
		<input type="checkbox" checked=${isOn} onChange=${(e) => onChange(e.currentTarget.checked)}
			...${rest} /> <span>${children}</span></label>`;

/** @param {{isOn: boolean, onChange: (isOn: boolean) => void, label: any, [name: string]: any}} props */
export const Switch = ({ isOn, onChange, label, ...rest }) =>
	html`<label class="tick">
		<input type="checkbox" role="switch" class="switch" checked=${isOn}
			onChange=${(e) => onChange(e.currentTarget.checked)} ...${rest} /> <span>${label}</span>
			</label>`;

/**
 * Radio buttons for a choice among a few values.
 * @param {{legend: string, name: string, value: string, options: {value: string, label: string}[], onChange: (value:
 * string) => void}} props
 */
export const Segments = ({ legend, name, value, options, onChange }) =>
	html`<fieldset class="seg"><legend class="sr">${legend}</legend>
		${options.map(
			(o) => html`<label
			key=${o.value}>
			<input type="radio" name=${name} value=${o.value} checked=${o.value === value}
				onChange=${() => onChange(o.value)} />${o.label}</label>`,
		)}
	</fieldset>`;
