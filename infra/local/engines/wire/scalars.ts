/** Scalars in query strings, XML, paths and headers: numbers, booleans, timestamps and blobs as text. */
import type { NormalizedSchema } from '@smithy/core/schema';
import { AwsFault } from './fault.ts';

const numberFrom = (schema: NormalizedSchema, text: string): number | bigint => {
  if (schema.isBigIntegerSchema()) return BigInt(text);
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value))
    throw new AwsFault(
      'InvalidParameterValue',
      `Invalid value '${text}' for ${schema.getMemberName()}: a number expected`,
    );
  return value;
};

const timestampFrom = (text: string): Date => {
  const seconds = Number(text);
  const date = Number.isNaN(seconds) ? new Date(text) : new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) throw new AwsFault('InvalidParameterValue', `Invalid timestamp '${text}'`);
  return date;
};

/** Text as the value that a handler expects. Throws an AwsFault that names the member when the text does not fit. */
export const scalarFrom = (schema: NormalizedSchema, text: string): unknown => {
  if (schema.isBooleanSchema()) return text.toLowerCase() === 'true';
  if (schema.isNumericSchema()) return numberFrom(schema, text);
  if (schema.isTimestampSchema()) return timestampFrom(text);
  if (schema.isBlobSchema()) return new Uint8Array(Buffer.from(text, 'base64'));
  return text;
};

/** A handler's value as text; timestamps as ISO 8601 with milliseconds, blobs as base64. */
export const scalarText = (value: unknown): string => {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return String(value);
};
