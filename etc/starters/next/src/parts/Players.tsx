"use client";
// Players.tsx - for pages that have films of other sites: a click puts the player there; before, nobody is asked.
import { useEffect } from "react";

let isStarted = false;

export function Players() {
	useEffect(() => {
		if (isStarted) return;
		isStarted = true;
		void import("@stet/model/browser").then((browser) => browser.startPlayers());
	}, []);
	return null;
}
