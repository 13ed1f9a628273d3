// global-not-found.tsx - for addresses that lead nowhere: 404.html.
import { fixedHead } from "../head";
import { Frame } from "../parts/Frame";

export const generateMetadata = () => fixedHead("Not found");

export default function NotFound() {
	return (
		<Frame>
			<div className="narrow">
				<h1>Not found</h1>
				<p>
					This page does not exist, or not any more. <a href="/search/">Search for it</a>,
					or begin at the <a href="/">front page</a>.
				</p>
			</div>
		</Frame>
	);
}
