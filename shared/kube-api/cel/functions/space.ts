const ENDS =
  /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+|[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/g;

/** Trims leading and trailing white space, as Go defines it. */
export const trimSpace = (text: string): string => text.replace(ENDS, '');
