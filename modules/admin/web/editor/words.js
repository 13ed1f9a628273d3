// words.js - the texts of the editor.
import { addWords } from "../lib/words.js";
import en from "./en.json";

export const t = addWords("editor", en);
