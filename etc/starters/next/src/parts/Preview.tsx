"use client";
// Preview.tsx - an item as it is now, published or not, or what a release changes, asked from the browser with the link's
// own token; and an item as it is typed in the editor beside it. The daemon has to allow this origin (cors-origins in stet.conf).
import type { Shown } from "@stet/model/browser";
import { useEffect, useState } from "react";
import { Html } from "./Html";

interface Props {
	url: string;
	/** Of the page until the item is there. */
	title: string;
}

export function Preview({ url, title }: Props) {
	const [shown, setShown] = useState<Shown | null>(null);

	useEffect(() => {
		let stop = () => {},
			isOver = false;

		void import("@stet/model/browser").then((browser) => {
			if (isOver) return;
			stop = browser.follow(url, setShown);
			void browser
				.preview(url, location.search)
				.catch(() => ({ title: browser.noPreviewText(), locale: "", field: "", html: "" }))
				.then((stored) => setShown((typed) => typed ?? stored));
		});
		return () => {
			isOver = true;
			stop();
		};
	}, [url]);

	return (
		<article className="narrow" lang={shown?.locale || undefined} aria-busy={shown === null}>
			<h1 data-field={shown?.field}>{shown?.title ?? title}</h1>
			<Html className="text" html={shown?.html ?? ""} />
		</article>
	);
}
