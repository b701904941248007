import { fromSecret, secretName } from '../../../shared/bootstrap/certificates/secrets.ts';
import {
  bootstrapTokenSecret,
  machineToken,
  poolOfToken,
  poolTokenDescription,
  tokenSecretName,
  tokenSeed,
} from '../../../shared/bootstrap/tokens.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import type { WorkloadClient } from '../../../shared/workload/client.ts';
import { currentToken, type PoolObjects, readPools } from '../pools.ts';
import type { ClusterSnapshot } from '../snapshot.ts';
import type { ProbeDependencies } from './dependencies.ts';
import type { BootstrapToken } from './revoke-tokens.ts';

/**
 * Keeps the bootstrap tokens of MachinePools valid in the workload cluster, and revokes those of pools that no longer
 * exist. Each turn of a pool has its own token, which expires (see tokenTurn).
 */
export const keepPoolTokens = async (
  { objects, clock }: Pick<ProbeDependencies, 'objects' | 'clock'>,
  client: Pick<WorkloadClient, 'putBootstrapToken' | 'deleteBootstrapToken'>,
  snapshot: ClusterSnapshot,
  all: readonly BootstrapToken[],
): Promise<void> => {
  const pools = (await readPools(objects, snapshot)).filter(({ pool }) => !pool.metadata.deletionTimestamp);
  // Tokens for new instances come first: a refused revocation must not prevent them.
  await putTokens({ objects, clock }, client, snapshot, { pools, all });
  const names = new Set(pools.map(({ pool }) => pool.metadata.name));
  const revoked = all.filter(({ description }) => {
    const name = poolOfToken(description);
    return name !== undefined && !names.has(name);
  });
  await Promise.all(revoked.map(({ name }) => client.deleteBootstrapToken(name)));
};

const putTokens = async (
  { objects, clock }: Pick<ProbeDependencies, 'objects' | 'clock'>,
  client: Pick<WorkloadClient, 'putBootstrapToken'>,
  snapshot: ClusterSnapshot,
  { pools, all }: { pools: readonly PoolObjects[]; all: readonly BootstrapToken[] },
): Promise<void> => {
  const now = clock.now();
  const turns = pools.flatMap((one) => {
    const turn = currentToken(one, now);
    return turn ? [{ pool: one.pool, turn }] : [];
  });
  if (turns.length === 0) return;
  const seed = await readSeed({ objects, clock }, snapshot);
  if (!seed) return;
  const present = new Set(all.map(({ name }) => name));
  for (const { pool, turn } of turns) {
    const token = machineToken(seed, turn.subject);
    if (present.has(tokenSecretName(token))) continue;
    const description = poolTokenDescription(pool.metadata.name);
    await client.putBootstrapToken(bootstrapTokenSecret(token, { expiration: turn.expiresAt, description }));
  }
};

const readSeed = async (
  { objects, clock }: Pick<ProbeDependencies, 'objects' | 'clock'>,
  { cluster }: ClusterSnapshot,
): Promise<Uint8Array | undefined> => {
  const { namespace = '', name } = cluster.metadata;
  const secret = await objects.get(kinds.secret, { namespace, name: secretName(name, 'ca') });
  return secret && tokenSeed(fromSecret(secret, { purpose: 'ca', now: clock.now() }).privateKeyPem);
};
