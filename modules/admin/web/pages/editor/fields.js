// fields.js - the controls of the field types. A field type of a plugin has the control for its kind of values, or a
// widget of the plugin. Each control reads the signal of its field and nothing else.
import { useEffect, useId, useRef } from "preact/hooks";
import { useComputed, useSignal } from "@preact/signals";
import { api, segment } from "../../lib/api.js";
import { html } from "../../lib/html.js";
import { collection as collectionOf, manifest } from "../../lib/site.js";
import { later } from "../../editor/later.js";
import { Button, Icon, Switch } from "../../ui/index.js";
import { Search } from "../../ui/search.js";
import { say } from "../../ui/live.js";
import { findItems, titleField, titleOf } from "../../lib/items.js";
import { MediaChoice } from "../../editor/choose.js";
import { isSafeSrc } from "../../editor/text/safe.js";
import { t } from "../../editor/words.js";
import { mayEdit } from "./actions.js";
import { TextField } from "./text.js";
import { fromLocal, toLocal } from "../../lib/when.js";

/* ---- one line, several lines, numbers ---- */

const typed = (set) => (e) => set(e.currentTarget.value === "" ? null : e.currentTarget.value);
const asText = (value) =>
	value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);

const Line = ({ value, set, props, field }) => html`<input class="in" type="text" ...${props} value=${asText(value)}
	onInput=${typed(set)} maxlength=${field.validation?.maxLength ? field.validation.maxLength * 2 : undefined} />`;
const Lines = ({ value, set, props, field }) => html`<textarea class="in serif" rows=${field.options?.rows ?? 3}
	...${props} value=${asText(value)} onInput=${typed(set)} />`;
const Url = ({ value, set, props }) => html`<input class="in" type="url" inputmode="url" ...${props}
	value=${asText(value)} onInput=${typed(set)} />`;
const Slug = ({ value, set, props }) => html`<input class="in mono" type="text" ...${props} value=${asText(value)}
	onInput=${typed(set)} spellcheck=${false} />`;

/** A number. While the input is incomplete ("1e", "-"), the control keeps its text and the field gets null. */
function Figure({ value, set, props, field }) {
	const isWhole = (field.kind ?? field.type) === "integer";
	const ref = useRef(/** @type {HTMLInputElement | null} */ (null));
	const shown = asText(value?.rawJSON ?? value);

	useEffect(() => {
		if (ref.current && document.activeElement !== ref.current) ref.current.value = shown;
	}, [shown]);
	return html`<input class="in short num" type="number" step=${isWhole ? 1 : "any"} min=${field.validation?.min}
		max=${field.validation?.max} ...${props} ref=${ref}
		defaultValue=${shown}
		onInput=${(e) => set(e.currentTarget.value === "" ? null : Number(e.currentTarget.value))} />`;
}

function Yes({ value, set, field, props }) {
	return html`<div
		class="row">
		<input type="checkbox" role="switch" class="switch" ...${props} checked=${value === true || value === 1}
			onChange=${(e) => set(e.currentTarget.checked)} />
		<span>${field.options?.text ?? (value ? t("yes") : t("no"))}</span></div>`;
}

function When({ value, set, props }) {
	const ref = useRef(/** @type {HTMLInputElement | null} */ (null)),
		shown = toLocal(value);

	useEffect(() => {
		if (ref.current && document.activeElement !== ref.current) ref.current.value = shown;
	}, [shown]);
	return html`<input class="in half" type="datetime-local" step="1" ...${props} ref=${ref} defaultValue=${shown}
		onInput=${(e) => set(e.currentTarget.value === "" ? null : fromLocal(e.currentTarget.value))} />`;
}

/* ---- choices ---- */

const choices = (field) =>
	(field.validation?.options ?? []).map((o) => (typeof o === "object" ? o : { value: o, label: o }));

function One({ value, set, props, field }) {
	const known = choices(field),
		isKnown = value === null || value === undefined || known.some((o) => o.value === value);

	return html`<select class="in half" ...${props} value=${asText(value)} onChange=${typed(set)}>
		<option value="" selected=${!value}>${t("nothing")}</option>
		${!isKnown && html`<option value=${asText(value)} selected>${asText(value)}</option>`}
		${known.map(
			(o) => html`<option key=${o.value} value=${o.value} selected=${o.value === value}>${o.label}
			</option>`,
		)}
	</select>`;
}

function Several({ value, set, field }) {
	const chosen = Array.isArray(value) ? value : [];
	const all = [
		...choices(field),
		...chosen
			.filter((v) => !choices(field).some((o) => o.value === v))
			.map((v) => ({ value: v, label: asText(v) })),
	];
	const turn = (one, isOn) =>
		set(
			isOn
				? all.map((o) => o.value).filter((v) => v === one || chosen.includes(v))
				: chosen.filter((v) => v !== one),
		);

	return html`<div
		class="ticks">
		${all.map(
			(o) => html`<label class="tick"
			key=${o.value}><input type="checkbox" checked=${chosen.includes(o.value)}
		onChange=${(e) => turn(o.value, e.currentTarget.checked)} /><bdi>${o.label}</bdi></label>`,
		)}</div>`;
}

/* ---- pictures and files ---- */

const imageOf = (item) => ({
	id: item.id,
	url: item.url,
	alt: item.alt ?? "",
	...(item.width ? { width: item.width, height: item.height } : {}),
});

function Picture({ value, set, field }) {
	const choosing = useSignal(/** @type {null | "it" | "dark"} */ (null));
	const has = value !== null && typeof value === "object";
	const take = (item) => {
		const next =
			choosing.value === "dark"
				? { ...value, darkVariant: imageOf(item) }
				: {
						...imageOf(item),
						...(has && value.darkVariant ? { darkVariant: value.darkVariant } : {}),
					};

		choosing.value = null;
		set(next);
	};

	return html`${
		has &&
		html`<div class="media-field">
			${
				isSafeSrc(value.url) &&
				html`<img src=${value.url} width="128" height="96" alt=${value.alt ?? ""} />`
			}
			<div class="stack">
				${
					value.width &&
					html`<bdi class="help num" dir="ltr">${`${value.width} × ${value.height}`}
						</bdi>`
				}
				<input class="in" aria-label=${t("alt")} placeholder=${t("alt")}
					value=${value.alt ?? ""}
					onInput=${(e) => set({ ...value, alt: e.currentTarget.value })} />
				<div class="bs">
				<${Button} kind="small" onClick=${() => {
					choosing.value = "it";
				}}>${t("change")}<//>
					${
						field.options?.darkVariant &&
						html`<${Button} kind="small"
							onClick=${() => {
								choosing.value = "dark";
							}}>
							${value.darkVariant ? t("otherDark") : t("forDark")}<//>`
					}
					${
						value.darkVariant &&
						html`<${Button} kind="small"
							onClick=${() => set(Object.fromEntries(Object.entries(value).filter(([n]) => n !== "darkVariant")))}>
							${t("noDark")}<//>`
					}
					<${Button} kind="small out" onClick=${() => set(null)}>${t("takeOut")}<//></div>
			</div></div>`
	}
		${
			!has &&
			html`<div
			class="row">
			<${Button} kind="small" onClick=${() => {
				choosing.value = "it";
			}}>${t("choosePicture")}<//>
			</div>`
		}
		${
			choosing.value &&
			html`<${MediaChoice} kind="image/" fieldId=${field.id} onChoose=${take}
				onClose=${() => {
					choosing.value = null;
				}} />`
		}`;
}

function File({ value, set, field }) {
	const isChoosing = useSignal(false),
		has = value !== null && typeof value === "object";
	const take = (item) => {
		isChoosing.value = false;
		set({
			id: item.id,
			provider: "local",
			filename: item.filename,
			mimeType: item.mimeType,
			meta: { storageKey: item.storageKey },
			url: item.url,
			size: item.size,
		});
	};
	const name = has ? (value.filename ?? value.id) : "";

	return html`<div class="row">
		${
			has &&
			html`<span
			class="tag"><bdi>${name}</bdi>
			${value.size ? `, ${Math.ceil(value.size / 1024)} KB` : ""} <button type="button"
			aria-label=${t("takeOutOf", { name })}
			onClick=${() => set(null)}><span aria-hidden="true">×</span></button></span>`
		}
		<${Button} kind="small" onClick=${() => {
			isChoosing.value = true;
		}}>${t("chooseFile")}<//>
		${
			isChoosing.value &&
			html`<${MediaChoice} fieldId=${field.id}
				kind=${field.validation?.allowedMimeTypes?.join(",")} onChoose=${take}
				onClose=${() => {
					isChoosing.value = false;
				}} />`
		}
	</div>`;
}

/* ---- references ---- */

/** Titles by collection and id, cached until the document is closed. */
const titles = new Map();

async function titleFor(collection, id) {
	const key = `${collection} ${id}`;

	if (!titles.has(key))
		titles.set(
			key,
			titleField(collection)
				.then((field) =>
					api.get(`/content/${segment(collection)}/${segment(id)}`, {
						query: { fields: `slug,${field}` },
						quiet: true,
					}),
				)
				.then(
					({ item }) => titleOf(item),
					() => null,
				),
		);
	return titles.get(key);
}

function Title({ collection, id }) {
	const title = useSignal(id);

	useEffect(() => {
		let isOpen = true;

		void titleFor(collection, id).then((found) => {
			if (isOpen) title.value = found ?? t("missing", { id });
		});
		return () => {
			isOpen = false;
		};
	}, [collection, id]);
	return html`<bdi>${title}</bdi>`;
}

function Reference({ value, set, field, props }) {
	const target = field.options?.collection,
		isMany = field.options?.allowMultiple === true;
	const ids = (Array.isArray(value) ? value : [value]).filter((v) => typeof v === "string" && v !== "");
	const put = (list) => set(isMany ? list : (list[0] ?? null));
	const label = t("findIn", { collection: collectionOf(target)?.label ?? target });

	return html`<div class="chips">
		${ids.map(
			(id) => html`<span class="tag serif" key=${id}><${Title} collection=${target} id=${id} />
			<button type="button" aria-label=${t("takeOutOf", { name: id })}
				onClick=${() => put(ids.filter((one) => one !== id))}><span aria-hidden="true">×</span>
				</button></span>`,
		)}
		${
			(isMany || ids.length === 0) &&
			html`<${Search} id=${props.id} label=${label}
				props=${{
					"aria-describedby": props["aria-describedby"],
					"aria-invalid": props["aria-invalid"],
				}}
					find=${(words, abort) => findItems(target, words, abort)}
			onChoose=${(one) => {
				titles.set(`${target} ${one.id}`, Promise.resolve(one.title));
				put([...ids.filter((id) => id !== one.id), one.id]);
			}} />`
		}
	</div>`;
}

/* ---- JSON and repeaters ---- */

/** JSON. While the text is not valid, the control keeps it and shows the error; the field keeps its last value. */
function Json({ value, set, props }) {
	const shown = value === null || value === undefined ? "" : JSON.stringify(value, null, 2);
	const text = useSignal(shown),
		wrong = useSignal(""),
		given = useRef(shown);

	useEffect(() => {
		if (shown !== given.current) {
			given.current = shown;
			text.value = shown;
		}
	}, [shown]);
	const type = (e) => {
		text.value = e.currentTarget.value;
		try {
			const next = text.value.trim() === "" ? null : JSON.parse(text.value);

			wrong.value = "";
			given.current = next === null ? "" : JSON.stringify(next, null, 2);
			set(next);
		} catch (error) {
			wrong.value = t("noJson", { message: error.message });
		}
	};

	return html`<textarea class="in mono" rows="4" spellcheck=${false} ...${props}
		aria-invalid=${wrong.value ? "true" : props["aria-invalid"]} value=${text.value} onInput=${type} />
		${wrong.value && html`<p class="problem">${wrong.value}</p>`}`;
}

/** @param {any} props hold: true while a row is filled in, so that it is not refused before it is complete */
function Repeater({ value, set, field, problems, hold = () => {} }) {
	const subs = field.validation?.subFields ?? [],
		rows = Array.isArray(value) ? value : [];
	const table = useRef(/** @type {HTMLElement | null} */ (null)),
		add = useRef(/** @type {HTMLElement | null} */ (null));
	const singular = field.options?.itemLabel ?? field.label;
	const begun = useRef(-1); // the number of the row that is being filled in
	const isComplete = (row) =>
		subs.every((sub) => !sub.required || !["", null, undefined].includes(row?.[sub.slug]));
	const leave = () => {
		if (begun.current >= 0) hold(false);
		begun.current = -1;
	};
	const change = (at, name, v) => {
		set(rows.map((row, i) => (i === at ? { ...row, [name]: v } : row)));
		if (at === begun.current && isComplete({ ...rows[at], [name]: v })) leave();
	};
	const put = () => {
		leave();
		if (!isComplete({})) {
			begun.current = rows.length;
			hold(true);
		}
		set([...rows, {}]);
		focus(rows.length, "input, textarea, select");
	};
	const focus = (at, selector) =>
		requestAnimationFrame(() =>
			/** @type {HTMLElement | null} */ (
				table.current?.querySelectorAll("fieldset")[at]?.querySelector(selector)
			)?.focus(),
		);
	const move = (at, step) => {
		leave();
		set(rows.toSpliced(at, 1).toSpliced(at + step, 0, rows[at]));
		say(t("rowMoved", { n: at + step + 1, of: rows.length }));
		focus(at + step, step < 0 ? "[data-up]" : "[data-down]");
	};
	const problemAt = (i, name) => problems.find((p) => p.path === `data.${field.slug}[${i}].${name}`)?.message;
	const isFull = field.validation?.maxItems !== undefined && rows.length >= field.validation.maxItems;

	return html`<div class="stack" ref=${table}>
		${rows.map(
			(row, i) => html`<fieldset class="repeat-row" key=${i}
				onFocusOut=${(e) => i === begun.current && !e.currentTarget.contains(e.relatedTarget) && leave()}>
			<legend class="sr">${t("row", { label: singular, n: i + 1 })}</legend>
			<div class="repeat-cells">
			${subs.map(
				(sub) => html`<${Cell} key=${sub.slug} sub=${sub} n=${i + 1}
				value=${row?.[sub.slug] ?? null} problem=${problemAt(i, sub.slug)}
				set=${(v) => change(i, sub.slug, v)} />`,
			)}</div>
			<div class="bs">
				<button type="button" class="b bare square" data-up
					aria-label=${t("rowUp", { n: i + 1 })} disabled=${i === 0}
					onClick=${() => move(i, -1)}><${Icon} name="up" /></button>
				<button type="button" class="b bare square" data-down
					aria-label=${t("rowDown", { n: i + 1 })} disabled=${i === rows.length - 1}
					onClick=${() => move(i, 1)}><${Icon} name="down" /></button>
				<button type="button" class="b bare square out" aria-label=${t("rowOut", { n: i + 1 })}
					onClick=${() => {
						leave();
						set(rows.toSpliced(i, 1));
						add.current?.focus();
					}}>
					<span aria-hidden="true">×</span></button>
			</div>
		</fieldset>`,
		)}
		<div><button type="button" class="b small" ref=${add} data-add disabled=${isFull}
			onClick=${put}>
			<${Icon} name="plus" />${singular}</button></div>
	</div>`;
}

/** A control inside a row of a repeater or a block, with its label above it. */
export function Cell({ sub, n = "", value, set, problem }) {
	const id = useId(),
		Control = controlOf(sub);
	const field = {
		...sub,
		validation: sub.validation ?? sub,
		options: sub.options && !Array.isArray(sub.options) ? sub.options : {},
	};
	const props = {
		id,
		"aria-invalid": problem ? "true" : undefined,
		"aria-describedby": problem ? `${id}-p` : undefined,
	};

	return html`<div
		class=${`repeat-cell ${sub.type === "text" ? "wide" : ""}`}>
		<label for=${id}>${sub.label ?? sub.slug}<span class="sr">${n && `, ${n}`}</span></label>
		<${Control} value=${value} set=${set} field=${field} props=${props} problems=${[]} />
		${problem && html`<p class="problem" id=${`${id}-p`}>${problem}</p>`}</div>`;
}

const controls = {
	string: Line,
	text: Lines,
	url: Url,
	number: Figure,
	integer: Figure,
	boolean: Yes,
	datetime: When,
	select: One,
	multiSelect: Several,
	image: Picture,
	file: File,
	reference: Reference,
	json: Json,
	slug: Slug,
	repeater: Repeater,
};
const byKind = { string: Line, number: Figure, integer: Figure, boolean: Yes };
const controlOf = (field) => controls[field.type] ?? byKind[field.kind] ?? Json;
const groups = ["multiSelect", "image", "file", "repeater", "portableText"];

/* ---- a field ---- */

function helpOf(field, value) {
	const { minLength, maxLength } = field.validation ?? {};
	const help = field.options?.help;

	if (maxLength && typeof value === "string") return t("ofCharacters", { n: [...value].length, of: maxLength });
	return help ?? (minLength ? t("shortest", { n: minLength }) : undefined);
}

const noteOf = (field) =>
	({
		url: t("note-url"),
		datetime: t("note-datetime"),
		json: "JSON",
		repeater: t("note-repeater"),
		reference: collectionOf(field.options?.collection)?.label,
	})[field.type];

/* ---- widgets of plugins ---- */

export const Widget = later(() => import("./widget.js"), "Widget");

/** The plugin's widget that the field names ("swatches:colour"), if it is active and supports the field's type. */
export const widgetOf = (field) =>
	manifest.value.fieldWidgets?.find(
		(one) => `${one.plugin}:${one.name}` === field.widget && one.types.includes(field.type),
	);

/** A note above the ordinary control of a field that names a widget: why the widget is not shown. */
function Instead({ field, why, again }) {
	return (
		field.widget?.includes(":") &&
		html`<div class="row help"
		data-instead><span>${why || t("widgetOff", { name: field.widget })}</span>
		${why && html`<${Button} kind="small" onClick=${again}>${t("widgetAgain")}<//>`}</div>`
	);
}

/** The field of a repeater's row that a path ends with. */
const subFieldOf = (field, path) => field.validation?.subFields?.find((sub) => path.endsWith(`].${sub.slug}`));

/** @param {{item: import("./item.js").Item, field: any}} props */
export function ItemField({ item, field }) {
	const why = useSignal(""),
		widget = why.value === "" ? widgetOf(field) : undefined;
	const id = `field-${field.slug}`,
		cell = item.cell(field.slug);
	const problems = useComputed(() => item.problems.value.filter((p) => p.name === field.slug));
	// A repeater shows the problems of its cells at the cells.
	const below = problems.value.filter((p) => field.type !== "repeater" || !subFieldOf(field, p.path));
	const isGroup = groups.includes(field.type) || widget !== undefined,
		Control = controlOf(field);
	const note = noteOf(field),
		help = helpOf(field, cell.value);
	const described = [help && `${id}-h`, below.length > 0 && `${id}-p`].filter(Boolean).join(" ") || undefined;
	const words = html`${field.label}${field.required ? html`<span class="req" aria-hidden="true"> *</span>` : ""}
		${note && html` <small>${note}</small>`}`;
	const props = {
		id,
		"aria-describedby": described,
		"aria-invalid": problems.value.length > 0 ? "true" : undefined,
		"aria-required": field.required ? "true" : undefined,
		dir: controlOf(field) === Line || field.type === "text" ? "auto" : undefined,
	};

	const stop = (words, hadFocus) => {
		why.value = words;
		if (hadFocus) requestAnimationFrame(() => document.getElementById(id)?.focus());
	};

	if (field.type === "portableText")
		return html`<div class="f" role="group"
			aria-labelledby=${`${id}-l`}><span class="label" id=${`${id}-l`}>${words}</span>
			<div class="stack">
			<div class="inner-text">
			<${TextField} item=${item} name=${field.slug} label=${field.label} isToRead=${!mayEdit(item)} />
			</div>
			${problems.value.map(
				(p) => html`<p class="problem" key=${p.path} id=${`${id}-p`}>${p.message}
				</p>`,
			)}</div></div>`;
	return html`<div class="f" role=${isGroup ? "group" : undefined}
		aria-labelledby=${isGroup ? `${id}-l` : undefined} aria-describedby=${isGroup ? described : undefined}>
		${
			isGroup
				? html`<span class="label" id=${`${id}-l`}>${words}</span>`
				: html`<label for=${id}>${words}</label>`
		}
		<div class="stack">
			${
				widget
					? html`<${Widget} field=${field} from=${widget} id=${id} locale=${item.locale}
					value=${cell.value} set=${(v) => item.set(field.slug, v)}
					problem=${problems.value[0]?.message ?? ""} onStop=${stop} />`
					: html`<${Instead} field=${field} why=${why.value}
						again=${() => (why.value = "")} />
					<${Control} value=${cell.value} set=${(v) => item.set(field.slug, v)}
						field=${field} props=${props} problems=${problems.value}
						hold=${(isOn) => item.saver[isOn ? "begin" : "finish"](field.slug)} />`
			}
			${help && html`<p class="help" id=${`${id}-h`}>${help}</p>`}
			${
				below.length > 0 &&
				html`<div id=${`${id}-p`}
					tabindex="-1">
					${below.map(
						(p, i) => html`<p class="problem" key=${i}>${p.message}</p>`,
					)}</div>`
			}
		</div>
	</div>`;
}
