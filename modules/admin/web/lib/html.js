// html.js - markup in JavaScript: html`<p>${text}</p>`. Values become text or properties, never markup.
import { h } from "preact";
import htm from "htm";

export const html = htm.bind(h);
