import { kinds, type SubnetSpec } from '../../../../shared/kinds/index.ts';
import { completeSubnets, zonesToLookUp } from '../../../../shared/providers/aws/network/subnets/complete.ts';
import {
  chooseZones,
  layOutSubnets,
  TooSmallRangeError,
} from '../../../../shared/providers/aws/network/subnets/layout.ts';
import { withLayout, withSubnets } from '../../../../shared/providers/aws/network/subnets/record.ts';
import { chooseVpc } from '../../../../shared/providers/aws/network/vpc/choose.ts';
import { needsNumbers, planNumbering } from '../../../../shared/providers/aws/network/vpc/numbers.ts';
import { withNumbers } from '../../../../shared/providers/aws/network/vpc/record.ts';
import { isOwnedBy } from '../../../../shared/providers/aws/tags.ts';
import type { Random } from '../../../../shared/random.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import type { LiveScope } from '../infrastructure/scope.ts';
import type { NetworkDependencies } from './dependencies.ts';
import { settleNetwork } from './look.ts';
import { isSettled, reportOutcome, reportProblem } from './report.ts';

/** Shuffles with a single random number; only `availabilityZoneSelection: Random` needs it. */
const shuffleWith =
  (random: Random) =>
  (zones: string[]): string[] =>
    zones
      .map((zone) => ({ zone, rank: random.uuid() }))
      .sort((left, right) => (left.rank < right.rank ? -1 : 1))
      .map(({ zone }) => zone);

/** Whether a recorded VPC has the cluster's tag. */
const isOurs = async (deps: NetworkDependencies, { aws, name }: LiveScope, id: string): Promise<boolean> => {
  const found = await deps.ec2(aws).describeVpcs([{ name: 'vpc-id', values: [id] }]);
  return found.some(({ tags }) => isOwnedBy(name, tags));
};

/**
 * Creates a VPC with blocks from Amazon or from a pool before anything else, and records the blocks. True if the spec
 * already contains all blocks; if false, a condition says what a user must change.
 */
export const numberVpc = async (
  deps: NetworkDependencies,
  pass: Pick<ConvergeInput, 'cluster' | 'holder'>,
  scope: LiveScope,
): Promise<boolean> => {
  if (!needsNumbers(scope.awsCluster.spec)) return true;
  const settled = await settleNetwork(deps, pass, { part: 'network', plan: planNumbering });
  if (!settled) return false;
  if (!isSettled(settled))
    return reportOutcome(deps, settled, { part: 'network', conditions: [], intents: () => false });
  const { desired, observed } = settled.situation;
  const choice = chooseVpc(desired, observed.vpcs);
  if (choice.state !== 'ours' && choice.state !== 'unmanaged') return false;
  await deps.objects.mutate(kinds.awsCluster, scope.key, (current) => withNumbers(current, choice.vpc));
  return true;
};

/** Completes the user's list of subnets with IPv6 blocks and the types of their zones. */
const complete = async (deps: NetworkDependencies, scope: LiveScope, subnets: readonly SubnetSpec[]) => {
  const vpc = scope.awsCluster.spec.network?.vpc ?? {};
  const names = zonesToLookUp(subnets);
  const isOpen = names.length > 0 || subnets.some(({ isIpv6, ipv6CidrBlock }) => isIpv6 && !ipv6CidrBlock);
  if (!isOpen || (vpc.id && !(await isOurs(deps, scope, vpc.id)))) return true;
  const ec2 = deps.ec2(scope.aws);
  const zones = names.length > 0 ? await ec2.describeZones(names) : [];
  const made = vpc.id ? await ec2.describeSubnets([{ name: 'vpc-id', values: [vpc.id] }]) : [];
  const completed = completeSubnets({ cluster: scope.name, vpc, subnets, zones, made });
  if ('message' in completed) {
    await reportProblem(deps, scope, { condition: 'SubnetsReady', message: completed.message });
    return false;
  }
  await deps.objects.mutate(kinds.awsCluster, scope.key, (current) => withSubnets(current, completed.subnets));
  return true;
};

/**
 * Records the layout of the subnets in the spec before any of them exists, so that it stays the same when zones are
 * added or removed. False if the VPC's range is too small, which a condition then reports. In a VPC of the user, the
 * user specifies the subnets.
 */
export const layOut = async (deps: NetworkDependencies, scope: LiveScope): Promise<boolean> => {
  const { spec } = scope.awsCluster;
  const given = spec.network?.subnets ?? [];
  if (given.length > 0) return complete(deps, scope, given);
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
