import type { Secret } from './schema.ts';

const encode = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** Sets the type, and merges `stringData` into `data`, where it takes precedence; `stringData` is never stored. */
export const defaultSecret = ({ stringData, ...secret }: Secret): Secret => {
  const type = secret.type || 'Opaque';
  if (!stringData) return { ...secret, type };
  const added = Object.fromEntries(Object.entries(stringData).map(([key, text]) => [key, encode(text)]));
  return { ...secret, type, data: { ...secret.data, ...added } };
};
