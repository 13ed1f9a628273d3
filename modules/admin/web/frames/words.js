// words.js - the texts of plugins' frames.
import { addWords } from "../lib/words.js";
import en from "./en.json";

export const t = addWords("frames", en);
