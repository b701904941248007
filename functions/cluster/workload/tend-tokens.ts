import type { V1Node } from '@kubernetes/client-node';
import { BootstrapInvalidError } from '../../../shared/bootstrap/invalid.ts';
import { bootstrapTokensClaims } from '../../../shared/plan/control-plane/bootstrap-tokens.ts';
import type { ConditionClaim } from '../../../shared/plan/status/conditions.ts';
import {
  type WorkloadClient,
  WorkloadRefusedError,
  WorkloadUnreachableError,
} from '../../../shared/workload/client.ts';
import type { ClusterSnapshot } from '../snapshot.ts';
import type { ProbeDependencies } from './dependencies.ts';
import { keepPoolTokens } from './pool-tokens.ts';
import { revokeTokens } from './revoke-tokens.ts';

/**
 * Errors that the condition reports: a refusal, for example by a webhook, an API server that does not answer, and a
 * damaged CA, from which the tokens are derived.
 */
const isReported = (error: unknown): error is Error =>
  error instanceof WorkloadRefusedError ||
  error instanceof WorkloadUnreachableError ||
  error instanceof BootstrapInvalidError;

/**
 * Keeps the bootstrap tokens of the workload cluster up to date. Returns the condition for the control plane: until
 * everything has succeeded, the cluster is not settled, and passes repeat the work.
 */
export const tendTokens = async (
  deps: Pick<ProbeDependencies, 'objects' | 'clock'>,
  client: Pick<WorkloadClient, 'bootstrapTokens' | 'putBootstrapToken' | 'deleteBootstrapToken'>,
  snapshot: ClusterSnapshot,
  nodes: readonly V1Node[],
): Promise<ConditionClaim[]> => {
  const problems: string[] = [];
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!isReported(error)) throw error;
      problems.push(error.message);
    }
  };
  await attempt(async () => {
    const all = await client.bootstrapTokens();
    await attempt(() => revokeTokens(deps, client, snapshot, { nodes, all }));
    await attempt(() => keepPoolTokens(deps, client, snapshot, all));
  });
  return bootstrapTokensClaims(snapshot.controlPlane?.status?.conditions, problems);
};
