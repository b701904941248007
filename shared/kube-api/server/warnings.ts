/**
 * Warnings as values of `Warning` headers, which kubectl prints. A response has as many as with an API server: if their
 * total length exceeds ALL, each is truncated, and those after ALL is reached are left out.
 */

/** The limit for the characters of all warnings, and for those of each if it is exceeded. */
const ALL = 4_096;
const LONGEST = 256;

/**
 * API Gateway accepts 10,240 bytes of headers, and from a streaming function 16 KB of metadata, in whose JSON every
 * quote and every backslash of a header is escaped again. Only many very short warnings, or many quotes, reach this
 * limit before ALL.
 */
const MOST_BYTES = 7_000;

/** Header values are Latin-1; anything else is shown as a question mark. */
const printable = (text: string): string => text.replace(/[^\u0020-\u007e\n]/g, '?');

/** RFC 7234: warn-text is a quoted string on one line. */
export const warningHeader = (text: string): string =>
  `299 - "${JSON.stringify(printable(text)).slice(1, -1).replace(/\\n/g, ' ')}"`;

/** The headers of an answer with these warnings. */
export const warningHeaders = (texts: readonly string[]): string[] => {
  const distinct = [...new Set(texts)].filter((text) => text !== '');
  const isCut = distinct.reduce((sum, { length }) => sum + length, 0) > ALL;
  const headers: string[] = [];
  let [characters, bytes] = [0, 0];
  for (const text of distinct) {
    if (characters >= ALL) break;
    const shown = isCut ? text.slice(0, LONGEST) : text;
    const header = warningHeader(shown);
    bytes += header.length + ', '.length;
    if (bytes > MOST_BYTES) break;
    characters += shown.length;
    headers.push(header);
  }
  return headers;
};
