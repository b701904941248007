/** What `etcdctl` is asked and how its answers read, for one etcd cluster. Pure: who runs the commands is elsewhere. */

/** A member as the member list has it. Ids are hexadecimal, as etcdctl takes them. */
export interface EtcdMember {
  id: string;
  /** Empty for a member that was added and has never started. kubeadm names members after their nodes. */
  name: string;
  learner: boolean;
}

/** What is known of a cluster at one moment. */
export interface EtcdView {
  members: EtcdMember[];
  /** The id of the leader; undefined when no member that could be asked knows one. */
  leader: string | undefined;
  /** Ids of the members that answered. */
  reachable: ReadonlySet<string>;
}

export const MEMBER_LIST: readonly string[] = ['member', 'list', '--write-out=json'];
/** Asks every member, not only the one that the command is sent to; fails if any does not answer, and tells of the rest. */
export const ENDPOINT_STATUS: readonly string[] = ['endpoint', 'status', '--cluster', '--write-out=json'];
export const memberRemove = (id: string): readonly string[] => ['member', 'remove', id];
/** Has to be sent to the leader. */
export const moveLeader = (id: string): readonly string[] => ['move-leader', id];

/** Ids are 64 bits wide, more than a JSON number can hold here. */
const parse = (text: string): unknown => JSON.parse(text.replace(/("(?:ID|member_id|leader)"\s*:\s*)(\d+)/g, '$1"$2"'));

const hex = (id: string | undefined): string => BigInt(id ?? '0').toString(16);

/** Reads the answer to MEMBER_LIST. */
export const parseMembers = (text: string): EtcdMember[] => {
  const { members = [] } = parse(text) as { members?: { ID: string; name?: string; isLearner?: boolean }[] };
  return members.map(({ ID, name = '', isLearner = false }) => ({ id: hex(ID), name, learner: isLearner }));
};

/** Reads the answer to ENDPOINT_STATUS; text that is no JSON, where nobody answered, is nobody. */
export const parseStatus = (text: string): Pick<EtcdView, 'leader' | 'reachable'> => {
  if (!text.trimStart().startsWith('[')) return { leader: undefined, reachable: new Set() };
  const answers = parse(text) as { Status?: { leader?: string; header?: { member_id?: string } } }[];
  const told = answers.flatMap(({ Status }) => (Status?.header ? [Status] : []));
  const leader = told.map(({ leader: id }) => hex(id)).find((id) => id !== '0');
  return { leader, reachable: new Set(told.map(({ header }) => hex(header?.member_id))) };
};
