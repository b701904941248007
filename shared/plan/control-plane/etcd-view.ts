/** A member as the member list has it. Ids are hexadecimal, as etcdctl takes them. */
export interface EtcdMember {
  id: string;
  /** Empty for a member that was added and has never started. kubeadm names members after their nodes. */
  name: string;
  learner: boolean;
  /** Where the other members reach it: all that tells whose a member is that has never started. */
  hosts: readonly string[];
}

/** What is known of a cluster at one moment. */
export interface EtcdView {
  members: EtcdMember[];
  /** The id of the leader; undefined when no member that could be asked knows one. */
  leader: string | undefined;
  /** Ids of the members that answered. */
  reachable: ReadonlySet<string>;
  /** Alarms by the ids of the members that have raised them, such as `NOSPACE`. */
  alarms: ReadonlyMap<string, string>;
}
