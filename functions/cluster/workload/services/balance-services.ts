import { ConflictError } from '../../../../shared/errors.ts';
import { balancesServices } from '../../../../shared/kinds/rules/cloud-controller.ts';
import { memoryOf } from '../../../../shared/plan/duties/settled.ts';
import {
  balancedClaim,
  type FailedService,
  unbalancedClaim,
  unreadFailure,
  wasBalanced,
} from '../../../../shared/plan/services/condition.ts';
import { SERVICES_ENTRY, servicesDigest } from '../../../../shared/plan/services/digest.ts';
import { balancedNodes } from '../../../../shared/plan/services/nodes.ts';
import {
  CLEANUP_FINALIZER,
  isRead,
  lacksFinalizer,
  needOf,
  type Service,
  serviceKey,
} from '../../../../shared/plan/services/service.ts';
import { mapConcurrently } from '../../../../shared/store/concurrency.ts';
import { type WorkloadClient, WorkloadRefusedError } from '../../../../shared/workload/client.ts';
import type { BalancerPort, BalancerResult } from '../../../providers/ports.ts';
import type { ProbeDependencies } from '../dependencies.ts';
import { type Duty, type OnDuty, onDuty, type Verdict } from '../duties/duty.ts';
import { applyResults } from './apply-results.ts';

/** The most load balancers that are created in one pass: an API server could list any number of Services. */
const MOST_NEW = 50;
const WRITES_AT_ONCE = 5;

/** The finalizer is set first: without it, a load balancer could be orphaned. */
const holdOne = async (client: WorkloadClient, service: Service): Promise<Service | FailedService> => {
  if (!lacksFinalizer(service)) return service;
  try {
    return await client.services.setFinalizers(service, [...service.finalizers, CLEANUP_FINALIZER]);
  } catch (error) {
    if (!(error instanceof ConflictError || error instanceof WorkloadRefusedError)) throw error;
    return { key: serviceKey(service), message: `no finalizer could be set: ${error.message}`, retry: 'soon' };
  }
};

const isHeld = (one: Service | FailedService): one is Service => 'uid' in one;

/** Services that need a change; the number of new ones is limited in each pass. */
const workOf = (services: readonly Service[], port: BalancerPort) => {
  const needing = services.filter(
    (service) => needOf(service) === 'removal' || (needOf(service) === 'balancer' && !port.isServedElsewhere(service)),
  );
  const fresh = needing.filter(lacksFinalizer);
  const now = [...needing.filter((service) => !lacksFinalizer(service)), ...fresh.slice(0, MOST_NEW)];
  return { now, later: needing.length - now.length };
};

type Balancing = OnDuty<BalancerPort>;

const settle = async (
  { deps, snapshot, port, nodes }: Balancing,
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
      now: deps.clock.now(),
    },
  );
};

const balance = async (balancing: Balancing): Promise<Verdict> => {
  const { deps, client, nodes, port, reconnected } = balancing;
  const services = await client.services.list();
  const { now, later } = workOf(services.filter(isRead), port);
  const held = await mapConcurrently(now, WRITES_AT_ONCE, (service) => holdOne(client, service));
  const ready = held.filter(isHeld);
  const results = await settle(balancing, ready);
  const applied = await reconnected((fresh) =>
    applyResults({ client: fresh, clock: deps.clock, log: deps.log }, ready, results),
  );
  const unread = services.flatMap((one) => (isRead(one) ? [] : [unreadFailure(one)]));
  const failed = [...held.flatMap((one) => (isHeld(one) ? [] : [one])), ...applied, ...unread];
  const waiting = later + [...results.values()].filter(({ outcome }) => outcome === 'waiting').length;
  const warnings = [...results.values()].flatMap((one) => ('warning' in one ? [one.warning ?? ''] : []));
  const claim = balancedClaim(now.length, failed, waiting, warnings);
  if (waiting > 0) return { claim };
  // Released Services need nothing any more: if they were part of the digest, they would be news to the next sweep.
  const left = services.filter(({ uid }) => results.get(uid)?.outcome !== 'removed');
  const retries = [...failed, ...results.values()].flatMap((one) => ('retry' in one ? (one.retry ?? []) : []));
  return { claim, digest: memoryOf(servicesDigest(left, nodes), retries) };
};

export const SERVICES_DUTY: Duty<BalancerPort> = {
  entry: SERVICES_ENTRY,
  isWanted: balancesServices,
  wasWanted: wasBalanced,
  portOf: (port) => port?.balancers,
  idleClaim: unbalancedClaim,
  subject: 'load balancers of Services',
  lacks: 'makes no load balancers for Services',
  stays: 'existing load balancers stay',
  carryOut: balance,
};

/**
 * Manages the load balancers for the Services of a workload cluster, as a cloud controller manager does, if the
 * annotation requests it. A condition of the Cluster reports the result; Services that fail get events in their cluster.
 */
export const balanceServices = (deps: ProbeDependencies) => onDuty(SERVICES_DUTY, deps);
