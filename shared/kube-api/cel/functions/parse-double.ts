const UNREAL: Readonly<Record<string, number>> = {
  inf: Number.POSITIVE_INFINITY,
  infinity: Number.POSITIVE_INFINITY,
  nan: Number.NaN,
};

/** Parses a double as Go's strconv.ParseFloat does; undefined if the string is not one. */
export const parseDouble = (text: string): number | undefined => {
  const [, sign = '', rest = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  const word = rest.toLowerCase();
  if (Object.hasOwn(UNREAL, word)) {
    if (word === 'nan' && sign !== '') return undefined;
    return sign === '-' ? -(UNREAL[word] ?? 0) : UNREAL[word];
  }
  // Go accepts an underscore between two digits.
  const plain = rest.replace(/(?<=\d)_(?=\d)/g, '');
  if (!/^(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(plain)) return undefined;
  const value = Number(`${sign}${plain}`);
  return Number.isFinite(value) ? value : undefined;
};
