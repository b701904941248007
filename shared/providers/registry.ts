import type { InfrastructureMachine } from '../kinds/infrastructure.ts';
import { type Reference, refersTo } from '../kinds/reference.ts';
import type { ObservedMachine } from '../plan/infrastructure/instance.ts';
import { aws } from './aws/infrastructure.ts';
import type { Infrastructure } from './infrastructure.ts';

/** Every place that clusters and machines come from. */
export const INFRASTRUCTURES: readonly Infrastructure[] = [aws];

type Kinds = Pick<Infrastructure, 'cluster' | 'machine' | 'machineTemplate'>;

/** The provider one of whose kinds a reference names; undefined where there is no reference or it is of none. */
export const infrastructureOf = (role: keyof Kinds, reference: Reference | undefined): Infrastructure | undefined =>
  INFRASTRUCTURES.find((one) => refersTo(one[role], reference));

/** The infrastructure object of a machine, its provider, and the facts that the provider finds in it. */
export interface ProvidedMachine extends ObservedMachine {
  readonly provider: Infrastructure;
}

/** `object` is of the provider's kind. */
export const provided = (provider: Infrastructure, object: InfrastructureMachine): ProvidedMachine => ({
  provider,
  object,
  facts: provider.instance(object),
});
