import type { V1Node } from '@kubernetes/client-node';
import { fromSecret, secretName } from '../../../shared/bootstrap/certificates/secrets.ts';
import { isTokenOfMachine, machineToken, tokenSecretName, tokenSeed } from '../../../shared/bootstrap/tokens.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import { hasJoined } from '../../../shared/plan/machines/joined.ts';
import { findNode } from '../../../shared/plan/machines/node.ts';
import type { WorkloadClient } from '../../../shared/workload/client.ts';
import type { ClusterSnapshot } from '../snapshot.ts';
import type { ProbeDependencies } from './dependencies.ts';

/** A bootstrap token of a workload cluster, as WorkloadClient lists it. */
export type BootstrapToken = Awaited<ReturnType<WorkloadClient['bootstrapTokens']>>[number];

/**
 * Revokes the bootstrap tokens of machines that have joined, are in deletion, or no longer exist: the first control
 * plane machine creates tokens for all machines that existed when it was launched. A machine that loses its token in a
 * race before it has joined gets it again the next time its node is looked up.
 */
export const revokeTokens = async (
  { objects, clock }: Pick<ProbeDependencies, 'objects' | 'clock'>,
  client: Pick<WorkloadClient, 'deleteBootstrapToken'>,
  { cluster, machines }: ClusterSnapshot,
  { nodes, all }: { nodes: readonly V1Node[]; all: readonly BootstrapToken[] },
): Promise<void> => {
  const tokens = all.filter(({ description }) => isTokenOfMachine(description));
  if (tokens.length === 0) return;
  const { namespace = '', name } = cluster.metadata;
  const secret = await objects.get(kinds.secret, { namespace, name: secretName(name, 'ca') });
  if (!secret) return;
  const seed = tokenSeed(fromSecret(secret, { purpose: 'ca', now: clock.now() }).privateKeyPem);
  const joining = machines.filter(
    (machine) => !machine.metadata.deletionTimestamp && !hasJoined(machine, findNode(nodes, machine.spec.providerID)),
  );
  const kept = new Set(joining.map(({ metadata }) => tokenSecretName(machineToken(seed, metadata.uid ?? ''))));
  const revoked = tokens.filter((token) => !kept.has(token.name));
  await Promise.all(revoked.map((token) => client.deleteBootstrapToken(token.name)));
};
