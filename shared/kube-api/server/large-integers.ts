import { visit } from 'jsonc-parser';
import { isObject, memberPath } from '../json.ts';
import { badRequest } from '../status-error.ts';
import { fieldOf } from './duplicate-keys.ts';

/**
 * Integers beyond 2^53, which JavaScript rounds. Such a number is refused unless its text does not change, as is the
 * case for numbers that were rounded before.
 */

const LARGE_DECIMAL = /\d{16}/;

/** YAML also has hexadecimal integers. */
const LARGE_IN_YAML = /[\da-f]{14}/i;

export const mayHoldLarge = (yaml: string): boolean => LARGE_IN_YAML.test(yaml);

const isRounded = (integer: string): boolean => String(Number(integer)) !== integer;

const refusal = (path: string): Error =>
  badRequest(
    `the integer in ${JSON.stringify(path)} would be rounded: integers up to ${Number.MAX_SAFE_INTEGER} are supported`,
  );

/** Throws a StatusError 400 for an integer of a JSON text that would be rounded. */
export const refuseRounded = (text: string): void => {
  if (!LARGE_DECIMAL.test(text)) return;
  visit(text, {
    onLiteralValue: (value, offset, length, _line, _character, pathOf) => {
      const literal = text.slice(offset, offset + length);
      if (typeof value !== 'number' || !/^-?\d{16,}$/.test(literal)) return;
      if (isRounded(literal)) throw refusal(fieldOf(pathOf()));
    },
  });
};

/** The value with numbers instead of bigints. Throws a StatusError 400 for an integer that would be rounded. */
export const withNumbers = (value: unknown, path = ''): unknown => {
  if (typeof value === 'bigint') {
    if (isRounded(String(value))) throw refusal(path);
    return Number(value);
  }
  if (Array.isArray(value)) return value.map((item, index) => withNumbers(item, `${path}[${index}]`));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withNumbers(item, memberPath(path, key))]),
  );
};
