/** Why a set is not applied to a cluster: the reasons of Cluster API's older conditions, which say more than the newer. */
export type FaultReason = 'WrongSecretType' | 'RetrievingResourceFailed' | 'RemoteClusterClientFailed' | 'ApplyFailed';

/** How far a resource was applied, of which a pass could not apply all objects. */
export interface Progress {
  kind: string;
  name: string;
  /** Of the contents; others are applied from the beginning. */
  hash: string;
  /** The number of objects that were applied or refused. */
  done: number;
  /** Whether one of them was refused. */
  refused: boolean;
}

export interface Fault {
  reason: FaultReason;
  message: string;
  /** Whether the pass had no time for all of the set: the next one begins with it. */
  late?: boolean;
  progress?: Progress;
}

/** The first fault of a set is reported. */
export const WORST: readonly FaultReason[] = [
  'WrongSecretType',
  'RetrievingResourceFailed',
  'ApplyFailed',
  'RemoteClusterClientFailed',
];

/** Several faults as one: the reason of the worst, the messages of all, and the progress of the one that has any. */
export const worstOf = (faults: readonly Fault[]): Fault | undefined => {
  const reason = WORST.find((candidate) => faults.some((fault) => fault.reason === candidate));
  const progress = faults.find((fault) => fault.progress)?.progress;
  return (
    reason && {
      reason,
      message: faults.map(({ message }) => message).join('; '),
      ...(faults.some(({ late }) => late) ? { late: true } : {}),
      ...(progress ? { progress } : {}),
    }
  );
};
