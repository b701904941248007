import { createHash } from 'node:crypto';

/** A refusal by etcd, with etcd's own message. */
export class EtcdError extends Error {
  override readonly name = 'EtcdError';
}

/** The machine on which a member runs. */
export interface MemberHost {
  /** The id of its instance. */
  owner: string;
  /** The address at which other members reach it. */
  address: string;
}

export interface Member extends MemberHost {
  /** 64 bits, hexadecimal. */
  id: string;
  name: string;
  /** Whether it does not vote yet. Its name is unknown to others: here, a member starts when it is promoted. */
  learner: boolean;
  /** Whether its machine is running. */
  alive: boolean;
  /** Whether it has run out of space and has raised an alarm. */
  isFull?: true;
}

/**
 * The membership of a stacked etcd cluster: the voting members, and which are alive. The data is stored elsewhere; the
 * membership determines whether it can be reached. As in reality, a machine that dies remains a member until it is
 * removed.
 */
export interface Etcd {
  /**
   * Adds a member that does not vote yet; if a machine tries again, it finds its own member. Throws EtcdError if the
   * cluster has no quorum, a voter is not alive, another learner is being added, or another machine has the name.
   */
  addLearner(name: string, host: MemberHost): void;
  promote(name: string): void;
  remove(name: string): void;
  setAlive(name: string, alive: boolean): void;
  /** Makes the member raise the alarm NOSPACE, or withdraw it. Nothing here takes space. */
  setFull(name: string, full: boolean): void;
  hasQuorum(): boolean;
  names(): string[];
  members(): readonly Member[];
  /** The leader; undefined without a quorum. It stays the same as long as it is alive and votes. */
  leader(): Member | undefined;
  /** Makes a voter the leader. Throws EtcdError if the member is not a voter or not alive. */
  moveLeader(id: string): void;
  /**
   * Removes a member as an administrator does. Throws EtcdError, as etcd does, if too few members would remain. A
   * learner, or a member that is not alive, has no part in the quorum and can always be removed.
   */
  removeById(id: string): void;
}

const idOf = (name: string, owner: string): string =>
  createHash('sha256').update(`${name}/${owner}`).digest('hex').slice(0, 16).replace(/^0+/, '');

const memberOf = (name: string, host: MemberHost, learner: boolean): Member => ({
  ...host,
  id: idOf(name, host.owner),
  name,
  learner,
  alive: true,
});

/**
 * A new cluster with one voting member, or one with the members stored by an earlier start: none of them is alive until
 * its machine reports it. `onChange` is called with the members after each change.
 */
export const bootEtcd = (
  first: string,
  host: MemberHost,
  { kept, onChange = () => {} }: { kept?: readonly Member[]; onChange?: (members: readonly Member[]) => void } = {},
): Etcd => {
  const initial = kept?.map((member) => ({ ...member, alive: false })) ?? [memberOf(first, host, false)];
  const members = new Map<string, Member>(initial.map((member) => [member.name, member]));
  const changed = (): void => onChange([...members.values()]);
  let leading = first;

  const voters = (): Member[] => [...members.values()].filter(({ learner }) => !learner);
  const living = (of: readonly Member[]): number => of.filter(({ alive }) => alive).length;
  const hasQuorum = (): boolean => living(voters()) > voters().length / 2;
  const byId = (id: string): Member => {
    const member = [...members.values()].find((one) => one.id === id);
    if (!member) throw new EtcdError('etcdserver: member not found');
    return member;
  };
  const leader = (): Member | undefined => {
    if (!hasQuorum()) return undefined;
    const able = voters().filter(({ alive }) => alive);
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
      const target = [...members.values()].find((one) => one.id === id);
      if (!target || target.learner) throw new EtcdError('etcdserver: bad leader transferee');
      if (!target.alive) throw new EtcdError('context deadline exceeded');
      leading = target.name;
    },
    removeById: (id) => {
      const target = byId(id);
      if (!hasQuorum()) throw new EtcdError('context deadline exceeded');
      const left = voters().filter((other) => other !== target);
      if (!target.learner && left.length === 0) {
        throw new EtcdError('etcdserver: re-configuration failed due to not enough started members');
      }
      const isMissed = !target.learner && target.alive;
      if (isMissed && living(left) <= left.length / 2) throw new EtcdError('etcdserver: unhealthy cluster');
      members.delete(target.name);
      changed();
    },
    addLearner: (name, added) => {
      if (!hasQuorum()) throw new EtcdError('etcdserver: request timed out');
      const present = members.get(name);
      if (present?.owner === added.owner) return;
      if (living(voters()) < voters().length) throw new EtcdError('etcdserver: unhealthy cluster');
      if (present) throw new EtcdError('etcdserver: Peer URLs already exists');
      if ([...members.values()].some(({ learner }) => learner)) {
        throw new EtcdError('etcdserver: too many learner members in cluster');
      }
      members.set(name, memberOf(name, added, true));
      changed();
    },
    promote: (name) => {
      const member = members.get(name);
      if (!member) throw new EtcdError('etcdserver: member not found');
      member.learner = false;
      changed();
    },
    remove: (name) => {
      members.delete(name);
      changed();
    },
    setAlive: (name, alive) => {
      const member = members.get(name);
      if (member) member.alive = alive;
    },
    setFull: (name, full) => {
      const member = members.get(name);
      if (!member) return;
      if (full) member.isFull = true;
      else delete member.isFull;
    },
  };
};
