import { DISTRIBUTIONS } from '../../shared/distributions/registry.ts';
import { kinds, type Machine, type ResourceQuota } from '../../shared/kinds/index.ts';
import type { ResourceId } from '../../shared/kube-api/object.ts';
import { type Limit, limitsOf } from '../../shared/kube-api/quota/limits.ts';
import { readQuotaCount, resourceOfQuotaName } from '../../shared/kube-api/quota/names.ts';
import { overQuota, quotaReason } from '../../shared/kube-api/quota/refusal.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import { qualified } from '../../shared/kube-api/status-error.ts';
import { INFRASTRUCTURES } from '../../shared/providers/registry.ts';
import type { Reads } from './reads.ts';

/** What the ResourceQuotas of a namespace allow one of its clusters. */
export interface Allowance {
  quotas: readonly ResourceQuota[];
  /** By `plural.group`: the number of objects in the namespace that a quota counts at the start. */
  used: ReadonlyMap<string, number>;
  /** The cluster's Machines that these numbers include. */
  counted: readonly Machine[];
}

export const UNLIMITED: Allowance = { quotas: [], used: new Map(), counted: [] };

const limitsFor = ({ quotas }: Allowance, resource: ResourceId): Limit[] =>
  quotas.flatMap((quota) => limitsOf(quota, resource));

/** The number of these Machines that have an object of the kind. */
const usersOf = (machines: readonly Machine[], { kind }: ResourceDefinition): number =>
  machines.filter(
    ({ spec }) =>
      kind === kinds.machine.kind || spec.infrastructureRef.kind === kind || spec.bootstrap.configRef?.kind === kind,
  ).length;

/** How many of `wanted` new machines may be created, and the refusal that the next one would get. */
export interface Allowed {
  count: number;
  refused?: string;
}

/**
 * How many more machines the quotas allow in addition to those that the cluster has at this point of the plan. Each
 * needs an object of all these kinds. A pass also creates a Machine if its other objects are refused, but such a
 * Machine never comes up.
 */
export const allowedMachines = (
  allowance: Allowance,
  machines: readonly Machine[],
  each: readonly ResourceDefinition[],
  wanted: number,
): Allowed => {
  const places = each.flatMap((resource) => {
    const limits = limitsFor(allowance, resource);
    if (limits.length === 0) return [];
    const before = allowance.used.get(qualified(resource)) ?? 0;
    const used = before + usersOf(machines, resource) - usersOf(allowance.counted, resource);
    return [{ resource, limits, used, free: Math.max(0, Math.min(...limits.map(({ hard }) => hard)) - used) }];
  });
  const [fewest] = places.sort((a, b) => a.free - b.free);
  if (!fewest || fewest.free >= wanted) return { count: wanted };
  const { resource, limits, used, free } = fewest;
  return { count: free, refused: quotaReason(overQuota(resource, '', limits, used + free)) };
};

/** The objects that a plan creates with a machine. Nothing else is counted, and a caller may not even read Secrets. */
const OF_MACHINES: readonly ResourceDefinition[] = [
  kinds.machine,
  ...INFRASTRUCTURES.map(({ machine }) => machine),
  ...DISTRIBUTIONS.map(({ config }) => config),
];

/** The usage that the quotas report; for kinds that no stored quota counts, the number of objects. */
const usedBefore = async (reads: Reads, quotas: readonly ResourceQuota[], namespace: string) => {
  const names = [...new Set(quotas.flatMap(({ spec }) => Object.keys(spec?.hard ?? {})))];
  const counts = names.map(async (name): Promise<[string, number][]> => {
    const resource = resourceOfQuotaName(name);
    const kind = resource && OF_MACHINES.find((one) => qualified(one) === qualified(resource));
    if (!resource || !kind) return [];
    const known = quotas.flatMap(({ status }) => readQuotaCount(status?.used?.[name]) ?? []);
    return [[qualified(resource), known[0] ?? (await reads.list(kind, namespace)).length]];
  });
  return new Map((await Promise.all(counts)).flat());
};

/**
 * What the quotas of a namespace allow a cluster. `stored` reads without the planned changes, `changed` with them.
 * Undefined if the caller may not read the quotas.
 */
export const readAllowance = async (
  stored: Reads,
  changed: Reads,
  { namespace, name }: { namespace: string; name: string },
): Promise<Allowance | undefined> => {
  if (changed.mayReadQuotas && !(await changed.mayReadQuotas(namespace))) return undefined;
  const quotas = await changed.list(kinds.resourceQuota, namespace);
  if (quotas.length === 0) return UNLIMITED;
  const [used, counted] = await Promise.all([
    usedBefore(stored, quotas, namespace),
    stored.listOfCluster(kinds.machine, namespace, name),
  ]);
  return { quotas, used, counted };
};
