import { fromSecret, secretName } from '../../../shared/bootstrap/certificates/secrets.ts';
import {
  bootstrapTokenSecret,
  machineToken,
  TOKEN_TTL_SECONDS,
  tokenDescription,
  tokenSeed,
} from '../../../shared/bootstrap/tokens.ts';
import { kinds, type Machine } from '../../../shared/kinds/index.ts';
import type { MachineRef } from '../../../shared/work/payloads.ts';
import type { WorkloadClient } from '../../../shared/workload/client.ts';
import type { NodeDependencies } from './dependencies.ts';

/** A token that expires within this time is renewed for its full validity: kubeadm must have time to use it. */
const REFRESH_SECONDS = 5 * 60;

/**
 * Keeps the bootstrap token of a machine valid in the workload cluster until its node has joined; after that, a pass
 * revokes it. The token is the one in the machine's user data, because it is derived from the machine's uid. It is
 * valid beyond the `restSeconds` until the next check.
 */
export const keepToken = async (
  { objects, clock }: Pick<NodeDependencies, 'objects' | 'clock'>,
  client: WorkloadClient,
  ref: MachineRef,
  machine: Machine,
  restSeconds: number,
): Promise<void> => {
  const name = secretName(ref.clusterName, 'ca');
  const secret = await objects.get(kinds.secret, { namespace: ref.namespace, name });
  if (!secret || !machine.spec.bootstrap.configRef) return;
  const ca = fromSecret(secret, { purpose: 'ca', now: clock.now() });
  const token = machineToken(tokenSeed(ca.privateKeyPem), ref.uid);
  const now = clock.now().getTime();
  const wanted = bootstrapTokenSecret(token, {
    expiration: new Date(now + (restSeconds + TOKEN_TTL_SECONDS) * 1000),
    description: tokenDescription(machine.metadata.name),
  });
  const expiry = await client.bootstrapTokenExpiry(wanted.metadata.name);
  if (expiry && expiry.getTime() - now > (restSeconds + REFRESH_SECONDS) * 1000) return;
  await client.putBootstrapToken(wanted);
};
