/** The parts of a workload cluster's responses that are kept. Its server may be hostile, so everything has a limit. */
import * as z from 'zod';
import { isObject } from '../kube-api/json.ts';

/** Kubernetes' own limits are 253 characters for a name, 63 for a label's value, and 256 KiB for all annotations. */
const MAX_NAME = 512;
const MAX_ANNOTATIONS = 256 * 1024;
const MAX_MESSAGE = 2048;
/** The limit for a list within an object, and for its labels and annotations. */
const MAX_ENTRIES = 500;

export const name = z.string().max(MAX_NAME);

/** A substring keeps the complete text in memory unless it is copied. */
const cut = (text: string): string =>
  text.length <= MAX_MESSAGE ? text : Buffer.from(text.slice(0, MAX_MESSAGE)).toString();

export const message = z.string().transform(cut);

/** The length is checked first, because reading 600,000 items takes seconds. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z
    .any()
    .refine((value) => !Array.isArray(value) || value.length <= MAX_ENTRIES)
    .pipe(z.array(item));

/** Texts by names. They are checked without zod's record, which takes ten times as long. */
const texts = (isSmall: (entries: readonly [string, string][]) => boolean) =>
  z.custom<Record<string, string>>((value) => {
    if (!isObject(value)) return false;
    const entries = Object.entries(value);
    if (entries.length > MAX_ENTRIES) return false;
    return (
      entries.every(([key, text]) => key.length <= MAX_NAME && typeof text === 'string') &&
      isSmall(entries as [string, string][])
    );
  });

export const labels = texts((entries) => entries.every(([, text]) => text.length <= MAX_NAME));
export const annotations = texts(
  (entries) => entries.reduce((sum, [key, text]) => sum + key.length + text.length, 0) <= MAX_ANNOTATIONS,
);

/**
 * The approximate memory that V8 needs for an object or a list, for each entry, and for a text in addition to its
 * characters.
 */
const BYTES = { object: 64, entry: 64, text: 24 };

const bytesOfText = (text: string): number => BYTES.text + Buffer.byteLength(text);

/** The estimated memory of a value. */
export const bytesHeld = (value: unknown): number => {
  // Without recursion, because the server may send a deeply nested value.
  const open = [value];
  let bytes = 0;
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') bytes += bytesOfText(next);
    if (typeof next !== 'object' || next === null) continue;
    const entries = Object.entries(next);
    bytes += BYTES.object + entries.length * BYTES.entry;
    for (const [key, part] of entries) {
      if (!Array.isArray(next)) bytes += bytesOfText(key);
      open.push(part);
    }
  }
  return bytes;
};
