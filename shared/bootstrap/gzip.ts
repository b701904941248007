import { gunzipSync } from 'node:zlib';
import { BootstrapInvalidError } from './invalid.ts';

/** Much larger than any Secret, but small enough that a short compressed text cannot fill the memory. */
const MAX_UNPACKED_BYTES = 16 * 1024 * 1024;

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/**
 * Bootstrap data without the compression in their Secret. cloud-init also decompresses once. Throws
 * BootstrapInvalidError if they cannot be decompressed.
 */
export const unpacked = (body: Uint8Array): Uint8Array => {
  if (!isGzip(body)) return body;
  try {
    return gunzipSync(body, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch {
    throw new BootstrapInvalidError(
      'spec.bootstrap.dataSecretName',
      `names a Secret whose value is damaged gzip, or has more than ${MAX_UNPACKED_BYTES} bytes without it`,
    );
  }
};
