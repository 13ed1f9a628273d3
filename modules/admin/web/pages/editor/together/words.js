// words.js - the texts of notes, reviews and presence.
import { addWords } from "../../../lib/words.js";
import en from "./en.json";

export const t = addWords("together", en);
