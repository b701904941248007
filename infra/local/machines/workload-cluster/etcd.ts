/** etcd refused; the message is etcd's own. */
export class EtcdError extends Error {
  override readonly name = 'EtcdError';
}

interface Member {
  learner: boolean;
  /** Whether its machine runs. */
  alive: boolean;
}

/**
 * The membership of a stacked etcd cluster: who votes and who lives. What is stored is elsewhere; this decides whether
 * it can be reached. A machine that dies stays a member, as in life, until somebody removes it.
 */
export interface Etcd {
  /** Throws EtcdError while the cluster has no quorum, while another learner is being added, or if the name is taken. */
  addLearner(name: string): void;
  promote(name: string): void;
  remove(name: string): void;
  setAlive(name: string, alive: boolean): void;
  hasQuorum(): boolean;
  names(): string[];
}

/** A new cluster of one voting member. */
export const bootEtcd = (first: string): Etcd => {
  const members = new Map<string, Member>([[first, { learner: false, alive: true }]]);

  const hasQuorum = (): boolean => {
    const voters = [...members.values()].filter(({ learner }) => !learner);
    return voters.filter(({ alive }) => alive).length > voters.length / 2;
  };

  return {
    hasQuorum,
    names: () => [...members.keys()],
    addLearner: (name) => {
      if (!hasQuorum()) throw new EtcdError('etcdserver: request timed out');
      if (members.has(name)) throw new EtcdError('etcdserver: Peer URLs already exists');
      if ([...members.values()].some(({ learner }) => learner)) {
        throw new EtcdError('etcdserver: too many learner members in cluster');
      }
      members.set(name, { learner: true, alive: true });
    },
    promote: (name) => {
      const member = members.get(name);
      if (!member) throw new EtcdError('etcdserver: member not found');
      member.learner = false;
    },
    remove: (name) => {
      members.delete(name);
    },
    setAlive: (name, alive) => {
      const member = members.get(name);
      if (member) member.alive = alive;
    },
  };
};
