import { isNotFound, isPermanent } from '../../../../shared/aws/errors.ts';
import type { Check } from '../../../../shared/kinds/rules/aws/wishes.ts';
import type { AccountFacts, Trial } from '../../../../shared/providers/aws/api/account-facts.ts';
import { chooseImage } from '../../../../shared/providers/aws/plan/launch/image.ts';
import { queryOf } from '../../../../shared/providers/aws/plan/preflight/findings.ts';
import { isSkipped } from '../../../../shared/providers/aws/plan/preflight/gate.ts';
import {
  type Facts,
  imageKey,
  type Permission,
  type Wants,
} from '../../../../shared/providers/aws/plan/preflight/model.ts';
import { mayLackNatGateways, quotasOf } from '../../../../shared/providers/aws/plan/preflight/needs.ts';
import { QUOTAS } from '../../../../shared/providers/aws/plan/preflight/quotas.ts';
import type { AwsScope } from '../../../../shared/providers/aws/scope.ts';
import { fact, keyed, saying } from './fact.ts';
import { gatherKeyFacts } from './gather-key-facts.ts';

const trialsOf = ({ network }: Wants, isOwnRole: boolean): Trial[] => {
  if (!network) return [];
  const { vpc, vpcId, addresses, addressTags } = network;
  const groups: Trial[] = vpcId ? [{ action: 'ec2:CreateSecurityGroup', vpcId, tags: addressTags }] : [];
  // A range from a pool is not known yet, but EC2 requires one.
  const own: Trial[] = vpc
    ? [{ action: 'ec2:CreateVpc', cidrBlock: vpc.cidrBlock ?? '10.0.0.0/16', tags: vpc.tags }]
    : [];
  // Windlass defines the functions' own roles, so one call tests them all; for other identities, each permission is
  // tested.
  const further: Trial[] = addresses > 0 && !isOwnRole ? [{ action: 'ec2:AllocateAddress', tags: addressTags }] : [];
  return [...own, ...groups, ...further];
};

const tryOut = async (account: AccountFacts, trial: Trial): Promise<Permission> => {
  const { action } = trial;
  try {
    await account.tryOut(trial);
    return { action, refusal: { value: undefined } };
  } catch (error) {
    if (isPermanent(error) || isNotFound(error)) return { action, refusal: { value: saying(error) } };
    throw error;
  }
};

const unless = <T>(isOff: boolean, ask: () => Promise<T>): Promise<T | undefined> =>
  isOff ? Promise.resolve(undefined) : ask();

const distinct = (values: readonly (string | undefined)[]): string[] => [
  ...new Set(values.filter((value) => value !== undefined)),
];

const askImages = async (account: AccountFacts, wants: Wants, facts: Facts, now: Date): Promise<Facts['images']> => {
  const queries = new Map(
    wants.machines.flatMap((machines) => {
      const query = queryOf(wants, machines, facts);
      return query === undefined ? [] : [[imageKey(query), query] as const];
    }),
  );
  return keyed([...queries.keys()], async (key) => {
    const query = queries.get(key);
    if (!query || 'parameter' in query) return { unknown: 'a parameter names it, which is read at the launch' };
    return fact(async () => {
      const found = await account.images(query);
      const dated = found.map(({ createdAt, deprecatedAt, ...image }) => ({
        ...{ ...image, createdAt },
        CreationDate: createdAt,
        ...(deprecatedAt ? { DeprecationTime: deprecatedAt } : {}),
      }));
      return chooseImage(dated, now);
    });
  });
};

/** Read only if the number of NAT gateways matters. */
const natLimits = (account: AccountFacts, used: Facts['natGateways']) =>
  keyed(mayLackNatGateways(used) ? [QUOTAS.natGateways] : [], (quota) => fact(() => account.quota(quota)));

type Use = 'vpcs' | 'addresses' | 'networkLoadBalancers' | 'classicLoadBalancers' | 'natGateways' | 'running';

/** The quotas that apply to the desired resources, and their current use. */
const askQuotas = async (account: AccountFacts, wants: Wants): Promise<Pick<Facts, 'quotas' | Use>> => {
  const quotas = quotasOf(wants);
  const asks = ({ code }: { code: string }) => quotas.some((quota) => quota.code === code);
  const common: readonly string[] = Object.values(QUOTAS).map(({ code }) => code);
  const countsVcpus = quotas.some(({ code }) => !common.includes(code));
  const natZones = wants.network?.natZones ?? [];
  const [limits, vpcs, addresses, networkLoadBalancers, classicLoadBalancers, natGateways, running] = await Promise.all(
    [
      keyed(quotas, (quota) => fact(() => account.quota(quota))),
      unless(!asks(QUOTAS.vpcs), () => fact(account.vpcs)),
      unless(!asks(QUOTAS.addresses), () => fact(account.addresses)),
      unless(!asks(QUOTAS.loadBalancers), () => fact(account.networkLoadBalancers)),
      unless(!asks(QUOTAS.classicLoadBalancers), () => fact(account.classicLoadBalancers)),
      unless(natZones.length === 0, () => fact(() => account.natGateways(natZones))),
      unless(!countsVcpus, () => fact(account.running)),
    ],
  );
  const all = [...limits, ...(await natLimits(account, natGateways))];
  return {
    quotas: new Map(all.map(([{ code }, limit]) => [code, limit])),
    ...{ vpcs, addresses, networkLoadBalancers, classicLoadBalancers, natGateways, running },
  };
};

/** Makes all calls for the checks in parallel, and then those for images, which depend on the types. */
export const gatherFacts = async (
  account: AccountFacts,
  wants: Wants,
  { identity }: AwsScope,
  now: Date,
): Promise<Facts> => {
  const off = (check: Check): boolean => isSkipped(wants.awsCluster, check);
  const types = distinct(wants.machines.flatMap(({ instanceTypes }) => instanceTypes));
  const needsTypes = types.length > 0 && !(off('quotas') && off('instance-types') && off('images'));
  const subnets = [...wants.subnets, ...wants.machines.flatMap((machines) => machines.subnets)];
  const subnetIds = off('subnets') ? [] : distinct(subnets.map(({ id }) => id));
  const profiles = off('instance-profiles') ? [] : distinct(wants.machines.map(({ profile }) => profile));
  const isOwnRole = identity.credentials === undefined;
  const trials = off('permissions') ? [] : trialsOf(wants, isOwnRole);
  const needsKeys = !off('volume-keys') || (!off('permissions') && !isOwnRole);
  const [used, known, offers, held, free, groups, permissions, keys] = await Promise.all([
    unless(off('quotas'), () => askQuotas(account, wants)),
    unless(!needsTypes, () => fact(() => account.instanceTypes(types))),
    unless(types.length === 0 || off('instance-types'), () => fact(() => account.offers(types))),
    keyed(profiles, (name) => fact(() => account.hasInstanceProfile(name))),
    unless(subnetIds.length === 0, () => fact(() => account.freeAddresses(subnetIds))),
    unless(off('quotas') || wants.groups === 0, () => fact(account.groups)),
    Promise.all(trials.map((trial) => tryOut(account, trial))),
    unless(!needsKeys, () => gatherKeyFacts(account, wants)),
  ]);
  const facts: Facts = {
    ...(used ?? { quotas: new Map() }),
    ...{ types: known, offers, free, groups, ...keys, makesServiceRole: isOwnRole },
    images: new Map(),
    profiles: held,
    permissions,
  };
  return off('images') ? facts : { ...facts, images: await askImages(account, wants, facts, now) };
};
