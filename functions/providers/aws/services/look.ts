import { ownGroupName } from '../../../../shared/providers/aws/services/classic/groups.ts';
import type { ObservedService } from '../../../../shared/providers/aws/services/model.ts';
import { serviceBalancerName, serviceGroupPrefix } from '../../../../shared/providers/aws/services/names.ts';
import type { Sought } from '../../../../shared/providers/aws/services/reads-api.ts';
import { isOfService } from '../../../../shared/providers/aws/services/service-tags.ts';
import type { ClusterName } from '../../../../shared/providers/aws/tags.ts';
import type { ServiceCalls } from './dependencies.ts';
import { type Facts, groupsNamed } from './facts.ts';
import type { Job, Sight } from './job.ts';

const NOTHING: ObservedService = { listeners: [], groups: [] };

const soughtOf = (cluster: ClusterName, { service, desired }: Job): Sought => ({
  balancer: serviceBalancerName(service),
  groupPrefix: serviceGroupPrefix(service),
  withAttributes: desired?.type === 'network' && Object.keys(desired.groupAttributes).length > 0,
  isOwn: (tags) => isOfService(cluster, service, tags),
});

/**
 * Reads the resources of all jobs. The first read covers both generations, because only AWS knows which load balancer a
 * Service has; later reads cover only the generation of the job.
 */
export const observeJobs = async (
  calls: ServiceCalls,
  { cluster, vpcId }: { cluster: ClusterName; vpcId: string },
  facts: Facts,
  jobs: readonly Job[],
  isFirst: boolean,
): Promise<(job: Job) => Sight> => {
  const network = jobs.filter(({ desired }) => isFirst || desired?.type !== 'classic');
  const classic = jobs.filter(({ desired }) => isFirst || desired?.type !== 'network');
  const groupNames = isFirst ? [] : classic.map(({ service }) => ownGroupName(service));
  const [services, classics, groups] = await Promise.all([
    calls.balancing.observeServices(network.map((job) => soughtOf(cluster, job))),
    calls.balancing.observeClassics(classic.map(({ service }) => serviceBalancerName(service))),
    groupsNamed(calls, vpcId, groupNames),
  ]);
  return (job) => {
    const name = serviceBalancerName(job.service);
    const found = classics.get(name);
    const known = classic.includes(job) && !isFirst ? groups : facts.serviceGroups;
    const ownGroup = known.find((group) => group.name === ownGroupName(job.service));
    return { ...(services.get(name) ?? NOTHING), ...(found && { classic: found }), ...(ownGroup && { ownGroup }) };
  };
};

/** The initial state of a job. */
export const NOTHING_SEEN: Sight = NOTHING;
