import { createHash } from 'node:crypto';

/** etcd refused; the message is etcd's own. */
export class EtcdError extends Error {
  override readonly name = 'EtcdError';
}

export interface Member {
  /** 64 bits, hexadecimal. */
  id: string;
  name: string;
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
  members(): readonly Member[];
  /** The member that leads; undefined without a quorum. It stays the same as long as it lives and votes. */
  leader(): Member | undefined;
  /** Makes a living voter the leader. Throws EtcdError for any other. */
  moveLeader(id: string): void;
  /** Removes a member as an administrator does. Throws EtcdError as etcd does for a change that would cost the quorum. */
  removeById(id: string): void;
}

const idOf = (name: string, owner: string): string =>
  createHash('sha256').update(`${name}/${owner}`).digest('hex').slice(0, 16).replace(/^0+/, '');

/** A new cluster of one voting member. */
export const bootEtcd = (first: string, owner: string): Etcd => {
  const members = new Map<string, Member>([
    [first, { id: idOf(first, owner), name: first, owner, learner: false, alive: true }],
  ]);
  let leading = first;

  const isQuorum = (of: readonly Member[]): boolean => {
    const voters = of.filter(({ learner }) => !learner);
    return voters.filter(({ alive }) => alive).length > voters.length / 2;
  };
  const hasQuorum = (): boolean => isQuorum([...members.values()]);
  const byId = (id: string): Member => {
    const member = [...members.values()].find((one) => one.id === id);
    if (!member) throw new EtcdError('etcdserver: member not found');
    return member;
  };
  const leader = (): Member | undefined => {
    if (!hasQuorum()) return undefined;
    const able = [...members.values()].filter(({ alive, learner }) => alive && !learner);
    const found = able.find(({ name }) => name === leading) ?? able[0];
    leading = found?.name ?? leading;
    return found;
  };

  return {
    hasQuorum,
    names: () => [...members.keys()],
    members: () => [...members.values()],
    leader,
    moveLeader: (id) => {
      const target = byId(id);
      if (target.learner || !target.alive) throw new EtcdError('etcdserver: bad leader transferee');
      leading = target.name;
    },
    removeById: (id) => {
      const target = byId(id);
      if (!hasQuorum()) throw new EtcdError('context deadline exceeded');
      const left = [...members.values()].filter((other) => other !== target);
      if (!isQuorum(left)) {
        throw new EtcdError('etcdserver: re-configuration failed due to not enough started members');
      }
      members.delete(target.name);
    },
    addLearner: (name, machine) => {
      if (!hasQuorum()) throw new EtcdError('etcdserver: request timed out');
      const present = members.get(name);
      if (present?.owner === machine) return;
      if (present) throw new EtcdError('etcdserver: Peer URLs already exists');
      if ([...members.values()].some(({ learner }) => learner)) {
        throw new EtcdError('etcdserver: too many learner members in cluster');
      }
      members.set(name, { id: idOf(name, machine), name, owner: machine, learner: true, alive: true });
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
