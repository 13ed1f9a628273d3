// Cards.tsx - the items of a list.
import { day, type Entry, phrasesOf } from "@stet/model";
import { site } from "../site";
import { Html } from "./Html";
import { To } from "./To";

interface Props {
	entries: Entry[];
	locale: string;
}

export async function Cards({ entries, locale }: Props) {
	const the = await site();

	if (entries.length === 0) return <p>{phrasesOf(locale).nothing}</p>;
	return (
		<ul className="cards">
			{entries.map((entry) => {
				const cover = the.coverHtml(entry, "(min-width: 46rem) 21rem, 92vw");
				return (
					<li key={entry.item.id} className={cover ? "card" : "card plain"}>
						{entry.date && (
							<span className="meta">
								<time dateTime={entry.date}>
									{day(entry.date, entry.item.locale)}
								</time>
							</span>
						)}
						<h2>
							<To to={entry.path}>{entry.title}</To>
						</h2>
						<p>{entry.summary}</p>
						{cover && <Html className="picture" html={cover} />}
					</li>
				);
			})}
		</ul>
	);
}
