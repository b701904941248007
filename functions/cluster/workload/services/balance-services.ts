import type { V1Node } from '@kubernetes/client-node';
import { describeError } from '../../../../shared/decode/describe-error.ts';
import { ConflictError } from '../../../../shared/errors.ts';
import { kinds } from '../../../../shared/kinds/index.ts';
import { balancesServices } from '../../../../shared/kinds/rules/cloud-controller.ts';
import { keyOf } from '../../../../shared/kube-api/object.ts';
import {
  balancedClaim,
  type FailedService,
  isSaid,
  unbalancedClaim,
  wasServed,
} from '../../../../shared/plan/services/condition.ts';
import { servicesDigest, settledServices, withSettledServices } from '../../../../shared/plan/services/digest.ts';
import { balancedNodes } from '../../../../shared/plan/services/nodes.ts';
import {
  CLEANUP_FINALIZER,
  lacksFinalizer,
  needOf,
  type Service,
  serviceKey,
} from '../../../../shared/plan/services/service.ts';
import { withClaim } from '../../../../shared/plan/status/claimed.ts';
import type { ConditionClaim } from '../../../../shared/plan/status/conditions.ts';
import { mapConcurrently } from '../../../../shared/store/concurrency.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import {
  type WorkloadClient,
  WorkloadRefusedError,
  WorkloadUnreachableError,
} from '../../../../shared/workload/client.ts';
import type { BalancerPort, BalancerResult } from '../../../providers/ports.ts';
import { cloudControllerIn } from '../../cloud-controller.ts';
import { readWorkloadTarget } from '../../kubeconfig-secret.ts';
import { type ClusterSnapshot, readCluster } from '../../snapshot.ts';
import { writtenFrom } from '../../staged.ts';
import type { ProbeDependencies } from '../dependencies.ts';
import type { Seen } from '../probe-operations.ts';
import { applyResults } from './apply-results.ts';

/** The limit of new load balancers in one pass: an API server could list any number of Services. */
const MOST_NEW = 50;
const WRITES_AT_ONCE = 5;

const say = async ({ objects, clock }: ProbeDependencies, { cluster }: ClusterSnapshot, claim: ConditionClaim) => {
  if (isSaid(cluster, claim)) return;
  await objects.mutate(kinds.cluster, keyOf(cluster), (current) =>
    current.metadata.uid === cluster.metadata.uid ? withClaim(current, claim, clock.now()) : undefined,
  );
};

/** The finalizer is set first: without it, a load balancer could be orphaned. */
const holdOne = async (client: WorkloadClient, service: Service): Promise<Service | FailedService> => {
  if (!lacksFinalizer(service)) return service;
  try {
    return await client.services.setFinalizers(service, [...service.finalizers, CLEANUP_FINALIZER]);
  } catch (error) {
    if (!(error instanceof ConflictError || error instanceof WorkloadRefusedError)) throw error;
    return { key: serviceKey(service), message: `no finalizer could be set: ${error.message}`, isFinal: false };
  }
};

const isHeld = (one: Service | FailedService): one is Service => 'uid' in one;

/** Services that need a change; new ones up to the limit of a pass. */
const workOf = (services: readonly Service[], port: BalancerPort) => {
  const needing = services.filter(
    (service) => needOf(service) === 'removal' || (needOf(service) === 'balancer' && !port.isServedElsewhere(service)),
  );
  const fresh = needing.filter(lacksFinalizer);
  const now = [...needing.filter((service) => !lacksFinalizer(service)), ...fresh.slice(0, MOST_NEW)];
  return { now, later: needing.length - now.length };
};

interface Balancing {
  deps: ProbeDependencies;
  snapshot: ClusterSnapshot;
  port: BalancerPort;
  client: WorkloadClient;
  nodes: readonly V1Node[];
}

/** The result of a pass. `digest`: of the state that needs no other pass until it changes. */
interface Verdict {
  claim: ConditionClaim;
  digest?: string;
}

const settle = async (
  { snapshot, port, nodes }: Balancing,
  services: readonly Service[],
): Promise<ReadonlyMap<string, BalancerResult>> => {
  const { cluster, infrastructureCluster } = snapshot;
  if (services.length === 0 || !infrastructureCluster) return new Map();
  const { namespace = '', name } = cluster.metadata;
  return port.settle(
    infrastructureCluster,
    { namespace, name },
    {
      wanted: services.filter((service) => needOf(service) === 'balancer'),
      leaving: services.filter((service) => needOf(service) === 'removal'),
      nodes: balancedNodes(nodes),
    },
  );
};

/** Stores the digest, so that the sweep does not request another pass until something changes. */
const remember = async (
  { objects }: ProbeDependencies,
  { provider, infrastructureCluster }: ClusterSnapshot,
  digest: string | undefined,
): Promise<void> => {
  if (!provider || !infrastructureCluster || settledServices(infrastructureCluster) === digest) return;
  await objects.mutate(
    provider.cluster,
    keyOf(infrastructureCluster),
    (current) => withSettledServices(current, digest),
    writtenFrom(infrastructureCluster),
  );
};

const balance = async (balancing: Balancing): Promise<Verdict> => {
  const { deps, client, nodes, port } = balancing;
  const services = await client.services.list();
  const { now, later } = workOf(services, port);
  const held = await mapConcurrently(now, WRITES_AT_ONCE, (service) => holdOne(client, service));
  const ready = held.filter(isHeld);
  const results = await settle(balancing, ready);
  const applied = await applyResults({ client, clock: deps.clock, log: deps.log }, ready, results);
  const failed = [...held.flatMap((one) => (isHeld(one) ? [] : [one])), ...applied];
  const waiting = later + [...results.values()].filter(({ outcome }) => outcome === 'waiting').length;
  const isSettled = failed.every(({ isFinal }) => isFinal) && waiting === 0;
  const claim = balancedClaim(now.length, failed, waiting);
  return isSettled ? { claim, digest: servicesDigest(services, nodes) } : { claim };
};

/** The condition if the Services could not be read, or the cloud did not answer. The pass continues. */
const failureClaim = ({ log }: ProbeDependencies, error: unknown): ConditionClaim => {
  const { reason } = describeError(error);
  if (error instanceof WorkloadUnreachableError || error instanceof WorkloadRefusedError) {
    return unbalancedClaim('NotReached', error.message);
  }
  log.warn('load balancers of Services could not be handled', { reason });
  return unbalancedClaim('CloudFailed', reason);
};

const look = async (deps: ProbeDependencies, snapshot: ClusterSnapshot, port: BalancerPort): Promise<Verdict> => {
  const target = await readWorkloadTarget(deps.objects, snapshot.cluster);
  if (!target) return { claim: unbalancedClaim('NotReached', 'the cluster has no kubeconfig yet') };
  const client = deps.connect(target);
  try {
    const other = await cloudControllerIn(deps.objects, client, snapshot.cluster);
    if (other) {
      return { claim: unbalancedClaim('OtherController', `${other} does this already: delete it, or the annotation`) };
    }
    return await balance({ deps, snapshot, port, client, nodes: await client.nodes() });
  } catch (error) {
    return { claim: failureClaim(deps, error) };
  } finally {
    await client.close();
  }
};

const verdictOn = async (deps: ProbeDependencies, snapshot: ClusterSnapshot): Promise<Verdict> => {
  const { cluster, provider } = snapshot;
  if (!balancesServices(cluster)) {
    return { claim: unbalancedClaim('NotRequested', 'the annotation is gone; existing load balancers stay') };
  }
  const port = deps.providers[provider?.name ?? '']?.balancers;
  if (port) return look(deps, snapshot, port);
  const kind = cluster.spec.infrastructureRef?.kind ?? 'infrastructure';
  return {
    claim: unbalancedClaim('NotOffered', `${kind} makes no load balancers for Services: delete the annotation`),
  };
};

/** Whether Services need to be handled: only if the annotation requests it, or did so before. */
export const concernsServices = ({ cluster }: ClusterSnapshot, seen: Seen | undefined): boolean =>
  balancesServices(cluster) ? seen?.reached === true : wasServed(cluster);

/**
 * Manages the load balancers for the Services of a created cluster, as a cloud controller manager does, if the
 * annotation requests it. A condition of the Cluster reports the result; Services that fail get events in their cluster.
 */
export const balanceServices =
  (deps: ProbeDependencies) =>
  async ({ cluster: ref }: Pick<ConvergeInput, 'cluster'>): Promise<void> => {
    const snapshot = await readCluster(deps.objects, ref);
    if (!snapshot || snapshot.cluster.metadata.deletionTimestamp) return;
    const { claim, digest } = await verdictOn(deps, snapshot);
    await remember(deps, snapshot, digest);
    await say(deps, snapshot, claim);
  };
