import { type KnownDifference, MESSAGE, text } from './known-difference.ts';

/** Differences in how URLs are read. */
export const URL_DIFFERENCES: readonly KnownDifference[] = [
  {
    here: 'Bytes of a URL that are not UTF-8 are shown as U+FFFD',
    upstream: 'Unchanged, such as `\\xff`',
    because: 'URLs are read as text',
    covers: ({ path, theirs, ours }) =>
      MESSAGE.test(path) && text(theirs).includes('\\xff') && text(theirs).replaceAll('\\xff', '\ufffd') === ours,
  },
  {
    here: 'A semicolon separates the parameters of a query, like `&`; a parameter with an invalid escape is read as it is',
    upstream: 'Such parameters are dropped',
    because: 'API Gateway splits there; a deletion that loses its selector would delete everything',
    covers: ({ where, path }) => path === 'code' && where.includes(': is requested with parameters that Go drops › '),
  },
  {
    here: '`/./` and `/../` in a path are resolved',
    upstream: 'They are names like all others, and lead nowhere',
    because: 'URLs are read as the URL standard describes, as most clients do themselves',
    covers: ({ where, path, ours }) =>
      path === 'code' && where.includes(': is requested with dots in the path › ') && /^(200|404)/.test(text(ours)),
  },
  {
    here: 'A NUL in a label selector is refused',
    upstream: 'The selector ends there',
    because: 'The rest would be silently lost, and a whole collection could be deleted',
    covers: ({ path, asked, theirs, ours }) =>
      path === 'code' && asked.includes('labelSelector=%00') && theirs === '200' && text(ours).startsWith('400 '),
  },
];
