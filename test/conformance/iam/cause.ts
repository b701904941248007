/** For which object a call was made: AWS's resources say so by their tags. */
import type { Event } from '../../../shared/kinds/index.ts';
import type { MadeCall } from './recording.ts';

export interface Cause {
  /** Undefined where nothing that the call is about carries tags. */
  cluster: string | undefined;
  machine: string | undefined;
}

/** Ours, and those that are on what we share or clean up. */
const OF_A_CLUSTER = [/^sigs\.k8s\.io\/cluster-api-provider-aws\/cluster\/(.+)$/, /^kubernetes\.io\/cluster\/(.+)$/];
const OF_A_CONTROLLER = 'elbv2.k8s.aws/cluster';
const OF_A_MACHINE = 'MachineName';

type Tags = Readonly<Record<string, string>>;
type TagList = readonly { Key?: string; Value?: string }[];

/** The tags that the call gives. */
const given = ({ input }: MadeCall): Tags => {
  const { Tags = [], TagSpecifications = [] } = input as { Tags?: TagList; TagSpecifications?: { Tags?: TagList }[] };
  const all = [...Tags, ...TagSpecifications.flatMap((one) => one.Tags ?? [])];
  return Object.fromEntries(all.map(({ Key = '', Value = '' }) => [Key, Value]));
};

const clusterIn = (tags: Tags): string | undefined =>
  OF_A_CLUSTER.flatMap((pattern) => Object.keys(tags).flatMap((key) => pattern.exec(key)?.[1] ?? []))[0] ??
  tags[OF_A_CONTROLLER];

/** Of the tags that the call gives, and of those that its resources carry already. */
export const causeOf = (call: MadeCall): Cause => {
  const all = [given(call), ...call.touched.map(({ tags }) => tags)];
  const machine = all.flatMap((tags) => tags[OF_A_MACHINE] ?? [])[0];
  return { cluster: all.flatMap((tags) => clusterIn(tags) ?? [])[0], machine: machine?.split('/').at(-1) };
};

/** Whether an event is on the machine, or on the cluster or anything in it, whose names begin with that of the cluster. */
export const isOfCause = ({ involvedObject }: Event, { cluster, machine }: Cause): boolean => {
  const { kind, name = '' } = involvedObject ?? {};
  if (cluster === undefined) return true;
  const isCluster = name === cluster && (kind === 'Cluster' || kind === 'AWSCluster');
  if (machine !== undefined) return name === machine || (isCluster && kind === 'Cluster');
  return isCluster || name.startsWith(`${cluster}-`);
};
