// EntryPage.tsx - an item: its texts, its other values, its terms, its comments, and what is beside it.
import { commentsHtml, day, type Entry, languageName, phrasesOf } from "@stet/model";
import { Fragment } from "react";
import { site } from "../site";
import { Comments } from "./Comments";
import { Html } from "./Html";
import { Players } from "./Players";
import { To } from "./To";

interface Props {
	entry: Entry;
}

export async function EntryPage({ entry }: Props) {
	const { item } = entry;
	const the = await site();
	const cover = the.coverHtml(entry, "(min-width: 70rem) 68rem, 92vw", true);
	const text = the.textsHtml(entry);
	const comments = commentsHtml(await the.comments(entry), item.locale);

	return (
		<>
			<article data-item={process.env.STET_KEYS === "yes" ? item.id : undefined}>
				<Head entry={entry} />
				{cover && <Html className="hero wide" html={cover} />}
				<Html className="text narrow" html={text} />
				{entry.facts.length > 0 && (
					<div className="narrow">
						<dl className="facts">
							{entry.facts.map(({ field, value }) => (
								<Fragment key={field.slug}>
									<dt>{field.label}</dt>
									<Html
										as="dd"
										html={the.valueHtml(
											entry,
											field,
											value,
										)}
									/>
								</Fragment>
							))}
						</dl>
					</div>
				)}
				{text.includes(" data-player=") && <Players />}
			</article>
			<div className="narrow">
				<Around entry={entry} />
				{comments && <Comments key={item.id} html={comments} />}
				<Beside entry={entry} />
			</div>
		</>
	);
}

function Head({ entry: { title, summary, texts, date, isDated, bylines, translations, item } }: Props) {
	return (
		<header className="article-head narrow">
			<h1>{title}</h1>
			{summary && texts.length === 0 && <p className="lead">{summary}</p>}
			<p className="meta">
				{isDated && date && <time dateTime={date}>{day(date, item.locale)}</time>}
				{isDated && bylines.length > 0 && " · "}
				{bylines.join(", ")}
				{translations.map((one) => (
					<Fragment key={one.item.id}>
						{" · "}
						<a
							href={encodeURI(one.path)}
							lang={one.item.locale}
							hrefLang={one.item.locale}
						>
							{languageName(one.item.locale)}
						</a>
					</Fragment>
				))}
			</p>
		</header>
	);
}

async function Around({ entry }: Props) {
	const { terms, item } = entry;
	const t = phrasesOf(item.locale);
	const related = await (await site()).related(entry, 3);

	return (
		<>
			{terms.length > 0 && (
				<nav aria-label={t.terms}>
					<ul className="terms">
						{terms.map((one) => (
							<li key={one.path}>
								<To rel="tag" to={one.path}>
									{one.label}
								</To>
							</li>
						))}
					</ul>
				</nav>
			)}
			{related.length > 0 && (
				<aside className="beside">
					<h2>{t.related}</h2>
					<ul>
						{related.map((one) => (
							<li key={one.item.id}>
								<To to={one.path}>{one.title}</To>
							</li>
						))}
					</ul>
				</aside>
			)}
		</>
	);
}

function Beside({ entry: { isDated, newer, older, item } }: Props) {
	if (!isDated || !(newer || older)) return null;
	return (
		<nav className="pager" aria-label={phrasesOf(item.locale).beside}>
			<span>
				{newer && (
					<To rel="next" to={newer.path}>
						← {newer.title}
					</To>
				)}
			</span>
			<span>
				{older && (
					<To rel="prev" to={older.path}>
						{older.title} →
					</To>
				)}
			</span>
		</nav>
	);
}
