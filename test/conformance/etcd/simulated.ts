import { bootEtcd, EtcdError } from '../../../infra/local/machines/workload-cluster/etcd.ts';
import { runEtcdctl } from '../../../infra/local/machines/workload-cluster/etcdctl.ts';
import { type PodCommand, WorkloadUnreachableError } from '../../../shared/workload/client.ts';
import type { StartEtcd } from './subject.ts';

const hostOf = (name: string) => ({ owner: `i-${name}`, address: '127.0.0.1' });

/** Starts the etcd of the simulated machines, with the etcdctl of their pods. */
export const startSimulatedEtcd: StartEtcd = async ([first = '', ...others]) => {
  const etcd = bootEtcd(first, hostOf(first));
  const dead = new Set<string>();
  for (const name of others) {
    etcd.addLearner(name, hostOf(name));
    etcd.promote(name);
  }
  return {
    execute: async ({ pod, command }: PodCommand) => {
      const member = pod.slice('etcd-'.length);
      if (dead.has(member)) throw new WorkloadUnreachableError('no route to host');
      return runEtcdctl(etcd, member, command.slice(1));
    },
    addLearner: async (name) => {
      try {
        etcd.addLearner(name, hostOf(name));
        return undefined;
      } catch (error) {
        if (error instanceof EtcdError) return error.message;
        throw error;
      }
    },
    // A simulated member starts when it is promoted.
    start: async () => {},
    promote: async (name) => etcd.promote(name),
    kill: async (name) => {
      dead.add(name);
      etcd.setAlive(name, false);
    },
    fill: async (name) => etcd.setFull(name, true),
    settle: async () => {},
    stop: async () => {},
  };
};
