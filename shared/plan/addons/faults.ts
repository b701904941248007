/**
 * Why a set is not applied to a cluster: the reasons of Cluster API's older conditions, which are more specific than
 * the newer ones.
 */
export type FaultReason = 'WrongSecretType' | 'RetrievingResourceFailed' | 'RemoteClusterClientFailed' | 'ApplyFailed';

/** How many objects of a resource were applied, if a pass could not apply all of them. */
export interface Progress {
  kind: string;
  name: string;
  /** The hash of the contents. Other contents are applied from the beginning. */
  hash: string;
  /** The number of objects that were applied or refused. */
  done: number;
  /** Whether one of them was refused. */
  refused: boolean;
}

export interface Fault {
  reason: FaultReason;
  message: string;
  /** Whether the pass had no time for the complete set: the next pass begins with it. */
  late?: boolean;
  progress?: Progress;
}

/** Only the first of these faults in a set is reported. */
export const WORST: readonly FaultReason[] = [
  'WrongSecretType',
  'RetrievingResourceFailed',
  'ApplyFailed',
  'RemoteClusterClientFailed',
];

/** Combines several faults: the reason of the worst, the messages of all, and the progress of the one that has any. */
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
