import { RE2JS } from 're2js';

/** The cache holds the most recently used patterns, because users write them. */
const MOST_PATTERNS = 500;
const patterns = new Map<string, RE2JS>();

/** The time that RE2 takes for one state of a pattern, in visits of characters. */
const STEPS_PER_STATE = 4;
const STEPS_TO_COMPILE = 1000;

/**
 * A tenant's regular expression. RE2 matches in linear time; JavaScript's own engine could keep a function busy for
 * minutes. Throws RE2's error for an invalid pattern.
 */
export const recentPattern = (pattern: string): RE2JS => {
  const known = patterns.get(pattern) ?? RE2JS.compile(pattern);
  patterns.delete(pattern);
  patterns.set(pattern, known);
  const [oldest] = patterns.keys();
  if (patterns.size > MOST_PATTERNS && oldest !== undefined) patterns.delete(oldest);
  return known;
};

/**
 * The steps of matching a text of this length: RE2 visits each state of the pattern for each character in the worst
 * case. Throws RE2's error for an invalid pattern.
 */
export const matchSteps = (pattern: string, length: number): number => {
  const compiling = patterns.has(pattern) ? 0 : STEPS_TO_COMPILE;
  return pattern.length + recentPattern(pattern).programSize() * (length * STEPS_PER_STATE + compiling);
};
