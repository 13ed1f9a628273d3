// page.tsx - shows the newest values of an item, or what a release changes, to whoever has a preview link. Links of items
// lead here if they are made with pathPattern "/preview/?collection={collection}&id={id}".
import { phrasesOf } from "@stet/model";
import { fixedHead } from "../../../head";
import { Preview } from "../../../parts/Preview";
import { publicUrl, site } from "../../../site";

export const generateMetadata = () => fixedHead("preview");

export default async function Page() {
	return <Preview url={publicUrl} title={phrasesOf((await site()).locale).preview} />;
}
