import { isDeepStrictEqual } from 'node:util';
import type { Comparable } from './comparable.ts';
import type { Question } from './judge.ts';

interface KnownDifference {
  /** Why it is accepted. */
  reason: string;
  /** Titles of the questions. */
  title?: RegExp;
  /** Possible differences in the texts of faults. */
  text?: RegExp;
  /** Upstream's text if the difference is deliberate. */
  upstream?: RegExp;
  /** Whether the rule may hold in Windlass. */
  mayHold?: boolean;
}

const KNOWN: readonly KnownDifference[] = [
  {
    reason:
      'The grammar that upstream generates its parser from decides what a syntax error says, and how many there are.',
    text: /: compilation failed: ERROR: <input>:\d+:\d+: (?:Syntax error:|unable to unescape string|invalid unicode).*$/s,
  },
  {
    reason: 'An address that cannot be read has one reason here; Go names the letter at which it stopped.',
    text: /(?<=(?:ParseAddr|ParsePrefix)\(\\?"[^"]*"\): ).*?(?= evaluating rule)/,
  },
  {
    reason: 'Upstream counts members that no schema describes; they are not looked at here.',
    title: /self\.any == self\.any/,
  },
  {
    reason: 'Messages of protobuf cannot be made: no value of a variable is one.',
    title: /google\.protobuf\.\w+\{/,
  },
  {
    reason: 'Upstream counts the cost of a list that an error stands for, and fails with an internal error instead.',
    upstream: /internal error: interface conversion/,
  },
  {
    reason: 'The same where another element decides: an error in one does not matter for "all" and "exists" then.',
    title: /\.(?:all|exists)\(/,
    upstream: /internal error: interface conversion/,
    mayHold: true,
  },
  {
    reason:
      'How a function was resolved decides whether cel-go names it, and the types of its arguments, where none fits.',
    text: /(?<='no such overload)[^']*(?=': call arguments)/,
  },
  {
    reason: 'Go names its own type of what is no index.',
    upstream: /invalid qualifier type/,
  },
  {
    reason: 'Upstream cannot judge rules of a variable that is a list itself, and refuses them with an internal error.',
    title: /a variable that is a list/,
  },
  {
    reason: 'Upstream admits rules about the metadata that objects of the API have, and then refuses each value.',
    title: /metadata of a variable/,
  },
  {
    reason: 'Windlass checks names of objects with these words everywhere.',
    text: /must be no more than 253 (?:bytes|characters)/,
  },
];

const without = (texts: readonly string[], { text }: KnownDifference): string[] =>
  text ? texts.map((line) => line.replace(text, '')) : [...texts];

const isExplained = (known: KnownDifference, title: string, upstream: Comparable, ours: Comparable): boolean => {
  if (known.title && !known.title.test(title)) return false;
  if (known.upstream) {
    const isUpstreams = upstream.cluster.some((line) => known.upstream?.test(line));
    return isUpstreams && (known.mayHold === true || ours.cluster.length > 0);
  }
  if (known.title) return true;
  const reduced = [upstream, ours].map((verdict) => ({
    ...verdict,
    class: without(verdict.class, known),
    cluster: without(verdict.cluster, known),
  }));
  return isDeepStrictEqual(reduced[0], reduced[1]);
};

/** Whether a known difference explains that the answers differ. */
export const isKnown = ({ title }: Question, upstream: Comparable, ours: Comparable): boolean =>
  KNOWN.some((known) => isExplained(known, title, upstream, ours));
