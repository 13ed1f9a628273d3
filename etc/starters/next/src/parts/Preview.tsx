"use client";
// Preview.tsx - an item as it is now, published or not, asked from the browser with the link's own token. The daemon has
// to allow this origin (cors-origins in stet.conf).
import { useEffect, useState } from "react";
import { Html } from "./Html";

const EMPTY = { title: "Preview", html: "" };

export function Preview({ url }: { url: string }) {
	const [shown, setShown] = useState(EMPTY);

	useEffect(() => {
		import("@stet/model/browser")
			.then((browser) => browser.preview(url, location.search))
			.then(setShown)
			.catch(() => setShown({ title: "This preview is not valid any more.", html: "" }));
	}, [url]);

	return (
		<article className="narrow" aria-busy={shown === EMPTY}>
			<h1>{shown.title}</h1>
			<Html className="text" html={shown.html} />
		</article>
	);
}
