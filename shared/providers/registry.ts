import { kinds } from '../kinds/index.ts';
import { type Reference, refersTo } from '../kinds/reference.ts';

/** The kinds by which AWS provides clusters and machines. */
const aws = {
  cluster: kinds.awsCluster,
  machine: kinds.awsMachine,
  machineTemplate: kinds.awsMachineTemplate,
} as const;

export type Infrastructure = typeof aws;

/** Every place that clusters and machines come from. */
const INFRASTRUCTURES: readonly Infrastructure[] = [aws];

/** The infrastructure one of whose kinds a reference names; undefined where there is no reference or it is of none. */
export const infrastructureOf = (
  role: keyof Infrastructure,
  reference: Reference | undefined,
): Infrastructure | undefined => INFRASTRUCTURES.find((one) => refersTo(one[role], reference));

/** The name in a reference to infrastructure that is provided here; undefined in any other. */
export const infrastructureName = (role: keyof Infrastructure, reference: Reference | undefined): string | undefined =>
  infrastructureOf(role, reference) ? reference?.name : undefined;
