import { belongsToAnotherNamespace } from '../../plan/ownership/references.ts';
import { type ClusterName, cloudProviderTag, type Tags } from '../../tags.ts';
import type { NetworkAction } from '../model.ts';
import type { ObservedSubnet } from '../subnets/model.ts';
import { type DiscoveredSubnet, isPublicSubnet } from './discover.ts';

/**
 * The tags by which the cluster's own controllers find the subnets of a user's VPC. Only missing ones are set, and
 * never changed: the user's values stay. A tag of our own records which keys we set, so that the deletion removes only
 * those.
 */

const PREFIX = 'windlass.dev/tagged-for/';

const LACKED = 'lacks the tags that Services of type LoadBalancer need to find it';

/** The warning that a subnet could not be tagged. */
export const lackedTags = (subnet: string, why: string | undefined): string => `${subnet} ${LACKED}: ${why}`;

/** Whether warnings contain that of `lackedTags`. */
export const reportsLackedTags = (warnings: string): boolean => warnings.includes(LACKED);

const markTag = ({ namespace, name }: ClusterName): string => `${PREFIX}${namespace}/${name}`;

const wantedTags = (cluster: ClusterName, isPublic: boolean): Tags => ({
  [cloudProviderTag(cluster.name)]: 'shared',
  [isPublic ? 'kubernetes.io/role/elb' : 'kubernetes.io/role/internal-elb']: '1',
});

const keysIn = (mark: string | undefined): string[] => (mark ?? '').split(' ').filter(Boolean);

/** What to set on the subnets, one action for each that lacks something. */
export const planSharedTags = (cluster: ClusterName, discovered: readonly DiscoveredSubnet[]): NetworkAction[] =>
  discovered.flatMap((one): NetworkAction[] => {
    // Of another tenant's cluster nothing is changed, not even its tags.
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

/** Ours to remove; a role stays while another cluster depends on it. */
const keysToRemove = (cluster: ClusterName, tags: Tags): string[] => {
  const mark = markTag(cluster);
  const own = cloudProviderTag(cluster.name);
  const isShared = Object.keys(tags).some(
    (key) => (key.startsWith('kubernetes.io/cluster/') && key !== own) || (key.startsWith(PREFIX) && key !== mark),
  );
  const set = keysIn(tags[mark]).filter((key) => tags[key] !== undefined);
  return [...set.filter((key) => key === own || !isShared), mark];
};

/** Removes the tags that we set. */
export const planUnsharing = (cluster: ClusterName, subnets: readonly ObservedSubnet[]): NetworkAction[] =>
  subnets
    .filter(({ tags }) => tags[markTag(cluster)] !== undefined)
    .map(({ id, tags }) => ({ type: 'DeleteTags', resourceId: id, keys: keysToRemove(cluster, tags) }));
