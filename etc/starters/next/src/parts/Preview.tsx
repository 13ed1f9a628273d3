"use client";
// Preview.tsx - an item as it is now, published or not, asked from the browser with the link's own token. The daemon has
// to allow this origin (cors-origins in stet.conf).
import { useEffect, useState } from "react";
import { Html } from "./Html";

interface Props {
	url: string;
	/** Of the page until the item is there. */
	title: string;
}

export function Preview({ url, title }: Props) {
	const [shown, setShown] = useState<{ title: string; html: string } | null>(null);

	useEffect(() => {
		void import("@stet/model/browser").then((browser) =>
			browser
				.preview(url, location.search)
				.catch(() => ({ title: browser.noPreviewText(), html: "" }))
				.then(setShown),
		);
	}, [url]);

	return (
		<article className="narrow" aria-busy={shown === null}>
			<h1>{shown?.title ?? title}</h1>
			<Html className="text" html={shown?.html ?? ""} />
		</article>
	);
}
