import { describeAwsError, isAlreadyExists, isNotFound } from '../../../../shared/aws/errors.ts';
import type { Service } from '../../../../shared/plan/services/service.ts';
import { ServiceProblem } from '../../../../shared/providers/aws/services/annotations.ts';
import type {
  DesiredService,
  ObservedService,
  ServiceAction,
} from '../../../../shared/providers/aws/services/model.ts';
import { serviceBalancerName, serviceGroupPrefix } from '../../../../shared/providers/aws/services/names.ts';
import { planService, planServiceRemoval } from '../../../../shared/providers/aws/services/plan.ts';
import type { Sought } from '../../../../shared/providers/aws/services/reads-api.ts';
import type { ServicePlaces } from '../../../../shared/providers/aws/services/subnets.ts';
import type { ClusterName } from '../../../../shared/providers/aws/tags.ts';
import { mapConcurrently } from '../../../../shared/store/concurrency.ts';
import type { ServiceCalls } from './dependencies.ts';
import type { Facts } from './facts.ts';

/** A Service whose load balancer is to be as desired, or to go. */
export type Job = { readonly service: Service; readonly desired?: DesiredService };

/** How a job ended. */
export interface Settled {
  readonly job: Job;
  /** The last look. */
  readonly observed: ObservedService;
  /** What was done, in order. */
  readonly done: readonly ServiceAction['type'][];
  /** Why it is not as desired. */
  readonly failure?: Failure;
}

/** `isFinal`: the Service must be changed. */
export interface Failure {
  readonly message: string;
  readonly isFinal: boolean;
}

/** Load balancer, listeners, targets that are exchanged, a last look; and two more for what AWS shows late. */
const MAX_ROUNDS = 6;
const SERVICES_AT_ONCE = 5;

const soughtOf = ({ service, desired }: Job): Sought => ({
  balancer: serviceBalancerName(service),
  groupPrefix: serviceGroupPrefix(service),
  withAttributes: Object.keys(desired?.groupAttributes ?? {}).length > 0,
});

/** Nothing of what is planned for a new load balancer needs to know where it goes, except its creation. */
const NOWHERE: Omit<ServicePlaces, 'vpcId' | 'subnets'> = { routeTables: [], zoneTypes: new Map() };

const planOf = async (
  cluster: ClusterName,
  vpcId: string,
  facts: Facts,
  { service, desired }: Job,
  observed: ObservedService,
): Promise<ServiceAction[]> => {
  if (!desired) return planServiceRemoval(cluster, service, observed);
  const places = observed.balancer ? { ...NOWHERE, vpcId, subnets: facts.subnets } : await facts.places();
  return planService(cluster, desired, observed, places);
};

/** AWS does not show everywhere yet what was made a moment ago, or shows what has just gone. */
const isLate = (error: unknown): boolean => isNotFound(error) || isAlreadyExists(error);

const perform = async (calls: ServiceCalls, action: ServiceAction): Promise<boolean> => {
  try {
    await calls.balancing.performService(action);
    return true;
  } catch (error) {
    if (isLate(error)) return false;
    throw error;
  }
};

export const failureOf = (error: unknown): Failure =>
  error instanceof ServiceProblem
    ? { message: error.message, isFinal: true }
    : { message: describeAwsError(error), isFinal: false };

/** One round for one Service: what it did, or why it cannot go on. */
const advance = async (
  calls: ServiceCalls,
  plan: () => Promise<ServiceAction[]>,
): Promise<{ actions: readonly ServiceAction[]; done: ServiceAction['type'][]; failure?: Failure }> => {
  const done: ServiceAction['type'][] = [];
  try {
    const actions = await plan();
    for (const action of actions) if (await perform(calls, action)) done.push(action.type);
    return { actions, done };
  } catch (error) {
    return { actions: [], done, failure: failureOf(error) };
  }
};

const NOTHING: ObservedService = { listeners: [], groups: [] };

/**
 * Brings the load balancers of all jobs to where they should be: looks at all of them together, plans each, acts, and looks
 * again at those that were changed. A Service that fails stops no other. Throws what the looks throw.
 */
export const settleServices = async (
  calls: ServiceCalls,
  cluster: ClusterName,
  vpcId: string,
  facts: Facts,
  jobs: readonly Job[],
): Promise<Settled[]> => {
  const settled: Settled[] = [];
  let open: Settled[] = jobs.map((job) => ({ job, observed: NOTHING, done: [] }));
  for (let round = 0; round < MAX_ROUNDS && open.length > 0; round += 1) {
    const seen = await calls.balancing.observeServices(open.map(({ job }) => soughtOf(job)));
    const advanced = await mapConcurrently(open, SERVICES_AT_ONCE, async ({ job, done }) => {
      const observed = seen.get(serviceBalancerName(job.service)) ?? NOTHING;
      const step = await advance(calls, () => planOf(cluster, vpcId, facts, job, observed));
      const now = { job, observed, done: [...done, ...step.done] };
      const isOpen = step.failure === undefined && step.actions.length > 0;
      return { isOpen, now: step.failure === undefined ? now : { ...now, failure: step.failure } };
    });
    settled.push(...advanced.filter(({ isOpen }) => !isOpen).map(({ now }) => now));
    open = advanced.filter(({ isOpen }) => isOpen).map(({ now }) => now);
  }
  const failure = { message: 'AWS does not show the last changes yet', isFinal: false };
  const late = open.map((one) => ({ ...one, failure }));
  return [...settled, ...late];
};
