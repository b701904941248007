import { TransientError } from '../../shared/errors.ts';
import { kinds, type Machine } from '../../shared/kinds/index.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';

/** The contents of a machine's data secret; `format` is `cloud-config` if absent. */
export interface StoredBootstrapData {
  /** The bytes in the Secret, unchanged: users may compress them, and cloud-init accepts formats that are not text. */
  body: Uint8Array;
  format: string;
}

const decode = (text: string): Buffer => Buffer.from(text, 'base64');

/** Reads the Secret that a machine names, whether it was created by Windlass or by the user. */
export const readStoredData = async (
  objects: ObjectClient,
  { metadata, spec }: Machine,
): Promise<StoredBootstrapData> => {
  const name = spec.bootstrap.dataSecretName ?? '';
  const secret = name ? await objects.get(kinds.secret, { namespace: metadata.namespace ?? '', name }) : undefined;
  const { value, format } = secret?.data ?? {};
  if (!value) throw new TransientError(`the bootstrap data Secret ${name} does not exist yet`);
  return { body: decode(value), format: format ? decode(format).toString('utf8') : 'cloud-config' };
};
