import { describeAwsError, isAlreadyExists, isNotFound, isUserNamedAbsence } from '../../../../shared/aws/errors.ts';
import type { Retry } from '../../../../shared/plan/duties/retry.ts';
import { AccountProblem, ServiceProblem } from '../../../../shared/providers/aws/services/annotations.ts';
import type { ClusterName } from '../../../../shared/providers/aws/tags.ts';
import { mapConcurrently } from '../../../../shared/store/concurrency.ts';
import type { ServiceCalls } from './dependencies.ts';
import type { Facts } from './facts.ts';
import { type ActionType, type Job, type Planned, planJob, type Sight } from './job.ts';
import { NOTHING_SEEN, observeJobs } from './look.ts';

/** The result of a job. */
export interface Settled {
  readonly job: Job;
  /** The last observed state. */
  readonly observed: Sight;
  /** The completed actions, in order. */
  readonly done: readonly ActionType[];
  /** The reason why it is not as desired. */
  readonly failure?: Failure;
}

export interface Failure {
  readonly message: string;
  readonly retry: Retry;
}

/** Load balancer, listeners, replaced targets, and a final read; and two more rounds for what AWS shows late. */
const MAX_ROUNDS = 6;
const SERVICES_AT_ONCE = 5;

/** AWS does not show a new resource everywhere yet, or still shows a deleted one. */
const isLate = (error: unknown): boolean => !isUserNamedAbsence(error) && (isNotFound(error) || isAlreadyExists(error));

/** False if the call failed because AWS was not consistent yet. */
const attempt = async (call: Promise<void>): Promise<boolean> => {
  try {
    await call;
    return true;
  } catch (error) {
    if (isLate(error)) return false;
    throw error;
  }
};

const failureOf = (error: unknown): Failure =>
  error instanceof ServiceProblem
    ? { message: error.message, retry: error instanceof AccountProblem ? 'hourly' : 'never' }
    : { message: describeAwsError(error), retry: 'soon' };

interface Advance {
  readonly job: Job;
  /** Whether there was anything to do. */
  readonly isOpen: boolean;
  readonly done: readonly ActionType[];
  readonly failure?: Failure;
}

/** One round for one Service: the completed actions, or the reason why it cannot continue. */
const advance = async ({ balancing }: ServiceCalls, before: Job, planned: () => Promise<Planned>): Promise<Advance> => {
  const done: ActionType[] = [];
  let job = before;
  try {
    const { plan, job: now } = await planned();
    job = now;
    const { network, classic } = plan;
    for (const action of network) if (await attempt(balancing.performService(action))) done.push(action.type);
    for (const action of classic) if (await attempt(balancing.performClassic(action))) done.push(action.type);
    const isOpen = network.length + classic.length > 0;
    return { job, isOpen, done, ...(job.problem && !isOpen ? { failure: failureOf(job.problem) } : {}) };
  } catch (error) {
    return { job, isOpen: false, done, failure: failureOf(error) };
  }
};

/**
 * Applies the load balancers of all jobs: reads all of them together, plans and changes each, and reads the changed
 * ones again. A Service that fails does not stop the others. Throws the errors of the reads.
 */
export const settleServices = async (
  calls: ServiceCalls,
  cluster: ClusterName,
  vpcId: string,
  facts: Facts,
  jobs: readonly Job[],
): Promise<Settled[]> => {
  const settled: Settled[] = [];
  let open: Settled[] = jobs.map((job) => ({ job, observed: NOTHING_SEEN, done: [] }));
  for (let round = 0; round < MAX_ROUNDS && open.length > 0; round += 1) {
    const jobsNow = open.map(({ job }) => job);
    const seen = await observeJobs(calls, { cluster, vpcId }, facts, jobsNow, round === 0);
    const advanced = await mapConcurrently(open, SERVICES_AT_ONCE, async ({ job, done }) => {
      const observed = seen(job);
      const step = await advance(calls, job, () => planJob(cluster, vpcId, facts, job, observed));
      const now = { job: step.job, observed, done: [...done, ...step.done] };
      return { isOpen: step.isOpen, now: step.failure === undefined ? now : { ...now, failure: step.failure } };
    });
    settled.push(...advanced.filter(({ isOpen }) => !isOpen).map(({ now }) => now));
    open = advanced.filter(({ isOpen }) => isOpen).map(({ now }) => now);
  }
  const failure: Failure = { message: 'AWS does not show the last changes yet', retry: 'soon' };
  const late = open.map((one) => ({ ...one, failure }));
  return [...settled, ...late];
};
