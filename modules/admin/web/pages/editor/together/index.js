// together - working on an item with others: who has it open, notes, the request for review. Loaded after the text can
// be typed in.
import { render } from "preact";
import { useEffect } from "preact/hooks";
import { html } from "../../../lib/html.js";
import { Marks } from "./marks.js";
import { Notes } from "./notes.js";
import { People } from "./people.js";
import { Review, ReviewButtons } from "./review.js";
import { togetherOf } from "./state.js";

/** In the bar: who else is here, and buttons that ask or decide. */
const InBar = ({ item }) => html`<${People} people=${togetherOf(item).people.value} />
	<${ReviewButtons} item=${item} isInBar=${true} />`;

/**
 * In the panel: the request, the notes, and their marks beside the text. It also fills the place that the bar keeps, so
 * that the bar, which comes first, knows nothing of it.
 * @param {{item: any}} props
 */
export function Together({ item }) {
	const state = togetherOf(item);

	useEffect(() => {
		const place = document.getElementById("beside"),
			end = state.use();

		if (place) render(html`<${InBar} item=${item} />`, place);
		return () => {
			end();
			if (place) render(null, place);
		};
	}, []);
	return html`<${Review} item=${item} /><${Notes} item=${item} /><${Marks} item=${item} />`;
}
