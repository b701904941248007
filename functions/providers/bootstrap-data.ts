import { TransientError } from '../../shared/errors.ts';
import { kinds, type Machine } from '../../shared/kinds/index.ts';
import type { ObjectClient } from '../../shared/kube-api/client.ts';

/** What a machine's data secret holds; `format` is `cloud-config` where it does not say. */
export interface StoredBootstrapData {
  body: string;
  format: string;
}

const decode = (text: string): string => Buffer.from(text, 'base64').toString('utf8');

/** Reads the secret that a machine is told with, be it ours or a user's. */
export const readStoredData = async (
  objects: ObjectClient,
  { metadata, spec }: Machine,
): Promise<StoredBootstrapData> => {
  const name = spec.bootstrap.dataSecretName ?? '';
  const secret = name ? await objects.get(kinds.secret, { namespace: metadata.namespace ?? '', name }) : undefined;
  const { value, format } = secret?.data ?? {};
  if (!value) throw new TransientError(`the bootstrap data Secret ${name} does not exist yet`);
  return { body: decode(value), format: format ? decode(format) : 'cloud-config' };
};
