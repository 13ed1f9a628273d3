"use client";
// Comments.tsx - the comments of an item, as they were when the site was built, and the form for another one, which the
// browser sends to stet. The daemon has to allow this origin (cors-origins in stet.conf).
import { useEffect, useRef } from "react";
import { Html } from "./Html";

/** @param html of commentsHtml() */
export function Comments({ html }: { html: string }) {
	const isStarted = useRef(false);

	useEffect(() => {
		if (isStarted.current) return;
		isStarted.current = true;
		void import("@stet/model/browser").then((browser) => browser.startComments());
	}, []);
	return <Html html={html} />;
}
