import { isDeepStrictEqual } from 'node:util';
import type { Comparable } from './comparable.ts';
import type { Question } from './judge.ts';

interface KnownDifference {
  /** Why the difference is accepted. */
  reason: string;
  /** The titles of the questions that it affects. */
  title?: RegExp;
  /** The part of the faults' texts that may differ. */
  text?: RegExp;
  /** A text of upstream's faults. If upstream reports it, it is enough that Windlass refuses the value as well. */
  upstream?: RegExp;
  /** Whether Windlass may even accept the value. */
  mayHold?: boolean;
}

const KNOWN: readonly KnownDifference[] = [
  {
    reason: 'The text and the number of syntax errors depend on the grammar that upstream generates its parser from.',
    text: /: compilation failed: ERROR: <input>:\d+:\d+: (?:Syntax error:|unable to unescape string|invalid unicode).*$/s,
  },
  {
    reason: 'Windlass gives one reason for all invalid addresses; Go names the character at which parsing stopped.',
    text: /(?<=(?:ParseAddr|ParsePrefix)\(\\?"[^"]*"\): ).*?(?= evaluating rule)/,
  },
  {
    reason: 'Upstream counts the cost of members that the schema does not describe; Windlass ignores them.',
    title: /self\.any == self\.any/,
  },
  {
    reason: 'Windlass does not support protobuf messages: no value of a variable is one.',
    title: /google\.protobuf\.\w+\{/,
  },
  {
    reason: 'When a list is an error, upstream fails with an internal error as it computes the cost of the list.',
    upstream: /internal error: interface conversion/,
  },
  {
    reason:
      'The same if another element decides the result of "all" or "exists", or the other operand that of "&&" or "||": the error then does not matter.',
    title: /\.(?:all|exists)\(|&&|\|\|/,
    upstream: /internal error: interface conversion/,
    mayHold: true,
  },
  {
    reason:
      'If no overload fits, it depends on how cel-go resolved the function whether it names the function and argument types.',
    text: /(?<='no such overload)[^']*(?=': call arguments)/,
  },
  {
    reason: 'For an invalid index, Go names its own type of the value.',
    upstream: /invalid qualifier type/,
  },
  {
    reason:
      'Upstream cannot evaluate rules of a variable that is itself a list, and refuses them with an internal error.',
    title: /a variable that is a list/,
  },
  {
    reason: 'Upstream admits rules about metadata that API objects have, and then refuses every value.',
    title: /metadata of a variable/,
  },
  {
    reason: 'Windlass uses this text for invalid object names everywhere.',
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

/** Whether a known difference explains why the answers differ. */
export const isKnown = ({ title }: Question, upstream: Comparable, ours: Comparable): boolean =>
  KNOWN.some((known) => isExplained(known, title, upstream, ours));
