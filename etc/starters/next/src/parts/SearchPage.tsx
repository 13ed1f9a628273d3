// SearchPage.tsx - the page of the search in a language; where items are is known from the build.
import { phrasesOf } from "@stet/model";
import { publicUrl, site } from "../site";
import { Search } from "./Search";

export async function SearchPage({ locale }: { locale: string }) {
	const { patterns, languages } = await site();
	const t = phrasesOf(locale);

	return (
		<div className="narrow" lang={t.lang}>
			<h1>{t.search}</h1>
			<Search
				url={publicUrl}
				patterns={patterns}
				locale={languages.length > 1 ? locale : undefined}
				label={t.searchWords}
				button={t.search}
			/>
		</div>
	);
}
