import { type ClusterName, isOwnedBy, ownershipTag, ROLE_TAG } from '../../tags.ts';
import type { Ec2Bastion } from './api.ts';
import { BASTION_ROLE } from './launch.ts';
import type { ObservedBastion } from './model.ts';

const LIVE = ['pending', 'running', 'stopping', 'stopped', 'shutting-down'];

/** The cluster's bastions that are not gone yet; those being terminated come last. */
export const observeBastions = async (ec2: Ec2Bastion, cluster: ClusterName): Promise<ObservedBastion[]> => {
  const found = await ec2.describeBastions([
    { name: `tag:${ownershipTag(cluster.name)}`, values: ['owned'] },
    { name: `tag:${ROLE_TAG}`, values: [BASTION_ROLE] },
    { name: 'instance-state-name', values: LIVE },
  ]);
  const rank = ({ state }: ObservedBastion) => (state === 'shutting-down' ? 1 : 0);
  return found
    .filter(({ tags }) => isOwnedBy(cluster, tags))
    .sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1));
};
