import { readJson } from '../decode/json.ts';
import type { EtcdMember, EtcdView } from '../plan/control-plane/etcd-view.ts';

/**
 * The commands of `etcdctl` and the format of their output, for one etcd cluster. This code is pure: the commands run
 * elsewhere.
 */

export const MEMBER_LIST: readonly string[] = ['member', 'list', '--write-out=json'];
/**
 * Queries every member, not only the one to which the command is sent. Fails if any member does not answer, but still
 * reports the others. The members are queried one after the other, and each one that does not answer takes the full
 * timeout.
 */
export const ENDPOINT_STATUS: readonly string[] = [
  'endpoint',
  'status',
  '--cluster',
  '--command-timeout=2s',
  '--write-out=json',
];
export const ALARM_LIST: readonly string[] = ['alarm', 'list', '--write-out=json'];
export const memberRemove = (id: string): readonly string[] => ['member', 'remove', id];
/** Must be sent to the leader. */
export const moveLeader = (id: string): readonly string[] => ['move-leader', id];

/** Ids have 64 bits, which a JSON number cannot represent exactly here. */
const parse = (text: string): unknown =>
  readJson(text.replace(/("(?:ID|memberID|member_id|leader)"\s*:\s*)(\d+)/g, '$1"$2"'));

const hex = (id: string | undefined): string => BigInt(id ?? '0').toString(16);

/** The length limit for a member's name: the name of a node and a suffix of the distribution. */
const MAX_NAME = 300;

/** Names are quoted in events, and the pod that writes them may be a tenant's own. Throws for an invalid name. */
const readName = (name: unknown): string => {
  if (typeof name !== 'string' || name.length > MAX_NAME) throw new Error('the name of a member is not a name');
  return name;
};

/** Parses the output of MEMBER_LIST. Throws for output that etcd would not write. */
export const parseMembers = (text: string): EtcdMember[] => {
  const { members = [] } = parse(text) as {
    members?: { ID: string; name?: unknown; isLearner?: boolean; peerURLs?: string[] }[];
  };
  return members.map(({ ID, name = '', isLearner = false, peerURLs = [] }) => ({
    id: hex(ID),
    name: readName(name),
    learner: isLearner,
    hosts: peerURLs.map((url) => new URL(url).hostname.replace(/^\[|\]$/g, '')),
  }));
};

/** By their numbers in etcd's protocol. */
const ALARMS = ['NONE', 'NOSPACE', 'CORRUPT'];

/** Parses the output of ALARM_LIST. */
export const parseAlarms = (text: string): EtcdView['alarms'] => {
  const { alarms = [] } = parse(text) as { alarms?: { memberID?: string; alarm?: number }[] };
  return new Map(alarms.map(({ memberID, alarm = 0 }) => [hex(memberID), ALARMS[alarm] ?? String(alarm)]));
};

/** Parses the output of ENDPOINT_STATUS. Text that is not JSON means that no member has answered. */
export const parseStatus = (text: string): Pick<EtcdView, 'leader' | 'reachable'> => {
  if (!text.trimStart().startsWith('[')) return { leader: undefined, reachable: new Set() };
  const answers = parse(text) as { Status?: { leader?: string; header?: { member_id?: string } } }[];
  const told = answers.flatMap(({ Status }) => (Status?.header ? [Status] : []));
  const leader = told.map(({ leader: id }) => hex(id)).find((id) => id !== '0');
  return { leader, reachable: new Set(told.map(({ header }) => hex(header?.member_id))) };
};
