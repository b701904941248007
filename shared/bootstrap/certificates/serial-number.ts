import { Buffer } from 'node:buffer';
import type { Random } from '../../random.ts';

/**
 * A positive serial number of 63 bits, in hexadecimal. The second highest bit is always set, so that it is never 0,
 * which RFC 5280 forbids. Cluster API still gives its CAs the serial number 0; nothing in Kubernetes reads it.
 */
export const serialNumber = (random: Random): string => {
  const bytes = random.bytes(8);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return Buffer.from(bytes).toString('hex');
};
