import { isDeepStrictEqual } from 'node:util';
import { forbiddenField, invalidValue } from '../../../kube-api/field-error.ts';
import type { FieldError } from '../../../kube-api/resource.ts';

/** Rules that Secrets and ConfigMaps share (k8s.io/kubernetes pkg/apis/core/validation). */

const KEY = /^[-._a-zA-Z0-9]+$/;
const MAX_BYTES = 1024 * 1024;

const faultOfKey = (key: string): string | undefined => {
  if (key.length > 253) return 'must be no more than 253 characters';
  if (key === '.' || key === '..') return `must not be '${key}'`;
  if (key.startsWith('..')) return "must not start with '..'";
  if (KEY.test(key)) return undefined;
  return "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
};

export const validateKeys = (data: Record<string, string> = {}, field: string): FieldError[] =>
  Object.keys(data).flatMap((key) => {
    const detail = faultOfKey(key);
    return detail ? [invalidValue(`${field}[${key}]`, key, detail)] : [];
  });

/** The decoded size of base64 text. */
export const decodedBytes = (text: string): number => Buffer.byteLength(text, 'base64');

/** `size`: the total size of all values, in bytes. */
export const validateSize = (size: number, field: string): FieldError[] =>
  size > MAX_BYTES ? [{ type: 'FieldValueTooLong', field, detail: `may not be more than ${MAX_BYTES} bytes` }] : [];

/** An object with `immutable: true` must not change, and remains immutable; `fields` are those with its content. */
export const validateImmutable = <T extends { immutable?: boolean }>(
  next: T,
  old: T | undefined,
  fields: readonly (keyof T & string)[],
): FieldError[] => {
  if (!old?.immutable) return [];
  const detail = 'field is immutable when `immutable` is set';
  const changed = fields.filter((field) => !isDeepStrictEqual(next[field] ?? {}, old[field] ?? {}));
  return [...(next.immutable ? [] : ['immutable']), ...changed].map((field) => forbiddenField(field, detail));
};
