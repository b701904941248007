import { gunzipSync } from 'node:zlib';
import { BootstrapInvalidError } from './invalid.ts';

/** Far more than a Secret holds, so that a small one cannot fill the memory. */
const MAX_UNPACKED_BYTES = 16 * 1024 * 1024;

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/**
 * Bootstrap data without the compression of their Secret, which cloud-init removes, too, once. Throws
 * BootstrapInvalidError if it cannot be removed.
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
