import { Buffer } from 'node:buffer';
import { gzipSync } from 'node:zlib';
import type { Resource } from './config.ts';

/** Characters that encodeURIComponent does not encode, but that have a meaning in URLs or in shells. */
const ESCAPED_AS_WELL = /[!'()*~]/g;

const percentEncoded = (text: string): string =>
  encodeURIComponent(text)
    .replaceAll('%2F', '/')
    .replaceAll('%3A', ':')
    .replace(ESCAPED_AS_WELL, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

const isText = (bytes: Buffer): boolean => Buffer.from(bytes.toString('utf8'), 'utf8').equals(bytes);

/** Compressed content is unreadable, so it must be considerably shorter. */
const WORTH = 0.75;

/**
 * The content of a file as a `data:` URL: as text, or compressed if that is much shorter. User data is limited to 16
 * KiB, and a control plane machine needs eight certificates and keys and two scripts.
 */
export const dataResource = (content: string | Buffer): Resource => {
  const bytes = Buffer.from(content);
  const packed: Resource = {
    source: `data:;base64,${gzipSync(bytes, { level: 9 }).toString('base64')}`,
    compression: 'gzip',
  };
  const plain = isText(bytes)
    ? `data:,${percentEncoded(bytes.toString('utf8'))}`
    : `data:;base64,${bytes.toString('base64')}`;
  return packed.source.length < WORTH * plain.length ? packed : { source: plain };
};
