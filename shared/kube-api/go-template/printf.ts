import { TemplateError } from './scan.ts';
import { printed, type Value } from './values.ts';

/** `%-10.5s`: flag, width, precision, verb. Only strings have a precision, and only integers a leading zero. */
const VERB = /%(?:%|(-?)([1-9]\d*)?(\.\d*)?([svq])|([-0]?)([1-9]\d*)?d)/g;

interface Verb {
  flag: string;
  width: number;
  precision?: number;
  verb: string;
}

const verbOf = ([, flag, width, precision, verb, flagOfInteger, widthOfInteger]: RegExpMatchArray): Verb =>
  verb === undefined
    ? { flag: flagOfInteger ?? '', width: Number(widthOfInteger ?? 0), verb: 'd' }
    : {
        flag: flag ?? '',
        width: Number(width ?? 0),
        ...(precision === undefined ? {} : { precision: Number(precision.slice(1)) }),
        verb,
      };

const textOf = ({ verb, precision }: Verb, value: Value): string => {
  if (verb === 'd') {
    if (typeof value !== 'bigint') throw new TemplateError('prints a value that is not an integer with %d; use %v');
    return String(value);
  }
  if (typeof value !== 'string') {
    if (verb !== 'v') throw new TemplateError(`prints a value that is not text with %${verb}; use %v`);
    if (precision !== undefined) throw new TemplateError('prints a value that is not text with a precision');
    return printed(value);
  }
  const cut = precision === undefined ? value : [...value].slice(0, precision).join('');
  return verb === 'q' ? JSON.stringify(cut) : cut;
};

const padded = (text: string, { flag, width }: Verb): string => {
  const missing = Math.max(0, width - [...text].length);
  if (flag === '-') return text + ' '.repeat(missing);
  if (flag === '') return ' '.repeat(missing) + text;
  const [, sign = '', digits = ''] = /^(-?)(.*)$/.exec(text) ?? [];
  return sign + '0'.repeat(missing) + digits;
};

/** The limit for the sum of all widths; larger ones would only take up memory. */
const MOST_WIDTH = 1000;

/** Go's `printf` with the verbs %s, %d, %q and %v, with widths and, for strings, precisions. Throws TemplateError. */
export const printf = (format: Value, values: readonly Value[]): string => {
  if (typeof format !== 'string') throw new TemplateError('calls printf without a format');
  const found = [...format.matchAll(VERB)].filter(([whole]) => whole !== '%%');
  const isKnown = !format.replaceAll(VERB, '').includes('%') && found.length === values.length;
  if (!isKnown || found.reduce((sum, it) => sum + verbOf(it).width, 0) > MOST_WIDTH) {
    throw new TemplateError(
      'calls printf with a format that is not supported here; use one %s, %d, %q or %v for each value',
    );
  }
  const left = [...values];
  return format.replaceAll(VERB, (...match) => {
    if (match[0] === '%%') return '%';
    const verb = verbOf(match as unknown as RegExpMatchArray);
    return padded(textOf(verb, left.shift()), verb);
  });
};
