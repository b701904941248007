import { TransientError } from '../../shared/errors.ts';
import { kinds, type Machine } from '../../shared/kinds/index.ts';
import type { ObjectClient } from '../../shared/kube-api/client.ts';

/** The contents of a machine's data secret; `format` is `cloud-config` if absent. */
export interface StoredBootstrapData {
  body: string;
  format: string;
}

const decode = (text: string): string => Buffer.from(text, 'base64').toString('utf8');

/** Reads the secret named for a machine, be it ours or the user's. */
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
