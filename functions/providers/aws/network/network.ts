import { kinds } from '../../../../shared/kinds/index.ts';
import { withLegacyConditions } from '../../../../shared/plan/status/legacy-conditions.ts';
import { AWS_FINALIZER } from '../../../../shared/providers/aws/finalizers.ts';
import { networkConditions, PENDING_CLAIMS } from '../../../../shared/providers/aws/network/conditions.ts';
import { isOfNatGateways } from '../../../../shared/providers/aws/network/nat-gateways/plan.ts';
import { planNetwork } from '../../../../shared/providers/aws/network/plan.ts';
import { accessWarnings } from '../../../../shared/providers/aws/network/security-groups/access.ts';
import { blockWarnings } from '../../../../shared/providers/aws/network/users-vpc/problems.ts';
import { chooseVpc } from '../../../../shared/providers/aws/network/vpc/choose.ts';
import { needsNumbers } from '../../../../shared/providers/aws/network/vpc/numbers.ts';
import { withBegun } from '../../../../shared/providers/aws/plan/ownership/untouched.ts';
import { firstPausedClaim } from '../../../../shared/providers/aws/plan/paused.ts';
import type { ConvergeInput, ReadyResult } from '../../../../shared/work/payloads.ts';
import { reportUsable } from '../identity/report.ts';
import { isProvidedAsItIs, type LiveScope, readLiveScope } from '../infrastructure/scope.ts';
import type { NetworkDependencies } from './dependencies.ts';
import { layOut, numberVpc } from './lay-out.ts';
import { type NetworkLook, settleNetwork } from './look.ts';
import { isRegionUsable, preflight } from './preflight.ts';
import { isSettled, reportOutcome } from './report.ts';
import { shareSubnets } from './share.ts';
import type { Warnings } from './warnings.ts';

/**
 * Writes the finalizer and the record of the start before the first resource is created, and conditions that keep the
 * summary from being Ready too soon.
 */
const prepare = async ({ objects, clock }: NetworkDependencies, { key }: LiveScope) => {
  await objects.mutate(kinds.awsCluster, key, (current) => {
    if (current.metadata.deletionTimestamp) return undefined;
    const known = new Set(current.status?.conditions?.map(({ type }) => type));
    const pending = PENDING_CLAIMS.filter(({ type }) => !known.has(type));
    const claims = [...firstPausedClaim(current), ...pending];
    const finalizers = [...new Set([...(current.metadata.finalizers ?? []), AWS_FINALIZER.cluster])];
    const guarded = withBegun({ ...current, metadata: { ...current.metadata, finalizers } });
    return claims.length > 0 ? withLegacyConditions(guarded, claims, clock.now()) : guarded;
  });
};

/**
 * Computes the layout of the subnets and checks whether everything can be created. A VPC with a range from a pool is
 * created in between.
 */
const isPrepared = async (deps: NetworkDependencies, input: ConvergeInput, scope: LiveScope): Promise<boolean> => {
  const { cluster: ref } = input;
  if (needsNumbers(scope.awsCluster.spec)) {
    if (!(await preflight(deps, scope)) || !(await numberVpc(deps, input, scope))) return false;
    const numbered = await readLiveScope(deps, ref);
    return numbered !== undefined && layOut(deps, numbered);
  }
  if (!(await layOut(deps, scope))) return false;
  const laidOut = await readLiveScope(deps, ref);
  return laidOut !== undefined && preflight(deps, laidOut);
};

const warningsOf = async (deps: NetworkDependencies, look: NetworkLook): Promise<Warnings> => {
  const { awsCluster, cluster } = look.scope;
  const choice = chooseVpc(look.desired, look.observed.vpcs);
  return {
    SecondaryCidrsReady: choice.state === 'unmanaged' ? blockWarnings(look.desired, choice.vpc) : [],
    SubnetsReady: await shareSubnets(deps, look),
    ClusterSecurityGroupsReady: accessWarnings(look, awsCluster.spec, cluster.spec.clusterNetwork?.apiServerPort),
  };
};

/**
 * Creates the VPC with its subnets, internet gateway, route tables and security groups, or the missing parts. If not
 * ready, a condition and an event of the AWSCluster say what a user must change. Throws temporary errors.
 */
export const network =
  (deps: NetworkDependencies) =>
  async (input: ConvergeInput): Promise<ReadyResult> => {
    const { cluster: ref } = input;
    const scope = await readLiveScope(deps, ref);
    if (!scope) return { ready: await isProvidedAsItIs(deps, ref) };
    await prepare(deps, scope);
    await reportUsable(deps, scope.awsCluster);

    if (!(await isRegionUsable(deps, scope)) || !(await isPrepared(deps, input, scope))) return { ready: false };

    const settled = await settleNetwork(deps, input, { part: 'network', plan: planNetwork });
    if (!settled) return { ready: false };
    const { desired, scope: seen } = settled.situation;
    const conditions = networkConditions(desired, seen.awsCluster.status?.conditions);
    const intents = (intent: string) => !isOfNatGateways(intent);
    const warnings = isSettled(settled) ? await warningsOf(deps, settled.situation) : {};
    const part = { part: 'network', conditions, intents, warnings } as const;
    return { ready: await reportOutcome(deps, settled, part) };
  };
