import { recordEvent } from '../../../shared/events/record.ts';
import { type AWSCluster, kinds } from '../../../shared/kinds/index.ts';
import { conditionOf, failedClaim, readyClaim } from '../../../shared/plan/network/conditions.ts';
import type { NetworkAction, NetworkCondition, NetworkProblem } from '../../../shared/plan/network/model.ts';
import { withNetwork, withoutIntents } from '../../../shared/plan/network/record.ts';
import { type LegacyClaim, withLegacyConditions } from '../../../shared/plan/status/legacy-conditions.ts';
import type { Outcome } from '../infrastructure/act.ts';
import type { InfrastructureScope } from '../infrastructure/scope.ts';
import { COMPONENT, type NetworkDependencies } from './dependencies.ts';
import type { SettledNetwork } from './look.ts';

/** One claim for each condition that something failed of. */
const claimsOf = (failures: readonly Outcome<NetworkAction>[]): LegacyClaim[] => {
  const messages = new Map<NetworkCondition, string[]>();
  for (const { action, message } of failures) {
    const condition = conditionOf(action);
    messages.set(condition, [...(messages.get(condition) ?? []), message]);
  }
  return [...messages].map(([condition, texts]) => failedClaim(condition, [...new Set(texts)].join('; ')));
};

const writeClaims = async (
  { objects, clock }: NetworkDependencies,
  { key }: Pick<InfrastructureScope, 'key'>,
  claims: readonly LegacyClaim[],
  change: (awsCluster: AWSCluster) => AWSCluster = (awsCluster) => awsCluster,
) => {
  await objects.mutate(kinds.awsCluster, key, (current) =>
    current.metadata.deletionTimestamp ? undefined : withLegacyConditions(change(current), claims, clock.now()),
  );
};

/** Says on the AWSCluster, by condition and event, what a person has to change. */
export const reportProblem = async (
  deps: NetworkDependencies,
  scope: InfrastructureScope & { awsCluster: AWSCluster },
  { condition, message }: NetworkProblem,
): Promise<void> => {
  const claim = failedClaim(condition, message);
  await writeClaims(deps, scope, [claim]);
  const reason = claim.reason ?? condition;
  const happening = { regarding: scope.awsCluster, type: 'Warning', reason, message, component: COMPONENT } as const;
  await recordEvent(deps.objects, happening, deps.clock);
};

/**
 * Writes what became of a run: ids and conditions True where it reached its goal, else the conditions of what failed.
 * Returns whether the goal was reached. `intents`: keys of the intents that are settled then.
 */
export const reportOutcome = async (
  deps: NetworkDependencies,
  { situation, plan, failures }: SettledNetwork,
  { conditions, intents }: { conditions: readonly NetworkCondition[]; intents: (key: string) => boolean },
): Promise<boolean> => {
  const { scope, desired, observed } = situation;
  if (plan.problem) {
    await reportProblem(deps, scope, plan.problem);
    return false;
  }
  if (failures.length > 0) {
    await writeClaims(deps, scope, claimsOf(failures));
    return false;
  }
  const settled = Object.keys(situation.intents).filter(intents);
  await writeClaims(deps, scope, conditions.map(readyClaim), (current) =>
    withoutIntents(withNetwork(current, desired, observed), settled),
  );
  return true;
};
