import { ConflictError } from '../../../../shared/errors.ts';
import { balancesServices } from '../../../../shared/kinds/rules/cloud-controller.ts';
import {
  balancedClaim,
  type FailedService,
  unbalancedClaim,
  wasBalanced,
} from '../../../../shared/plan/services/condition.ts';
import { SERVICES_ENTRY, servicesDigest } from '../../../../shared/plan/services/digest.ts';
import { balancedNodes } from '../../../../shared/plan/services/nodes.ts';
import {
  CLEANUP_FINALIZER,
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

/** Services that get a load balancer in one pass: an API server could list any number. */
const MOST_NEW = 50;
const WRITES_AT_ONCE = 5;

/** The finalizer first: a load balancer that nothing remembers would be an orphan. */
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

/** Those that need something; of new ones at most as many as a pass handles. */
const workOf = (services: readonly Service[], port: BalancerPort) => {
  const needing = services.filter(
    (service) => needOf(service) === 'removal' || (needOf(service) === 'balancer' && !port.isServedElsewhere(service)),
  );
  const fresh = needing.filter(lacksFinalizer);
  const now = [...needing.filter((service) => !lacksFinalizer(service)), ...fresh.slice(0, MOST_NEW)];
  return { now, waiting: needing.length - now.length };
};

type Balancing = OnDuty<BalancerPort>;

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

const balance = async (balancing: Balancing): Promise<Verdict> => {
  const { deps, client, nodes, port } = balancing;
  const services = await client.services.list();
  const { now, waiting } = workOf(services, port);
  const held = await mapConcurrently(now, WRITES_AT_ONCE, (service) => holdOne(client, service));
  const ready = held.filter(isHeld);
  const results = await settle(balancing, ready);
  const applied = await applyResults({ client, clock: deps.clock, log: deps.log }, ready, results);
  const failed = [...held.flatMap((one) => (isHeld(one) ? [] : [one])), ...applied];
  const isSettled = failed.every(({ isFinal }) => isFinal) && waiting === 0;
  const claim = balancedClaim(now.length, failed, waiting);
  return isSettled ? { claim, digest: servicesDigest(services, nodes) } : { claim };
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
 * Gives the Services of a created cluster their load balancers, as a cloud controller manager does, if the annotation
 * asks for it. A condition of the Cluster says how it went; Services that fail have events in their own cluster.
 */
export const balanceServices = (deps: ProbeDependencies) => onDuty(SERVICES_DUTY, deps);
