import { recordEvent } from '../../../../shared/events/record.ts';
import type { AWSCluster } from '../../../../shared/kinds/index.ts';
import type { LegacyClaim } from '../../../../shared/plan/status/legacy-conditions.ts';
import { readyClaim } from '../../../../shared/providers/aws/network/conditions.ts';
import type { NetworkCondition } from '../../../../shared/providers/aws/network/model.ts';
import { COMPONENT, type NetworkDependencies } from './dependencies.ts';

/** What a person should know of something that is ready all the same. */
export type Warnings = Partial<Record<NetworkCondition, readonly string[]>>;

/** True, with what there is to say. */
export const claimReached = (type: NetworkCondition, warnings: readonly string[] = []): LegacyClaim => ({
  ...readyClaim(type),
  ...(warnings.length > 0 ? { message: warnings.join('; ') } : {}),
});

/** Tells by an event what a condition has not said before. */
export const tellNews = async (deps: NetworkDependencies, awsCluster: AWSCluster, claims: readonly LegacyClaim[]) => {
  const said = new Map(awsCluster.status?.conditions?.map(({ type, message }) => [type, message]));
  for (const { type, message } of claims) {
    if (message === undefined || said.get(type) === message) continue;
    const source = { regarding: awsCluster, component: COMPONENT };
    await recordEvent(deps.objects, { ...source, type: 'Warning', reason: `${type}Warning`, message }, deps.clock);
  }
};
