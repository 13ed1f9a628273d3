// words.js - the texts of old addresses.
import { addWords } from "../../../lib/words.js";
import en from "./en.json";

export const t = addWords("addresses", en);
