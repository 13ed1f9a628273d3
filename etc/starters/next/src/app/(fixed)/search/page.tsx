// page.tsx - the page of the search; where items are is known from the build.
import { fixedHead } from "../../../head";
import { Search } from "../../../parts/Search";
import { publicUrl, site } from "../../../site";

export const generateMetadata = () => fixedHead("Search");

export default async function Page() {
	const { patterns } = await site();

	return (
		<div className="narrow">
			<h1>Search</h1>
			<Search url={publicUrl} patterns={patterns} />
		</div>
	);
}
