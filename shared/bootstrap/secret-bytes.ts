import { Buffer } from 'node:buffer';
import { BootstrapInvalidError } from './invalid.ts';
import type { BootFile } from './machine-setup.ts';

/** The fields of a file about the form of its content. */
type Encoded = Pick<BootFile, 'encoding'> & { contentFormat?: string };

const isText = (value: Buffer): boolean => Buffer.from(value.toString('utf8'), 'utf8').equals(value);

/**
 * A file with the bytes of a Secret. Bytes that are not UTF-8 are encoded, because the document is text. Throws
 * BootstrapInvalidError if such bytes are declared as a template or as base64.
 */
export const withSecretBytes = <File extends Encoded>(file: File, bytes: Uint8Array, index: number) => {
  const value = Buffer.from(bytes);
  if (isText(value)) return { ...file, content: value.toString('utf8') };
  const content = value.toString('base64');
  if (file.contentFormat === 'Template')
    throw new BootstrapInvalidError(
      `spec.files[${index}].contentFormat`,
      'must not be Template: the secret is not UTF-8 text',
    );
  if (file.encoding === undefined) return { ...file, encoding: 'base64' as const, content };
  if (file.encoding === 'gzip') return { ...file, encoding: 'gzip+base64' as const, content };
  throw new BootstrapInvalidError(
    `spec.files[${index}].encoding`,
    `must not be ${file.encoding}: the secret holds bytes that are not base64`,
  );
};
