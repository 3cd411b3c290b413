"use strict";
// Finds entries of the index that full_text.py makes. It needs no page, so tests run it in node.

const KINDS = { Guide: 1.6, Lesson: 1.2, Reference: 0.6 };
const MISSING = 0.3; // for each word of the query that an entry does not have
const WEIGHTS = [1, 1.4, 1.8, 4]; // of the weights in the index; the last one is for titles

// The part of a word that its forms share: bounces, bounced and bouncing give bounc.
function stemOf(word) {
    const stem = word.replace(/(ies|ied|y)$/, "i").replace(/(?<=...)(ings?|ers?|ed|es|s|e)$/, "");
    return stem.replace(/([b-df-hj-np-rt-z])\1$/, "$1"); // running: run
}

class Finder {
    constructor(index) {
        this.index = index;
        this.names = index.entries.map(([name]) => name.toLowerCase().replaceAll("_", ""));
        this.stems = new Map(); // stem: words of the index
        for (const word of Object.keys(index.words)) {
            const stem = stemOf(word);
            if (!this.stems.has(stem)) this.stems.set(stem, []);
            this.stems.get(stem).push(word);
        }
    }

    // The words of the index for a word, with a factor for how well they match.
    *matches(word) {
        const stem = stemOf(word);
        for (const found of this.stems.get(stem) ?? []) yield [found, found === word ? 1 : 0.9];
        if (word.length < 3) return;
        for (const found of Object.keys(this.index.words))
            if (found.startsWith(word) && stemOf(found) !== stem) yield [found, 0.5];
    }

    // Raises the scores of the entries that have a word, for one term of the query.
    addWord(scores, word, factor) {
        const { entries, words } = this.index;
        for (const [found, fit] of this.matches(word)) {
            const places = words[found], rarity = Math.log(1 + entries.length / places.length);
            let entry = 0;
            for (const place of places) {
                entry += place >> 2;
                const score = factor * fit * rarity * WEIGHTS[place & 3];
                if (!(scores.get(entry) >= score)) scores.set(entry, score);
            }
        }
    }

    // Raises the scores of the entries whose name has the word: castRay finds cn_world_cast_ray.
    addName(scores, word) {
        if (word.length < 3) return;
        this.names.forEach((name, entry) => {
            const isLong = word.length > 5 && name.includes(word);
            const score = isLong ? 20 : name === "cn" + word ? 15 : 0;
            if (score > (scores.get(entry) ?? 0)) scores.set(entry, score);
        });
    }

    // The query as terms: lists of words that mean the same. The first is what was typed.
    terms(query) {
        const { synonyms, stop } = this.index, terms = [];
        const meant = phrase => synonyms[phrase] ?? synonyms[phrase.replace(/s$/, "")];
        const all = query.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean);
        const telling = all.filter(word => !stop.includes(word));
        const words = telling.length ? telling : all;
        for (let i = 0; i < words.length;) {
            let count = Math.min(4, words.length - i);
            while (count > 1 && !meant(words.slice(i, i + count).join(" "))) count--;
            const phrase = words.slice(i, i + count).join(" ");
            terms.push([phrase.replaceAll(" ", ""), ...(meant(phrase) ?? [])]);
            i += count;
        }
        return terms;
    }

    // The best entries for what was typed.
    find(query, limit = 12) {
        const sums = new Map(), found = new Map(), terms = this.terms(query);
        const whole = query.toLowerCase().replace(/[^a-z0-9]/g, "");
        const isName = entry => whole.startsWith("cn") && this.names[entry] === whole;
        for (const [typed, ...meant] of terms) {
            const scores = new Map();
            for (const word of [typed, ...meant]) this.addWord(scores, word, 1);
            this.addName(scores, typed);
            for (const [entry, score] of scores) {
                sums.set(entry, (sums.get(entry) ?? 0) + score);
                found.set(entry, (found.get(entry) ?? 0) + 1);
            }
        }
        const weigh = ([entry, sum]) => [
            this.weigh(entry, sum) * MISSING ** (terms.length - found.get(entry)) +
            (isName(entry) ? 1000 : 0), this.index.entries[entry]];
        const sorted = [...sums].map(weigh).sort((a, b) => b[0] - a[0]).slice(0, limit);
        return sorted.filter(([score]) => score > sorted[0][0] / 8).map(([, entry]) => entry);
    }

    // Guides come before names of the API, whole pages before their parts, and short titles before
    // long ones.
    weigh(entry, sum) {
        const [name, address, kind] = this.index.entries[entry];
        return sum * (KINDS[kind] ?? 1) * (address.includes("#") ? 1 : 1.1) - name.length / 50;
    }
}
