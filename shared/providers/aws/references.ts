import { kinds } from '../../kinds/index.ts';
import { type Reference, refersTo } from '../../kinds/reference.ts';

const KINDS = {
  cluster: kinds.awsCluster,
  machine: kinds.awsMachine,
  machineTemplate: kinds.awsMachineTemplate,
  pool: kinds.awsMachinePool,
} as const;

/** The name in a reference to an object of AWS; undefined in any other reference. */
export const awsName = (role: keyof typeof KINDS, reference: Reference | undefined): string | undefined =>
  refersTo(KINDS[role], reference) ? reference?.name : undefined;
