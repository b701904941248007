import { Buffer } from 'node:buffer';
import { type BootstrapData, type BootstrapReader, renderBootstrapData } from '../../bootstrap/bootstrap-data.ts';
import type { BootstrapInput } from '../../bootstrap/kubeadm/input.ts';

/**
 * The bootstrap data with as many tokens of other machines as fit, unless other parts make the data too long. Throws
 * like renderBootstrapData.
 */
export const renderWithin = (
  maxBytes: number | undefined,
  input: BootstrapInput,
  reader: BootstrapReader,
): BootstrapData => {
  const data = renderBootstrapData(input, reader);
  if (input.role !== 'init' || maxBytes === undefined || input.tokens.length === 0) return data;
  if (Buffer.byteLength(data.body, 'utf8') <= maxBytes) return data;
  const tokens = input.tokens.slice(0, Math.floor(input.tokens.length / 2));
  return renderWithin(maxBytes, { ...input, tokens }, reader);
};
