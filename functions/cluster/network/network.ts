import { isOwnedBy } from '../../../shared/aws/tags.ts';
import { type AWSCluster, kinds } from '../../../shared/kinds/index.ts';
import { FINALIZER } from '../../../shared/plan/labels.ts';
import { NETWORK_CONDITIONS, PENDING_CLAIMS } from '../../../shared/plan/network/conditions.ts';
import { chooseZones, layOutSubnets, TooSmallRangeError } from '../../../shared/plan/network/layout.ts';
import { planNetwork } from '../../../shared/plan/network/plan.ts';
import { withLayout } from '../../../shared/plan/network/record.ts';
import { unsupportedFields } from '../../../shared/plan/network/unsupported.ts';
import { withLegacyConditions } from '../../../shared/plan/status/legacy-conditions.ts';
import type { Random } from '../../../shared/random.ts';
import type { ConvergeInput, ReadyResult } from '../../../shared/work/payloads.ts';
import { reportUsable } from '../../identity/report.ts';
import { type InfrastructureScope, readLiveScope } from '../infrastructure/scope.ts';
import type { NetworkDependencies } from './dependencies.ts';
import { settleNetwork } from './look.ts';
import { isSettled, reportOutcome, reportProblem } from './report.ts';
import { shareSubnets } from './share.ts';

type LiveScope = InfrastructureScope & { awsCluster: AWSCluster };

/** By one random number each; only `availabilityZoneSelection: Random` asks for it. */
const shuffleWith =
  (random: Random) =>
  (zones: string[]): string[] =>
    zones
      .map((zone) => ({ zone, rank: random.uuid() }))
      .sort((left, right) => (left.rank < right.rank ? -1 : 1))
      .map(({ zone }) => zone);

/** Whether a VPC that is on record carries the cluster's tag. */
const isOurs = async (deps: NetworkDependencies, { aws, name }: LiveScope, id: string): Promise<boolean> => {
  const found = await deps.ec2(aws).describeVpcs([{ name: 'vpc-id', values: [id] }]);
  return found.some(({ tags }) => isOwnedBy(name, tags));
};

/**
 * Fixes the layout of the subnets in the spec before any of them exists: it stays as it is when zones come and go. False
 * when the VPC's range is too small for it, which the condition then says. Of the user's own VPC the user says which.
 */
const layOut = async (deps: NetworkDependencies, scope: LiveScope): Promise<boolean> => {
  const { spec } = scope.awsCluster;
  if ((spec.network?.subnets ?? []).length > 0) return true;
  const vpc = spec.network?.vpc ?? {};
  if (vpc.id && !(await isOurs(deps, scope, vpc.id))) return true;
  const zones = chooseZones(await deps.ec2(scope.aws).describeAvailabilityZones(), vpc, shuffleWith(deps.random));
  try {
    const subnets = layOutSubnets(scope.name.name, vpc, zones);
    await deps.objects.mutate(kinds.awsCluster, scope.key, (current) => withLayout(current, subnets));
    return true;
  } catch (error) {
    if (!(error instanceof TooSmallRangeError)) throw error;
    await reportProblem(deps, scope, { condition: 'SubnetsReady', message: error.message });
    return false;
  }
};

/** The finalizer before the first resource, and conditions that keep the summary from being Ready too soon. */
const prepare = async ({ objects, clock }: NetworkDependencies, { key }: LiveScope) => {
  await objects.mutate(kinds.awsCluster, key, (current) => {
    if (current.metadata.deletionTimestamp) return undefined;
    const known = new Set(current.status?.conditions?.map(({ type }) => type));
    const claims = PENDING_CLAIMS.filter(({ type }) => !known.has(type));
    const finalizers = [...new Set([...(current.metadata.finalizers ?? []), FINALIZER.awsCluster])];
    const guarded = { ...current, metadata: { ...current.metadata, finalizers } };
    return claims.length > 0 ? withLegacyConditions(guarded, claims, clock.now()) : guarded;
  });
};

/**
 * Makes the VPC, its subnets, internet gateway, route tables and security groups, or what is missing of them. Not
 * ready: a condition and an event of the AWSCluster say what a person has to change. Throws what passes by itself.
 */
export const network =
  (deps: NetworkDependencies) =>
  async ({ cluster: ref }: ConvergeInput): Promise<ReadyResult> => {
    const scope = await readLiveScope(deps, ref);
    if (!scope) return { ready: false };
    await prepare(deps, scope);
    await reportUsable(deps, scope.awsCluster);

    const unsupported = unsupportedFields(scope.awsCluster.spec);
    if (unsupported.length > 0) {
      const message = `this version does not make what these fields ask for: ${unsupported.join(', ')}`;
      await reportProblem(deps, scope, { condition: 'VpcReady', message });
      return { ready: false };
    }
    if (!(await layOut(deps, scope))) return { ready: false };

    const settled = await settleNetwork(deps, ref, { part: 'network', plan: planNetwork });
    if (!settled) return { ready: false };
    const intents = (intent: string) => !intent.startsWith('address-');
    const warnings = isSettled(settled) ? { SubnetsReady: await shareSubnets(deps, settled.situation) } : {};
    const part = { part: 'network', conditions: NETWORK_CONDITIONS, intents, warnings } as const;
    return { ready: await reportOutcome(deps, settled, part) };
  };
