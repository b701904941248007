import { Buffer } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import type { Resource } from './config.ts';

const DATA_URL = /^data:([^,]*),(.*)$/s;

/** The content of a `data:` URL; undefined for a URL that must be fetched. Throws if the content is damaged. */
export const dataOf = ({ source, compression }: Pick<Resource, 'source' | 'compression'>): Buffer | undefined => {
  const [, kind = '', data = ''] = DATA_URL.exec(source) ?? [];
  if (!DATA_URL.test(source)) return undefined;
  const bytes = kind.endsWith(';base64') ? Buffer.from(data, 'base64') : Buffer.from(decodeURIComponent(data), 'utf8');
  return compression === 'gzip' ? gunzipSync(bytes) : bytes;
};
