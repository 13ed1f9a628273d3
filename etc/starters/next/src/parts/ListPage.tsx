// ListPage.tsx - a page of a list: the newest items, those of a collection, of a term.
import { type List, phrasesOf, put } from "@stet/model";
import { site } from "../site";
import { Cards } from "./Cards";
import { To } from "./To";

export async function ListPage({ list }: { list: List }) {
	const the = await site();
	const { title, description, entries, page, pages, at, isFront, more, locale } = list;
	const t = phrasesOf(locale);

	return (
		<div className={isFront ? "wide front" : "wide"}>
			<h1>{isFront ? the.tagline(locale) || the.settings.siteTitle : title}</h1>
			{page === 1 && !isFront && description && <p className="tagline">{description}</p>}
			<Cards entries={entries} locale={locale} />
			{more && (
				<p className="pager">
					<span />
					<To to={more}>{put(t.all, { title })} →</To>
				</p>
			)}
			{pages > 1 && (
				<nav className="pager" aria-label={t.pages}>
					<span>
						{page > 1 && (
							<To rel="prev" to={at(page - 1)}>
								← {t.newer}
							</To>
						)}
					</span>
					<span className="meta">{put(t.pageOf, { n: page, count: pages })}</span>
					<span>
						{page < pages && (
							<To rel="next" to={at(page + 1)}>
								{t.older} →
							</To>
						)}
					</span>
				</nav>
			)}
		</div>
	);
}
