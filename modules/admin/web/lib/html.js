// html.js - markup in JavaScript: html`<p>${text}</p>`. Values are inserted as text or properties, never as markup.
import { h } from "preact";
import htm from "htm";

export const html = htm.bind(h);
