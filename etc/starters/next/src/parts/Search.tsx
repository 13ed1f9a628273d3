"use client";
// Search.tsx - the site's own search, asked from the browser: the route is public. The daemon has to allow this origin
// (cors-origins in stet.conf).
import type { Found } from "@stet/model/browser";
import { useEffect, useState } from "react";

interface Props {
	url: string;
	/** Where the items of each collection are. */
	patterns: Record<string, string | null>;
	/** Of the items; undefined: all. */
	locale: string | undefined;
	label: string;
	button: string;
}

export function Search({ url, patterns, locale, label, button }: Props) {
	const [words, setWords] = useState("");
	const [found, setFound] = useState<Found[]>([]);
	const [status, setStatus] = useState("");

	// The words are those of the address: the form loads this page with others.
	useEffect(() => {
		const asked = new URLSearchParams(location.search).get("q") ?? "";

		setWords(asked);
		if (!asked.trim()) return;
		void import("@stet/model/browser").then((browser) =>
			browser.search(url, patterns, asked, locale).then(
				(all) => {
					setFound(all);
					setStatus(browser.resultsText(all.length));
				},
				() => setStatus(browser.noSearchText()),
			),
		);
	}, [url, patterns, locale]);

	return (
		<>
			<form role="search">
				<input
					type="search"
					name="q"
					aria-label={label}
					required
					value={words}
					onChange={(event) => setWords(event.target.value)}
				/>
				<button type="submit">{button}</button>
			</form>
			<p role="status">{status}</p>
			<ul>
				{found.map((one) => (
					<li key={one.path}>
						<a href={one.path}>{one.title}</a>
					</li>
				))}
			</ul>
		</>
	);
}
