// fields.js - the fields of a widget: its kind, its title, and the members of its kind.
import { html } from "../../lib/html.js";
import { api } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { byName, has, may } from "../../lib/site.js";
import { addWords } from "../../lib/words.js";
import { Field, Segments, SelectField, TextField, ask } from "../../ui/index.js";
import en from "./en.json";

export const t = addWords("widgets", en);
const KINDS = ["content", "menu", "component"];

/** The name of a widget: its title, else its kind. @param {any} widget */
export const nameOf = (widget) => widget.title || t(widget.type);

/** Asks before a widget is deleted. @param {any} widget @returns {Promise<boolean>} */
export const sureToTakeOut = (widget) =>
	ask({
		title: t("sureWidget", { name: nameOf(widget) }),
		text: t("sureWidgetText"),
		yes: t("delete"),
		isFinal: true,
	});

/** Chooses a menu of the site. The list includes the widget's current menu even if it no longer exists. */
function WhichMenu({ cell, problem }) {
	const menus = useLoad(
			async (signal) =>
				has("menus") && may("menus:read") ? byName(await api.get("/menus", { signal })) : [],
			[],
		),
		all = menus.data.value ?? [];
	const isKnown = cell.value === "" || all.some((one) => one.name === cell.value);
	const other = {
		value: cell.value,
		label: menus.data.value === null ? cell.value : t("menuGone", { name: cell.value }),
	};

	return html`<${SelectField} label=${t("menu")} help=${t("menuHelp")} value=${cell.value}
		onChange=${(v) => (cell.value = v)} problem=${problem}
		options=${[
			{ value: "", label: t("noMenu") },
			...all.map((one) => ({ value: one.name, label: one.label })),
			...(isKnown ? [] : [other]),
		]} />`;
}

/**
 * @param {{kind: any, title: any, menu: any, component: any, at: (name: string) => string | undefined, children?: any}} props
 *   signals of the members; children: further ones
 */
export const WidgetFields = ({ kind, title, menu, component, at, children }) => html`
	<${Field} label=${t("kind")} isGroup
		problem=${at("type")}>
		${() => html`<div>
			<${Segments} legend=${t("kind")} name="kind" value=${kind.value}
				onChange=${(v) => (kind.value = v)}
				options=${KINDS.map((value) => ({ value, label: t(value) }))} /></div>`}<//>
	<${TextField} label=${t("widgetTitle")} help=${t("titleHelp")} maxlength="200" dir="auto" value=${title.value}
		onInput=${(v) => (title.value = v)} problem=${at("title")} />
	${kind.value === "menu" && html`<${WhichMenu} cell=${menu} problem=${at("menuName")} />`}
	${
		kind.value === "component" &&
		html`<${TextField} label=${t("component")} help=${t("componentHelp")} class="mono" required
			maxlength="200" spellcheck=${false} value=${component.value}
			onInput=${(v) => (component.value = v)} problem=${at("componentId")} />`
	}
	${children}`;

/** The members of a kind, for the API. @param {{kind: any, title: any, menu: any, component: any}} cells */
export const membersOf = ({ kind, title, menu, component }) => ({
	type: kind.value,
	title: title.value || null,
	...(kind.value === "menu"
		? { menuName: menu.value || null }
		: kind.value === "component"
			? { componentId: component.value || null }
			: {}),
});
