const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

const escaped = (character: string): string => {
  const short = SHORT[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${hex(code, 2)}`;
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
};

/** Text in quotation marks as Go writes it: invisible characters are escaped, in other forms than in JSON. */
export const quote = (text: string): string => `"${text.replace(/["\\]|(?! )[\p{C}\p{Z}]/gu, escaped)}"`;
