/** Finds the object for which a call was made, from the tags of AWS resources. */
import type { Event } from '../../../shared/kinds/index.ts';
import type { MadeCall } from './recording.ts';

export interface Cause {
  /** Undefined if no tag in the call names a cluster. */
  cluster: string | undefined;
  machine: string | undefined;
}

/** Windlass's own tag, and the tag of resources that Windlass shares or cleans up. */
const OF_A_CLUSTER = [/^sigs\.k8s\.io\/cluster-api-provider-aws\/cluster\/(.+)$/, /^kubernetes\.io\/cluster\/(.+)$/];
const OF_A_CONTROLLER = 'elbv2.k8s.aws/cluster';
const OF_A_MACHINE = 'MachineName';

type Tags = Readonly<Record<string, string>>;
type TagList = readonly { Key?: string; Value?: string }[];

/** The tags that the call sets. */
const given = ({ input }: MadeCall): Tags => {
  const { Tags = [], TagSpecifications = [] } = input as { Tags?: TagList; TagSpecifications?: { Tags?: TagList }[] };
  const all = [...Tags, ...TagSpecifications.flatMap((one) => one.Tags ?? [])];
  return Object.fromEntries(all.map(({ Key = '', Value = '' }) => [Key, Value]));
};

const clusterIn = (tags: Tags): string | undefined =>
  OF_A_CLUSTER.flatMap((pattern) => Object.keys(tags).flatMap((key) => pattern.exec(key)?.[1] ?? []))[0] ??
  tags[OF_A_CONTROLLER];

/** Finds the cause in the tags that the call sets, and in those that its resources already have. */
export const causeOf = (call: MadeCall): Cause => {
  const all = [given(call), ...call.touched.map(({ tags }) => tags)];
  const machine = all.flatMap((tags) => tags[OF_A_MACHINE] ?? [])[0];
  return { cluster: all.flatMap((tags) => clusterIn(tags) ?? [])[0], machine: machine?.split('/').at(-1) };
};

/**
 * Whether an event belongs to the machine, or to the cluster or one of its objects, whose names begin with the
 * cluster's name.
 */
export const isOfCause = ({ involvedObject }: Event, { cluster, machine }: Cause): boolean => {
  const { kind, name = '' } = involvedObject ?? {};
  if (cluster === undefined) return true;
  const isCluster = name === cluster && (kind === 'Cluster' || kind === 'AWSCluster');
  if (machine !== undefined) return name === machine || (isCluster && kind === 'Cluster');
  return isCluster || name.startsWith(`${cluster}-`);
};
