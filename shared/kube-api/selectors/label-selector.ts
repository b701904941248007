import type { KubeObject } from '../object.ts';
import { badRequest, type StatusError } from '../status-error.ts';
import { type Token, type TokenKind, tokenize } from './label-tokens.ts';
import { type Operator, type Requirement, testOf, wrongKey, wrongValues } from './requirement.ts';

export type Match = (object: KubeObject) => boolean;

const OPERATORS: ReadonlyMap<TokenKind, Operator> = new Map([
  ['=', 'in'],
  ['==', 'in'],
  ['!=', 'notin'],
  ['in', 'in'],
  ['notin', 'notin'],
  ['>', '>'],
  ['<', '<'],
]);

/** Reads the remaining tokens. */
interface Reader {
  /** The next token, with `in` and `notin` as identifiers. */
  peek(): Token;
  next(): Token;
  /** Like `next`, but with `in` and `notin` as operators. */
  nextOperator(): Token;
}

const asWord = (token: Token): Token =>
  token.kind === 'in' || token.kind === 'notin' ? { ...token, kind: 'identifier' } : token;

const END: Token = { kind: 'end', text: '' };

const readerOf = (tokens: readonly Token[]): Reader => {
  let position = 0;
  const nextOperator = (): Token => {
    const token = tokens[position] ?? END;
    position += 1;
    return token;
  };
  return { peek: () => asWord(tokens[position] ?? END), next: () => asWord(nextOperator()), nextOperator };
};

const unexpected = ({ text }: Token, expected: string): StatusError => badRequest(`found '${text}'${expected}`);

/** Errors inside a requirement share this prefix; those between requirements do not. */
const inRequirement = (why: string): StatusError => badRequest(`unable to parse requirement: ${why}`);

const misplaced = ({ text }: Token, expected: string): StatusError => inRequirement(`found '${text}'${expected}`);

/** Parses a label selector (`a=b,c!=d,e in (f,g),h,!i,j>1`). Throws a StatusError 400 with upstream's message. */
export const parseLabelSelector = (selector: string): Match => {
  const tests = readSelector(readerOf(tokenize(selector))).map(testOf);
  return ({ metadata }) => tests.every((test) => test(metadata.labels ?? {}));
};

const beginsRequirement = ({ kind }: Token): boolean => kind === 'identifier' || kind === '!';

const readSelector = (reader: Reader): Requirement[] => {
  const requirements: Requirement[] = [];
  if (reader.peek().kind === 'end') return requirements;
  if (!beginsRequirement(reader.peek()))
    throw unexpected(reader.peek(), ", expected: !, identifier, or 'end of string'");
  for (;;) {
    requirements.push(readRequirement(reader));
    const separator = reader.next();
    if (separator.kind === 'end') return requirements;
    if (separator.kind !== ',') throw unexpected(separator, ", expected: ',' or 'end of string'");
    if (!beginsRequirement(reader.peek())) throw unexpected(reader.peek(), ", expected: identifier after ','");
  }
};

const readRequirement = (reader: Reader): Requirement => {
  const isNegated = reader.peek().kind === '!';
  if (isNegated) reader.next();
  const word = reader.next();
  if (word.kind !== 'identifier') throw misplaced(word, ', expected: identifier');
  const key = word.text;
  const wrong = wrongKey(key);
  if (wrong) throw inRequirement(wrong);
  if (isNegated) return { key, operator: 'missing', values: [] };
  if (isEndOfRequirement(reader.peek())) return { key, operator: 'exists', values: [] };
  return checked(readComparison(reader, key));
};

const isEndOfRequirement = ({ kind }: Token): boolean => kind === 'end' || kind === ',';

const readComparison = (reader: Reader, key: string): Requirement => {
  const token = reader.nextOperator();
  const operator = OPERATORS.get(token.kind);
  if (!operator) throw misplaced(token, ', expected: in, notin, =, ==, !=, gt, lt');
  const isSet = token.kind === 'in' || token.kind === 'notin';
  return { key, operator, values: isSet ? readSet(reader) : [readValue(reader)] };
};

const checked = (requirement: Requirement): Requirement => {
  const wrong = wrongValues(requirement);
  if (wrong) throw inRequirement(wrong);
  return requirement;
};

/** Parses the value of a comparison, which may be empty. */
const readValue = (reader: Reader): string => {
  if (isEndOfRequirement(reader.peek())) return '';
  const token = reader.next();
  if (token.kind !== 'identifier') throw misplaced(token, ', expected: identifier');
  return token.text;
};

/**
 * Parses values in parentheses, and returns them sorted and without duplicates. Values between separators may be empty.
 */
const readSet = (reader: Reader): string[] => {
  const open = reader.next();
  if (open.kind !== '(') throw misplaced(open, " expected: '('");
  if (reader.peek().kind === ')') {
    reader.next();
    return [];
  }
  if (reader.peek().kind !== 'identifier' && reader.peek().kind !== ',') {
    throw misplaced(reader.peek(), ", expected: ',', ')' or identifier");
  }
  const values = new Set<string>();
  for (;;) {
    values.add(reader.peek().kind === 'identifier' ? reader.next().text : '');
    const separator = reader.next();
    if (separator.kind === ')') return [...values].toSorted();
    if (separator.kind !== ',') throw misplaced(separator, ", expected: ',' or ')'");
  }
};
