/** Fields that are in the schema but have no effect in this version: without a warning, users would expect one. */
export type Unsupported<T> = Readonly<Record<string, (spec: T) => unknown>>;

/** `false`, empty text and empty lists count as absent. */
export const isSet = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== false && value !== '';
};

/** One sentence for each of the fields that is set; `false`, empty text and empty lists count as absent. */
export const warnUnsupported = <T>(fields: Unsupported<T>, spec: T, prefix = 'spec'): string[] =>
  Object.entries(fields)
    .filter(([, read]) => isSet(read(spec)))
    .map(([field]) => `${prefix}.${field}: not reconciled yet`);
