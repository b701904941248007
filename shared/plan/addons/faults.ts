/** Why a set is not applied to a cluster: the reasons of Cluster API's older conditions, which say more than the newer. */
export type FaultReason = 'WrongSecretType' | 'RetrievingResourceFailed' | 'RemoteClusterClientFailed' | 'ApplyFailed';

export interface Fault {
  reason: FaultReason;
  message: string;
}

/** The first fault of a set is reported. */
export const WORST: readonly FaultReason[] = [
  'WrongSecretType',
  'RetrievingResourceFailed',
  'ApplyFailed',
  'RemoteClusterClientFailed',
];

/** Several faults as one: the reason of the worst, the messages of all. */
export const worstOf = (faults: readonly Fault[]): Fault | undefined => {
  const reason = WORST.find((candidate) => faults.some((fault) => fault.reason === candidate));
  return reason && { reason, message: faults.map(({ message }) => message).join('; ') };
};
