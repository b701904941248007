import type { AWSCluster } from '../../../../shared/kinds/index.ts';
import type { LegacyClaim } from '../../../../shared/plan/status/legacy-conditions.ts';
import { readyClaim } from '../../../../shared/providers/aws/network/conditions.ts';
import type { NetworkCondition } from '../../../../shared/providers/aws/network/model.ts';
import type { NetworkDependencies } from './dependencies.ts';
import { recorder } from './reasons.ts';

/** The conditions that may be True and still have a message. */
const WARNED = ['SecondaryCidrsReady', 'SubnetsReady', 'ClusterSecurityGroupsReady'] as const;

/** Warnings for the user about parts that are ready nevertheless. */
export type Warnings = Partial<Record<(typeof WARNED)[number], readonly string[]>>;

const messageIn = (
  warnings: Partial<Record<NetworkCondition, readonly string[]>>,
  type: NetworkCondition,
): string | undefined => {
  const sentences = warnings[type] ?? [];
  return sentences.length > 0 ? sentences.join('; ') : undefined;
};

/** A condition that is True, with the warnings about it. */
export const claimReached = (type: NetworkCondition, warnings: Warnings): LegacyClaim => {
  const message = messageIn(warnings, type);
  return { ...readyClaim(type), ...(message === undefined ? {} : { message }) };
};

/** Records the warnings that the conditions do not have yet. */
export const recordWarnings = async (
  deps: NetworkDependencies,
  awsCluster: AWSCluster,
  warnings: Warnings,
): Promise<void> => {
  const known = new Map(awsCluster.status?.conditions?.map(({ type, message }) => [type, message]));
  for (const type of WARNED) {
    const message = messageIn(warnings, type);
    if (message === undefined || known.get(type) === message) continue;
    await recorder(deps).warning(awsCluster, `${type}Warning`, message);
  }
};
