// global-not-found.tsx - for addresses that lead nowhere, in each language of the site: 404.html.
import { phrasesOf } from "@stet/model";
import { fixedHead } from "../head";
import { Frame } from "../parts/Frame";
import { site } from "../site";

export const generateMetadata = () => fixedHead("notFound");

export default async function NotFound() {
	const { languages, locale } = await site();
	const first = phrasesOf(locale);

	return (
		<Frame>
			<div className="narrow">
				<h1 lang={first.lang}>{first.notFound}</h1>
				{languages.map((one) => {
					const t = phrasesOf(one.locale);

					return (
						<div key={one.locale} lang={t.lang}>
							{one.locale !== locale && <h2>{t.notFound}</h2>}
							<p>{t.notFoundText}</p>
							<p>
								<a href={one.search}>{t.toSearch}</a> ·{" "}
								<a href={one.path}>{t.toFront}</a>
							</p>
						</div>
					);
				})}
			</div>
		</Frame>
	);
}
