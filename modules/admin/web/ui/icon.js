// icon.js - one-colour pictures of style/look.css: menu more find plus link list image undo redo up down folder key.
// They are hidden from screen readers: the control has a label.
import { html } from "../lib/html.js";

/** @param {{name: string}} props */
export const Icon = ({ name }) => html`<i class=${`i i-${name}`} aria-hidden="true"></i>`;
