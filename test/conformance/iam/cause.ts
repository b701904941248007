/** The object for which a call was made, according to the tags of AWS's resources. */
import type { Event } from '../../../shared/kinds/index.ts';
import type { MadeCall } from './recording.ts';

export interface Cause {
  /** Undefined if nothing in the call has tags. */
  cluster: string | undefined;
  machine: string | undefined;
}

/** Windlass's own, and those on resources that it shares or cleans up. */
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

/** The tags that the call sets, and those that its resources already have. */
export const causeOf = (call: MadeCall): Cause => {
  const all = [given(call), ...call.touched.map(({ tags }) => tags)];
  const machine = all.flatMap((tags) => tags[OF_A_MACHINE] ?? [])[0];
  return { cluster: all.flatMap((tags) => clusterIn(tags) ?? [])[0], machine: machine?.split('/').at(-1) };
};

/**
 * Whether an event is on the machine, or on the cluster or one of its objects, whose names begin with that of the
 * cluster.
 */
export const isOfCause = ({ involvedObject }: Event, { cluster, machine }: Cause): boolean => {
  const { kind, name = '' } = involvedObject ?? {};
  if (cluster === undefined) return true;
  const isCluster = name === cluster && (kind === 'Cluster' || kind === 'AWSCluster');
  if (machine !== undefined) return name === machine || (isCluster && kind === 'Cluster');
  return isCluster || name.startsWith(`${cluster}-`);
};
