// page.tsx - the page of the search; where items are is known from the build.
import { phrasesOf } from "@stet/model";
import { fixedHead } from "../../../head";
import { Search } from "../../../parts/Search";
import { publicUrl, site } from "../../../site";

export const generateMetadata = () => fixedHead("search");

export default async function Page() {
	const { patterns, locale } = await site();
	const t = phrasesOf(locale);

	return (
		<div className="narrow" lang={t.lang}>
			<h1>{t.search}</h1>
			<Search url={publicUrl} patterns={patterns} label={t.searchWords} button={t.search} />
		</div>
	);
}
