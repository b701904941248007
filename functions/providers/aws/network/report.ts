import { type AWSCluster, kinds } from '../../../../shared/kinds/index.ts';
import { type LegacyClaim, withLegacyConditions } from '../../../../shared/plan/status/legacy-conditions.ts';
import {
  comingClaim,
  conditionOf,
  failedClaim,
  failureOf,
  startedClaims,
} from '../../../../shared/providers/aws/network/conditions.ts';
import { readIntents } from '../../../../shared/providers/aws/network/intents.ts';
import type {
  NetworkAction,
  NetworkCondition,
  NetworkProblem,
} from '../../../../shared/providers/aws/network/model.ts';
import { withNetwork, withoutIntents } from '../../../../shared/providers/aws/network/record.ts';
import type { Situation } from '../../../../shared/providers/aws/network/situation.ts';
import { chooseVpc } from '../../../../shared/providers/aws/network/vpc/choose.ts';
import { isReportedBy, type NetworkPart, networkWishes } from '../../../../shared/providers/aws/plan/drift/network.ts';
import { type Wishes, withSettled } from '../../../../shared/providers/aws/plan/drift/settled.ts';
import type { Outcome } from '../infrastructure/act.ts';
import { noteReported } from '../infrastructure/note-drift.ts';
import type { InfrastructureScope } from '../infrastructure/scope.ts';
import type { NetworkDependencies } from './dependencies.ts';
import { makeTurn } from './intend.ts';
import type { SettledNetwork } from './look.ts';
import { recorder } from './reasons.ts';
import { claimReached, recordWarnings, type Warnings } from './warnings.ts';

/** One claim for each condition whose part has failed. */
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
  claims: readonly LegacyClaim[] | ((awsCluster: AWSCluster) => readonly LegacyClaim[]),
  change: (awsCluster: AWSCluster) => AWSCluster = (awsCluster) => awsCluster,
) => {
  await objects.mutate(kinds.awsCluster, key, (current) => {
    if (current.metadata.deletionTimestamp) return undefined;
    const all = typeof claims === 'function' ? claims(current) : claims;
    return withLegacyConditions(change(current), all, clock.now());
  });
};

/** Reports on the AWSCluster, with a condition and an event, what a user must change. */
export const reportProblem = async (
  deps: NetworkDependencies,
  scope: InfrastructureScope & { awsCluster: AWSCluster },
  { condition, message }: NetworkProblem,
): Promise<void> => {
  await writeClaims(deps, scope, [failedClaim(condition, message)]);
  await recorder(deps).warning(scope.awsCluster, failureOf(condition), message);
};

/** The part of a network that one of its two steps covers. */
export interface ReportedPart {
  part: NetworkPart;
  conditions: readonly NetworkCondition[];
  /** Keys of the intents that are settled when the part is complete. */
  intents: (key: string) => boolean;
  warnings?: Warnings;
}

/** The rules of the groups contain the gateways' addresses, so both steps settle them. */
const wishesOf = (part: NetworkPart, { desired, observed }: Pick<Situation, 'desired' | 'observed'>): Wishes => {
  const { vpc, network, securityGroups, natGateways } = networkWishes(desired);
  const own: Wishes = chooseVpc(desired, observed.vpcs).state === 'ours' ? { vpc } : {};
  return part === 'network' ? { ...own, network, securityGroups } : { securityGroups, natGateways };
};

/** Whether the goal is reached. */
export const isSettled = ({ plan, failures }: SettledNetwork): boolean => !plan.problem && failures.length === 0;

/**
 * Writes the result of a run: ids, and conditions that are True if it reached its goal; otherwise the conditions of the
 * failed parts. Returns whether the goal was reached.
 */
export const reportOutcome = async (
  deps: NetworkDependencies,
  { situation, plan, failures, drifts }: SettledNetwork,
  { part, conditions, intents, warnings = {} }: ReportedPart,
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
  const { coming } = plan;
  const claims = conditions.map((type) =>
    type === coming?.condition ? comingClaim(coming) : claimReached(type, warnings),
  );
  await recordWarnings(deps, scope.awsCluster, warnings);
  const withStarted = ({ status }: AWSCluster) =>
    part === 'network' ? [...startedClaims(status?.conditions), ...claims] : claims;
  const turn = makeTurn(deps, situation);
  await writeClaims(deps, scope, withStarted, (current) => {
    const recorded = readIntents(current.metadata.annotations);
    // A process with an earlier observation of the network would find neither the resource nor its intent, and would
    // create it again.
    const marked = settled.some((key) => recorded[key] !== undefined) ? turn.mark(current) : current;
    return withSettled(withoutIntents(withNetwork(marked, desired, observed), settled), wishesOf(part, situation));
  });
  turn.follow();
  await noteReported(deps, scope, part, drifts.filter(isReportedBy(part)), recorder(deps));
  return true;
};
