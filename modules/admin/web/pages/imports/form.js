// form.js - starts an import: the file, options, and for files of rows the mapping of columns. Rows are always tried in
// a dry run first. This form can try the same file again with another mapping; the page of the dry run imports it.
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api } from "../../lib/api.js";
import { readColumns } from "../../lib/rows.js";
import { sendForm } from "../../lib/upload.js";
import { word, wordsOf } from "../../lib/words.js";
import { Button, Dialog, Field, Problem, SelectField, Tick } from "../../ui/index.js";
import { OptionFields, labelOf as nameOf, readOptions } from "../../ui/options.js";
import { RowsForm, configOf, newRows, rowsOf, wrongOf } from "./rows.js";
import { formatsOf, isRows, labelOf } from "./state.js";

const t = wordsOf("imports");
const CHOICES = { dryRun: false, importMedia: true, importFields: false, update: false };
const OF_ROWS = ["importMedia", "update"]; // options for rows: a dry run always comes first; no fields are added

/** Does the name end as those of the format do? @param {import("./state.js").Importer} format @param {string} name */
const takes = (format, name) =>
	(format.files ?? []).some((end) => end.startsWith(".") && name.toLowerCase().endsWith(end));

/**
 * @param {{importers: import("./state.js").Importer[], onClose: () => void, onMade: (job: any) => any, tried?: any}} props
 *   tried: a job whose file is kept, to be tried otherwise
 */
export function ImportForm({ importers, onClose, onMade, tried }) {
	const formats = formatsOf(importers);
	const format = useSignal(tried?.config.format ?? "wxr"),
		file = useSignal(/** @type {File | null} */ (null));
	const chosen = useSignal(
		/** @type {Record<string, boolean>} */ ({
			...CHOICES,
			...(tried ? { importMedia: tried.config.importMedia, update: tried.config.update } : {}),
		}),
	);
	const given = tried && rowsOf(tried.config),
		rows = useSignal(given ?? newRows()),
		wrong = useSignal("");
	const columns = useSignal(
		/** @type {import("../../lib/rows.js").Column[]} */ (
			given ? Object.keys(given.fields).map((name) => ({ name, samples: [] })) : []
		),
	);
	const problem = useSignal(/** @type {any} */ (null)),
		missing = useSignal(false),
		options = useSignal(/** @type {Record<string, any>} */ ({})),
		broken = useSignal(/** @type {Record<string, string>} */ ({})),
		share = useSignal(-1),
		abort = useRef(new AbortController());
	const ofRows = isRows(format.value),
		now = formats.find((one) => one.name === format.value),
		form = ofRows ? undefined : now?.options;

	useEffect(() => () => abort.current.abort(), []);
	// The person may choose the file before its format.
	useEffect(() => {
		let isOld = false;

		if (tried) return;
		columns.value = [];
		wrong.value = "";
		if (file.value && ofRows)
			void readColumns(file.value, format.value).then(
				(found) => !isOld && (columns.value = found),
				(error) => !isOld && (problem.value = error),
			);
		return () => {
			isOld = true;
		};
	}, [file.value, format.value]);
	const setFormat = (name) => {
		if (name !== format.value) options.value = broken.value = {};
		format.value = name;
	};
	const choose = (to) => {
		file.value = to;
		missing.value = false;
		if (to && now?.files && !takes(now, to.name))
			setFormat(formats.find((one) => takes(one, to.name))?.name ?? format.value);
	};
	const config = () => {
		const { dryRun, importFields, ...of } = chosen.value;

		if (ofRows) return { ...of, dryRun: true, format: format.value, ...configOf(rows.value) };
		return {
			...chosen.value,
			...(format.value === "wxr" ? {} : { format: format.value }),
			...(form ? { options: readOptions(options.value).values } : {}),
		};
	};
	const post = () => {
		const form = new FormData();

		if (tried) return api.post("/import/jobs", { analysisId: tried.analysisId, config: config() });
		form.append("config", JSON.stringify(config()));
		form.append("file", file.value);
		return sendForm("/import/jobs", form, {
			signal: abort.current.signal,
			onProgress: (n) => (share.value = n),
		});
	};
	const send = async () => {
		missing.value = !tried && file.value === null;
		wrong.value = ofRows && !missing.value ? wrongOf(rows.value, columns.value) : "";
		broken.value = readOptions(options.value).wrong;
		if (missing.value || wrong.value || Object.keys(broken.value).length > 0 || share.value >= 0) return;
		problem.value = null;
		share.value = 0;
		try {
			await onMade(await post());
		} catch (error) {
			if (error.name !== "AbortError") problem.value = error;
		} finally {
			share.value = -1;
		}
	};
	const ticks = Object.keys(CHOICES).filter((name) => !ofRows || OF_ROWS.includes(name)),
		go = t(ofRows ? "try" : "make");

	return html`<${Dialog} title=${t(tried ? "tryOtherwise" : "make")} onClose=${onClose} onSubmit=${send}
		class="wide-dialog"
		actions=${html`<${Button} kind="go" type="submit" isBusy=${share.value >= 0} data-save>${go}<//>`}>
		<${Problem} error=${problem.value} />
		<div class="fields">
			${
				!tried &&
				html`<${SelectField} label=${t("format")} name="format" value=${format.value}
				onChange=${setFormat}
				options=${formats.map((one) => ({ value: one.name, label: labelOf(one) }))} />
			<${Field} label=${t("file")}
				help=${now?.plugin ? now.description : t(ofRows ? "rowsHelp" : "fileHelp")}
				problem=${missing.value ? t("fileWanted") : undefined}>
				${(props) => html`<input class="in" type="file" name="file"
					accept=${now?.files?.join(",")}
					onChange=${(e) => choose(e.currentTarget.files[0] ?? null)} ...${props} />`}
					<//>`
			}
			${
				ofRows &&
				(tried || file.value) &&
				html`<${RowsForm} columns=${columns.value} rows=${rows.value} given=${given}
					wrong=${wrong.value} onChange=${(to) => (rows.value = to)} />`
			}
			<${OptionFields} key=${format.value} schema=${form} values=${options.value}
				onValues=${(v) => (options.value = v)}
				at=${(name) => broken.value[name] ?? problem.value?.issueAt?.(`options.${name}`)}
				labelFor=${(name) =>
					now.plugin
						? nameOf(name)
						: word("imports", `option_${name}`, {}, nameOf(name))} />
			<${Field} label=${t("options")}
				isGroup>${(props) => html`<div class="stack-3"
					...${props}>
					${ticks.map(
						(name) => html`<${Tick} key=${name} name=${name}
						isOn=${chosen.value[name]}
						onChange=${(isOn) =>
							(chosen.value = {
								...chosen.value,
								[name]: isOn,
							})}>${t(name)}<//>`,
					)}</div>`}<//>
			<p role="status">
			${
				share.value >= 0 &&
				!tried &&
				html`<progress max="1" value=${share.value}>
					</progress> ${t("sent", { n: Math.round(share.value * 100) })}`
			}</p>
		</div>
	<//>`;
}
