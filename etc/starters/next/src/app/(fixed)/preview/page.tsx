// page.tsx - shows the newest values of an item to whoever has a preview link. Links lead here if they are made with
// pathPattern "/preview/?collection={collection}&id={id}".
import { fixedHead } from "../../../head";
import { Preview } from "../../../parts/Preview";
import { publicUrl } from "../../../site";

export const generateMetadata = () => fixedHead("Preview");

export default function Page() {
	return <Preview url={publicUrl} />;
}
