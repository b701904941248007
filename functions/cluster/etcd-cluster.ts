import type { EtcdAccess } from '../../shared/distributions/distribution.ts';
import type { EtcdMembership, EtcdView } from '../../shared/plan/control-plane/etcd-view.ts';
import { type CommandResult, type PodCommand, WorkloadUnreachableError } from '../../shared/workload/client.ts';
import {
  ALARM_LIST,
  ENDPOINT_STATUS,
  MEMBER_LIST,
  memberRemove,
  moveLeader,
  parseAlarms,
  parseMembers,
  parseStatus,
} from '../../shared/workload/etcdctl.ts';
import type { ConfigOf } from './etcd-configs.ts';

/**
 * The etcd of a control plane, through `etcdctl` in its pods. Methods throw WorkloadUnreachableError if no pod answers.
 */
export interface EtcdCluster {
  /** The current members, by the names of their nodes, and the current alarms. */
  membership(): Promise<EtcdMembership>;
  /** Like `membership`, with the leader and the members that respond. Takes seconds for each that does not. */
  view(): Promise<EtcdView>;
  /** Moves the leadership from its holder, the node `from`, to the member `to`. */
  moveLeader(from: string, to: string): Promise<void>;
  remove(member: string): Promise<void>;
}

type Run = (command: PodCommand) => Promise<CommandResult>;

const said = ({ stderr, stdout }: CommandResult): string =>
  (stderr || stdout).trim().split('\n').at(-1)?.slice(0, MAX_SAID) ?? '';

const MAX_SAID = 500;

/** The pod runs in a tenant's cluster, so its output may contain anything. */
const readAnswer = <T>(args: readonly string[], read: (text: string) => T, text: string): T => {
  try {
    return read(text);
  } catch {
    throw new WorkloadUnreachableError(
      `etcd did not respond to ${args.slice(0, 2).join(' ')}: its response is not readable`,
    );
  }
};

/** Access to the members for commands. */
export interface EtcdCommands {
  access: EtcdAccess;
  run: Run;
  configOf: ConfigOf;
}

/** `nodes`: the nodes whose pods may be queried, in the order in which they are tried. */
export const etcdCluster = ({ access, run, configOf }: EtcdCommands, nodes: readonly string[]): EtcdCluster => {
  const ask = async (node: string, args: readonly string[]): Promise<CommandResult> =>
    run({
      namespace: 'kube-system',
      pod: access.pod(node),
      container: access.container,
      command: [...access.etcdctl(await configOf(node)), ...args],
    });

  /** The first answer for which `isGood` holds; otherwise throws the reason of the last one. */
  const askAny = async (args: readonly string[], isGood: (result: CommandResult) => boolean): Promise<string> => {
    let reason = 'there is no other control plane node';
    for (const node of nodes) {
      try {
        const result = await ask(node, args);
        if (isGood(result)) return result.stdout;
        reason = said(result);
      } catch (error) {
        if (!(error instanceof WorkloadUnreachableError)) throw error;
        reason = error.message;
      }
    }
    throw new WorkloadUnreachableError(`etcd did not respond to ${args.slice(0, 2).join(' ')}: ${reason}`);
  };

  const succeeded = ({ code }: CommandResult): boolean => code === 0;
  const members = async () => {
    const named = readAnswer(MEMBER_LIST, parseMembers, await askAny(MEMBER_LIST, succeeded));
    return named.map((member) => ({ ...member, name: access.nodeOf(member.name) }));
  };
  const alarms = async () => readAnswer(ALARM_LIST, parseAlarms, await askAny(ALARM_LIST, succeeded));
  const status = async () =>
    // Fails if a member does not respond, but still reports the others.
    readAnswer(ENDPOINT_STATUS, parseStatus, await askAny(ENDPOINT_STATUS, ({ stdout }) => stdout.trim() !== ''));

  return {
    membership: async () => {
      const [listed, raised] = await Promise.all([members(), alarms()]);
      return { members: listed, alarms: raised };
    },
    view: async () => {
      const listed = await members();
      const [responses, raised] = await Promise.all([status(), alarms()]);
      return { members: listed, ...responses, alarms: raised };
    },
    moveLeader: async (from, to) => {
      const result = await ask(from, moveLeader(to));
      if (!succeeded(result)) throw new WorkloadUnreachableError(`etcd did not move its leader: ${said(result)}`);
    },
    remove: async (member) => void (await askAny(memberRemove(member), succeeded)),
  };
};
