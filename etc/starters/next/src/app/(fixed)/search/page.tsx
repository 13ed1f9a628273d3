// page.tsx - the search in the first language; those of others are among the routes of the site.
import { fixedHead } from "../../../head";
import { SearchPage } from "../../../parts/SearchPage";
import { site } from "../../../site";

export const generateMetadata = () => fixedHead("search");

export default async function Page() {
	return <SearchPage locale={(await site()).locale} />;
}
