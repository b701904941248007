import type { Retry } from '../../../../shared/plan/duties/retry.ts';
import type { Service } from '../../../../shared/plan/services/service.ts';
import { SERVICE_ANNOTATION, ServiceProblem } from '../../../../shared/providers/aws/services/annotations.ts';
import type { ClassicAction, DesiredClassic } from '../../../../shared/providers/aws/services/classic/model.ts';
import {
  type ClassicSight,
  planClassic,
  planClassicRemoval,
  planInstances,
} from '../../../../shared/providers/aws/services/classic/plan.ts';
import type {
  DesiredService,
  ObservedService,
  ServiceAction,
} from '../../../../shared/providers/aws/services/model.ts';
import { planService, planServiceRemoval, planTargets } from '../../../../shared/providers/aws/services/plan.ts';
import { isOfService } from '../../../../shared/providers/aws/services/service-tags.ts';
import type { ServicePlaces } from '../../../../shared/providers/aws/services/subnets.ts';
import type { ClusterName, Tags } from '../../../../shared/providers/aws/tags.ts';
import type { Facts } from './facts.ts';

/** A Service whose load balancer must be applied or removed. */
export interface Job {
  readonly service: Service;
  readonly desired?: DesiredService | DesiredClassic;
  /** The cluster's own instances to which it forwards; undefined for a removal. */
  readonly instanceIds?: readonly string[];
  /** Why nothing is desired although the Service needs a load balancer. Targets of an existing one follow the nodes. */
  readonly problem?: ServiceProblem;
  /** A problem that does not prevent the desired state of the load balancer. */
  readonly warning?: string;
  /** When another pass may find the problem solved. */
  readonly retry?: Retry;
}

/** The resources that exist under the names of one Service, in both generations. */
export type Sight = ObservedService & ClassicSight;

/** The next actions in each generation. */
export interface JobPlan {
  readonly network: readonly ServiceAction[];
  readonly classic: readonly ClassicAction[];
}

export type ActionType = ServiceAction['type'] | ClassicAction['type'];

/** Of all actions on a network load balancer, only its creation depends on the places. */
const NOWHERE: Omit<ServicePlaces, 'vpcId' | 'subnets'> = { routeTables: [], zoneTypes: new Map() };

const otherType = (now: string): ServiceProblem =>
  new ServiceProblem(
    `annotation ${SERVICE_ANNOTATION.type}: cannot be changed while the Service has its ${now} load balancer; set it back, or delete the Service`,
  );

/** Throws ServiceProblem, also for an existing load balancer of the other type: it may be in use. */
const planWhole = async (
  cluster: ClusterName,
  vpcId: string,
  facts: Facts,
  { service, desired }: Job,
  observed: Sight,
): Promise<JobPlan> => {
  const { balancer, classic } = observed;
  const isOurs = (one: { tags: Tags; vpcId: string } | undefined) =>
    one !== undefined && isOfService(cluster, service, one.tags) && one.vpcId === vpcId;
  if (!desired) {
    const network = planServiceRemoval(cluster, service, observed, vpcId);
    return { network, classic: planClassicRemoval(cluster, service, observed, vpcId) };
  }
  if (desired.type === 'classic') {
    if (isOurs(balancer)) throw otherType('network');
    return { network: [], classic: planClassic(cluster, desired, observed, await facts.places()) };
  }
  if (isOurs(classic)) throw otherType('classic');
  const places = balancer ? { ...NOWHERE, vpcId, subnets: facts.subnets } : await facts.places();
  return { network: planService(cluster, desired, observed, places), classic: [] };
};

/** A job and what is to be done for it now. */
export interface Planned {
  readonly job: Job;
  readonly plan: JobPlan;
}

/**
 * Plans a job. After a problem with its Service the job only keeps the targets of an existing load balancer: nothing is
 * desired any more, and the next rounds look for load balancers of both types.
 */
export const planJob = async (
  cluster: ClusterName,
  vpcId: string,
  facts: Facts,
  job: Job,
  observed: Sight,
): Promise<Planned> => {
  const { service, instanceIds, problem, retry } = job;
  if (problem && instanceIds) {
    const network = planTargets(cluster, service, instanceIds, observed, vpcId);
    return { job, plan: { network, classic: planInstances(cluster, service, instanceIds, observed, vpcId) } };
  }
  try {
    return { job, plan: await planWhole(cluster, vpcId, facts, job, observed) };
  } catch (error) {
    if (!(error instanceof ServiceProblem && instanceIds)) throw error;
    const refused: Job = { service, instanceIds, problem: error, ...(retry ? { retry } : {}) };
    return planJob(cluster, vpcId, facts, refused, observed);
  }
};
