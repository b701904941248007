/** A member in the member list. Ids are hexadecimal, as etcdctl accepts them. */
export interface EtcdMember {
  id: string;
  /** Empty for a member that was added and has never started. kubeadm names members after their nodes. */
  name: string;
  learner: boolean;
  /** Its address for the other members, which is the only identification of a member that has never started. */
  hosts: readonly string[];
}

/** What etcd itself reports about its members. */
export interface EtcdMembership {
  members: EtcdMember[];
  /** Alarms by the ids of the members that have raised them, such as `NOSPACE`. */
  alarms: ReadonlyMap<string, string>;
}

/** A snapshot of an etcd cluster. */
export interface EtcdView extends EtcdMembership {
  /** The id of the leader; undefined if no reachable member knows one. */
  leader: string | undefined;
  /** Ids of the members that answered. */
  reachable: ReadonlySet<string>;
}
