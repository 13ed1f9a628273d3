// global-not-found.tsx - for addresses that lead nowhere: 404.html.
import { phrasesOf } from "@stet/model";
import { fixedHead } from "../head";
import { Frame } from "../parts/Frame";
import { site } from "../site";

export const generateMetadata = () => fixedHead("notFound");

export default async function NotFound() {
	const t = phrasesOf((await site()).locale);

	return (
		<Frame>
			<div className="narrow" lang={t.lang}>
				<h1>{t.notFound}</h1>
				<p>{t.notFoundText}</p>
				<p>
					<a href="/search/">{t.toSearch}</a> · <a href="/">{t.toFront}</a>
				</p>
			</div>
		</Frame>
	);
}
