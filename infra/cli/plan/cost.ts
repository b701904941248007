/** How a plan changes the cost of a cluster. */
import type { ClusterPlan, OwnerPlan, PoolPlan } from '../../../functions/preview/plan.ts';
import type { Reads } from '../../../functions/preview/reads.ts';
import { distributionOf } from '../../../shared/distributions/registry.ts';
import { type AWSCluster, type AWSMachine, type Cluster, kinds } from '../../../shared/kinds/index.ts';
import type { Reference } from '../../../shared/kinds/reference.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { type Charge, machineCharges } from '../../../shared/providers/aws/plan/cost/charges.ts';
import { estimateOf } from '../../../shared/providers/aws/plan/cost/estimate.ts';
import { plannedNetworkCharges, templateCharges } from '../../../shared/providers/aws/plan/cost/planned.ts';
import type { PriceList } from '../../../shared/providers/aws/plan/cost/prices.ts';
import { asMachine } from '../../../shared/providers/aws/plan/launch/pool-machine.ts';
import { awsName } from '../../../shared/providers/aws/references.ts';
import { ApiError } from '../api/answer.ts';
import { amount } from '../describe/cost.ts';

/** The cost difference of a plan for one cluster. */
export interface CostChange {
  /** `namespace/name`. */
  cluster: string;
  /** The additional cost per month; negative if the cost is reduced. */
  usdPerMonth: number;
  /** Whether something has no known price and is not counted. */
  isPartial: boolean;
  /** The source of the prices. */
  sources: readonly string[];
}

/** Items that are billed afterwards but not now, and the reverse. */
interface Charges {
  more: readonly Charge[];
  less: readonly Charge[];
}

const sumOf = (all: readonly Charges[]): Charges => ({
  more: all.flatMap(({ more }) => more),
  less: all.flatMap(({ less }) => less),
});

const times = (count: number, charges: readonly Charge[]): Charge[] =>
  charges.map((charge) => ({ ...charge, quantity: charge.quantity * count }));

/** The reference to the template of an owner's machines. */
const templateOf = (owner: KubeObject | undefined): Reference | undefined => {
  const { machineTemplate, template } =
    (owner as { spec?: Record<string, { spec?: { infrastructureRef?: Reference } }> } | undefined)?.spec ?? {};
  return (machineTemplate ?? template)?.spec?.infrastructureRef;
};

/** The charges for one machine of an owner; none if the owner does not exist or its machines are not on AWS. */
const machineOf = async (reads: Reads, namespace: string, { kind, name }: OwnerPlan['owner'], cluster: Cluster) => {
  const controlPlane = distributionOf('controlPlane', cluster.spec.controlPlaneRef)?.controlPlane;
  const resource = [kinds.machineDeployment, kinds.machineSet, controlPlane].find((one) => one?.kind === kind);
  const owner = resource && (await reads.get<KubeObject>(resource, { namespace, name }));
  const template = awsName('machineTemplate', templateOf(owner));
  const found = template && (await reads.get(kinds.awsMachineTemplate, { namespace, name: template }));
  return found ? templateCharges(found) : [];
};

/** A created machine has the price of its new template; a removed one its own price, or that of the old template. */
const ownerCharges = async (
  before: Reads,
  after: Reads,
  plan: OwnerPlan,
  { cluster, instances }: { cluster: Cluster; instances: ReadonlyMap<string, AWSMachine> },
): Promise<Charges> => {
  const { namespace = '' } = cluster.metadata;
  const made = plan.steps.reduce((sum, { make }) => sum + make.length, 0);
  const removed = plan.steps.flatMap(({ remove }) => remove);
  const [now, then] = await Promise.all(
    [before, after].map((reads) => machineOf(reads, namespace, plan.owner, cluster)),
  );
  return {
    more: times(made, then ?? []),
    less: removed.flatMap(({ name }) => {
      const instance = instances.get(name);
      return instance ? machineCharges(instance) : (now ?? []);
    }),
  };
};

/** The charges for one instance of a pool; none if the pool does not exist or is not on AWS. */
const poolInstance = async (reads: Reads, namespace: string, { owner }: PoolPlan): Promise<Charge[]> => {
  const pool = await reads.get(kinds.machinePool, { namespace, name: owner.name });
  const name = awsName('pool', pool?.spec.template.spec.infrastructureRef);
  const found = name && (await reads.get(kinds.awsMachinePool, { namespace, name }));
  return found ? machineCharges(asMachine(found)) : [];
};

/**
 * Created or replaced instances of a group have the price of the pool's new template; removed ones that of the old
 * template.
 */
const poolCharges = async (before: Reads, after: Reads, plan: PoolPlan, namespace: string): Promise<Charges> => {
  const { more, fewer, replaced } = plan.instances;
  const [was, is] = await Promise.all([before, after].map((reads) => poolInstance(reads, namespace, plan)));
  return { more: times(more + replaced, is ?? []), less: times(fewer + replaced, was ?? []) };
};

/** The charges for the network of a new AWSCluster. */
const networkOf = async (before: Reads, awsCluster: AWSCluster): Promise<Charges> => {
  const { namespace = '', name } = awsCluster.metadata;
  const isNew = (await before.get(kinds.awsCluster, { namespace, name })) === undefined;
  return { more: isNew ? plannedNetworkCharges(awsCluster) : [], less: [] };
};

const changeOf = async (
  before: Reads,
  after: Reads,
  plan: ClusterPlan,
  lists: readonly PriceList[],
): Promise<CostChange | undefined> => {
  const { namespace, name } = plan.cluster;
  const cluster = await after.get<Cluster>(kinds.cluster, { namespace, name });
  const infrastructure = awsName('cluster', cluster?.spec.infrastructureRef);
  const awsCluster = infrastructure && (await after.get(kinds.awsCluster, { namespace, name: infrastructure }));
  // If a plan was abandoned because of its length, not all machines are known.
  if (!cluster || !awsCluster || !plan.complete || cluster.metadata.deletionTimestamp) return undefined;
  const isRemoving = plan.owners.some(({ steps }) => steps.some(({ remove }) => remove.length > 0));
  const found = isRemoving ? await before.listOfCluster(kinds.awsMachine, namespace, name) : [];
  const instances = new Map(found.map((one) => [one.metadata.name, one]));
  const { more, less } = sumOf([
    await networkOf(before, awsCluster),
    ...(await Promise.all(plan.owners.map((owner) => ownerCharges(before, after, owner, { cluster, instances })))),
    ...(await Promise.all(plan.pools.map((pool) => poolCharges(before, after, pool, namespace)))),
  ]);
  if (more.length + less.length === 0) return undefined;
  const [plus, minus] = [more, less].map((charges) => estimateOf(charges, awsCluster.spec.region ?? '', lists));
  if (!plus || !minus) return undefined;
  return {
    cluster: `${namespace}/${name}`,
    usdPerMonth: Math.round(((plus.usdPerMonth ?? 0) - (minus.usdPerMonth ?? 0)) * 100) / 100,
    isPartial: plus.isLowerBound || minus.isLowerBound,
    sources: [...new Set([...plus.sources, ...minus.sources])],
  };
};

/**
 * How changes affect the cost of each cluster: `before` and `after` read the objects without and with them. A user who
 * may not read the objects needed gets no costs.
 */
export const costChanges = async (
  { before, after }: { before: Reads; after: Reads },
  clusters: readonly ClusterPlan[],
  lists: readonly PriceList[],
): Promise<CostChange[]> => {
  try {
    const found = await Promise.all(clusters.map((plan) => changeOf(before, after, plan, lists)));
    return found.filter((one) => one !== undefined);
  } catch (error) {
    if (error instanceof ApiError && error.status.code === 403) return [];
    throw error;
  }
};

/** The sentence for a plan; empty if the cost does not change. */
export const costChangeText = ({ usdPerMonth, isPartial, sources }: CostChange): string => {
  if (usdPerMonth === 0) return isPartial ? 'changes the cost by an amount that is not known: a price is missing' : '';
  const direction = usdPerMonth > 0 ? 'more' : 'less';
  const without = isPartial ? ', not counting what has no known price' : '';
  return `costs about ${amount(Math.abs(usdPerMonth))} USD a month ${direction}${without} (${sources.join(' and ')})`;
};
