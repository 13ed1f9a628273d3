// words.js - the texts of requests for review, on their page and on the start page.
import { addWords } from "../../lib/words.js";
import en from "./en.json";

export const t = addWords("reviews", en);
