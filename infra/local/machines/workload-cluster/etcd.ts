/** etcd refused; the message is etcd's own. */
export class EtcdError extends Error {
  override readonly name = 'EtcdError';
}

interface Member {
  /** The instance that it runs on. */
  owner: string;
  learner: boolean;
  /** Whether its machine runs. */
  alive: boolean;
}

/**
 * The membership of a stacked etcd cluster: who votes and who lives. What is stored is elsewhere; this decides whether
 * it can be reached. A machine that dies stays a member, as in life, until somebody removes it.
 */
export interface Etcd {
  /**
   * Adds a member that does not vote yet; a machine that tries again finds its own. Throws EtcdError while the cluster
   * has no quorum, while another learner is being added, or if another machine has the name.
   */
  addLearner(name: string, owner: string): void;
  promote(name: string): void;
  remove(name: string): void;
  setAlive(name: string, alive: boolean): void;
  hasQuorum(): boolean;
  names(): string[];
}

/** A new cluster of one voting member. */
export const bootEtcd = (first: string, owner: string): Etcd => {
  const members = new Map<string, Member>([[first, { owner, learner: false, alive: true }]]);

  const hasQuorum = (): boolean => {
    const voters = [...members.values()].filter(({ learner }) => !learner);
    return voters.filter(({ alive }) => alive).length > voters.length / 2;
  };

  return {
    hasQuorum,
    names: () => [...members.keys()],
    addLearner: (name, machine) => {
      if (!hasQuorum()) throw new EtcdError('etcdserver: request timed out');
      const present = members.get(name);
      if (present?.owner === machine) return;
      if (present) throw new EtcdError('etcdserver: Peer URLs already exists');
      if ([...members.values()].some(({ learner }) => learner)) {
        throw new EtcdError('etcdserver: too many learner members in cluster');
      }
      members.set(name, { owner: machine, learner: true, alive: true });
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
