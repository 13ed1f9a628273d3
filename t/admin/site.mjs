// site.mjs - a site with papers, made over the API: enough for two pages, names that look like markup in every place.
import { fillTrees } from "./trees.mjs";

export const HOSTILE = `<img src=x onerror="window.hacked=1"> {{7*7}} \${7*7} "'&lt;script>window.hacked=1</script>`;

/** Returns a function that calls the API as the page's user, and throws if the API refuses. */
export const maker = (ann) => async (method, where, body) => {
	const answer = await ann.api(method, where, body);

	if (answer.status >= 300) throw new Error(`${method} ${where}: ${answer.status} ${JSON.stringify(answer)}`);
	return answer.data;
};

export async function fillSite(ann) {
	const made = maker(ann);

	await made("POST", "/schema/collections", {
		slug: "papers",
		label: "Articles",
		labelSingular: "Article",
		supports: ["drafts", "revisions", "scheduling", "search"],
	});
	for (const field of [
		{ slug: "title", label: "Title", type: "string", required: true, indexed: true, searchable: true },
		{
			slug: "topic",
			label: `Topic ${HOSTILE}`.slice(0, 60),
			type: "select",
			indexed: true,
			validation: { options: ["Wings", "Wakes", "History"] },
		},
		{ slug: "year", label: "Year", type: "integer", indexed: true },
		{ slug: "source", label: "Source", type: "string" },
		{ slug: "seen", label: "Seen", type: "boolean", indexed: true },
		{
			slug: "for",
			label: "For",
			type: "multiSelect",
			indexed: true,
			validation: { options: ["Students", "Pilots"] },
		},
		{ slug: "body", label: "Body", type: "portableText", searchable: true },
	])
		await made("POST", "/schema/collections/papers/fields", field);
	await made("POST", "/schema/collections", {
		slug: "reviews",
		label: "Reviews",
		labelSingular: "Review",
		supports: ["drafts"],
	});
	await made("POST", "/schema/collections/reviews/fields", {
		slug: "title",
		label: "Title",
		type: "string",
		required: true,
	});
	const topics = ["Wings", "Wakes", "History"];
	const titles = [
		"Near noise field of a jet engine exhaust",
		"What the smoke shows: a short history of visible air",
		"Calculation of the flow past slender delta wings with leading edge separation",
		"Experimental investigation of the aerodynamics of a wing in a slipstream",
		"Numerical solution of the Navier-Stokes equations for the flow around a circular cylinder at Reynolds number 40",
		"The night shift at the eleven-foot tunnel",
		"Letters: who first drew a streamline?",
		"مقدمة في تاريخ الأنفاق الهوائية",
	];
	const calls = Array.from({ length: 58 }, (_, i) => ({
		op: "content_create",
		arguments: {
			collection: "papers",
			slug: `article-${i + 1}`,
			data: {
				title:
					i === 57
						? HOSTILE
						: i < 50
							? `Paper ${String(i + 1).padStart(2, "0")}`
							: titles[i - 50],
				topic: topics[i % 3],
				year: 1950 + (i % 12),
				source: i % 2 ? "NACA R-1338" : "",
				seen: i % 4 === 0,
				for: i === 20 ? ["Students", "Pilots"] : i % 5 ? ["Students"] : [],
			},
		},
	}));
	const { results } = await made("POST", "/batch", { calls });
	const ids = results.map((one) => one.data?.item?.id ?? one.data?.id);
	const { failed } = await made("POST", "/batch", {
		calls: ids
			.slice(10, 40)
			.map((id) => ({ op: "content_publish_now", arguments: { collection: "papers", id } })),
	});
	if (failed > 0) throw new Error("papers were not published");
	await made("POST", `/content/papers/${ids[52]}/schedule`, {
		scheduledAt: new Date(Date.now() + 7 * 86400000).toISOString(),
	});
	await made("POST", "/releases", {
		name: HOSTILE,
		add: [
			{ type: "item", collection: "papers", item: ids[54] },
			{ type: "settings", content: { title: "In spring" } },
		],
	});
	await made("POST", "/admin/plugins/swatches/enable"); // the menu links to a page of this plugin
	await fillTrees(made);
	return { ids };
}
