import { etcdAccess } from '../../../shared/distributions/kubeadm/etcd-access.ts';
import type { CommandResult } from '../../../shared/workload/client.ts';
import {
  ENDPOINT_STATUS,
  MEMBER_LIST,
  moveLeader,
  parseMembers,
  parseStatus,
} from '../../../shared/workload/etcdctl.ts';
import { type Answer, normalise, shapeOf } from './normalise.ts';
import type { EtcdSubject } from './subject.ts';

const access = etcdAccess();

/** Runs the command lines of the workflow steps on a cluster, and returns comparable responses. */
export const makePlayer = (subject: EtcdSubject) => {
  const ids = new Map<string, string>();
  const shapes = new Map<string, string[]>();
  const run = (node: string, args: readonly string[]): Promise<CommandResult> =>
    subject.execute({
      namespace: 'kube-system',
      pod: access.pod(node),
      container: access.container,
      command: [...access.etcdctl(), ...args],
    });
  const names = (): ReadonlyMap<string, string> => new Map([...ids].map(([name, id]) => [id, name]));

  return {
    /** The id of a current or former member. */
    idOf: (name: string): string => ids.get(name) ?? '',
    /** Reads the ids of the members from a node. `unstarted` is the name of a member that has none yet. */
    meet: async (node: string, unstarted = '?'): Promise<void> => {
      for (const { id, name } of parseMembers((await run(node, MEMBER_LIST)).stdout)) ids.set(name || unstarted, id);
    },
    /** Makes a member the leader, if it is not the leader already. */
    lead: async (node: string): Promise<void> => {
      const { leader } = parseStatus((await run(node, ENDPOINT_STATUS)).stdout);
      const from = leader && names().get(leader);
      if (from && from !== node) await run(from, moveLeader(ids.get(node) ?? ''));
    },
    ask: async (node: string, args: readonly string[]): Promise<Answer> => {
      const result = await run(node, args);
      if (/^[[{]/.test(result.stdout)) shapes.set(args.slice(0, 2).join(' '), shapeOf(JSON.parse(result.stdout)));
      return normalise(args, result, names());
    },
    /** The paths and types in all JSON responses, by command. */
    shapes: (): ReadonlyMap<string, string[]> => shapes,
  };
};
