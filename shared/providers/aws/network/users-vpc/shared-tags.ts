import { belongsToAnotherNamespace } from '../../plan/ownership/references.ts';
import { type ClusterName, cloudProviderTag, type Tags } from '../../tags.ts';
import type { NetworkAction } from '../model.ts';
import type { ObservedSubnet } from '../subnets/model.ts';
import { type DiscoveredSubnet, isPublicSubnet } from './discover.ts';

/**
 * The tags with which the cluster's own controllers find the subnets of a user's VPC. Only missing tags are set, and
 * existing values are never changed. A separate tag records which keys we have set, so that the deletion only removes
 * those.
 */

const PREFIX = 'windlass.dev/tagged-for/';

const LACKED = 'lacks the tags that Services of type LoadBalancer need to find it';

/** The warning that a subnet could not be tagged. */
export const lackedTags = (subnet: string, why: string | undefined): string => `${subnet} ${LACKED}: ${why}`;

/** Whether warnings contain the one from `lackedTags`. */
export const reportsLackedTags = (warnings: string): boolean => warnings.includes(LACKED);

const markTag = ({ namespace, name }: ClusterName): string => `${PREFIX}${namespace}/${name}`;

const wantedTags = (cluster: ClusterName, isPublic: boolean): Tags => ({
  [cloudProviderTag(cluster.name)]: 'shared',
  [isPublic ? 'kubernetes.io/role/elb' : 'kubernetes.io/role/internal-elb']: '1',
});

const keysIn = (mark: string | undefined): string[] => (mark ?? '').split(' ').filter(Boolean);

/** The tags to set on the subnets, one action for each subnet that lacks any. */
export const planSharedTags = (cluster: ClusterName, discovered: readonly DiscoveredSubnet[]): NetworkAction[] =>
  discovered.flatMap((one): NetworkAction[] => {
    // Nothing of another tenant's cluster is changed, not even tags.
    if (!one.found || belongsToAnotherNamespace(cluster.namespace, one.found.tags)) return [];
    const { id, tags } = one.found;
    const wanted = wantedTags(cluster, isPublicSubnet(one));
    const missing = Object.entries(wanted).filter(([key]) => tags[key] === undefined);
    if (missing.length === 0) return [];
    const mark = markTag(cluster);
    const keys = [...new Set([...keysIn(tags[mark]), ...missing.map(([key]) => key)])].sort();
    const set = { ...Object.fromEntries(missing), [mark]: keys.join(' ') };
    return [{ type: 'CreateTags', kind: 'subnet', resourceId: id, tags: set }];
  });

/** The keys that we may remove. A role is kept while another cluster depends on it. */
const keysToRemove = (cluster: ClusterName, tags: Tags): string[] => {
  const mark = markTag(cluster);
  const own = cloudProviderTag(cluster.name);
  const isShared = Object.keys(tags).some(
    (key) => (key.startsWith('kubernetes.io/cluster/') && key !== own) || (key.startsWith(PREFIX) && key !== mark),
  );
  const set = keysIn(tags[mark]).filter((key) => tags[key] !== undefined);
  return [...set.filter((key) => key === own || !isShared), mark];
};

/** Removes the tags that we have set. */
export const planUnsharing = (cluster: ClusterName, subnets: readonly ObservedSubnet[]): NetworkAction[] =>
  subnets
    .filter(({ tags }) => tags[markTag(cluster)] !== undefined)
    .map(({ id, tags }) => ({ type: 'DeleteTags', resourceId: id, keys: keysToRemove(cluster, tags) }));
