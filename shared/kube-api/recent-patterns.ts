import { RE2JS } from 're2js';

/** The cache holds the most recently used patterns, because users write them. */
const MOST_PATTERNS = 500;
const patterns = new Map<string, RE2JS>();

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
