import type { InfrastructureMachine } from '../kinds/infrastructure.ts';
import { type Reference, refersTo } from '../kinds/reference.ts';
import { namesOutside } from '../outside/kinds.ts';
import type { ObservedMachine } from '../plan/infrastructure/instance.ts';
import { aws } from './aws/infrastructure.ts';
import { hosts } from './hosts/infrastructure.ts';
import type { Infrastructure, PoolProvider } from './infrastructure.ts';
import { outside } from './outside/infrastructure.ts';

type Kinds = Pick<Infrastructure, 'cluster' | 'machine' | 'machineTemplate'>;

/** A provider that has pools. */
export type WithPools = Infrastructure & { readonly pool: PoolProvider };

interface Registry {
  /** All built-in providers. */
  readonly INFRASTRUCTURES: readonly Infrastructure[];
  /**
   * The provider to which the kind of a reference belongs, or an external one if it is not a kind of Windlass;
   * undefined if there is no reference or no such provider.
   */
  infrastructureOf(role: keyof Kinds, reference: Reference | undefined): Infrastructure | undefined;
  /** The provider to which the kind of pool in a reference belongs; undefined if there is none. */
  poolProviderOf(reference: Reference | undefined): WithPools | undefined;
}

export const hasPools = (one: Infrastructure): one is WithPools => one.pool !== undefined;

/**
 * A registry of these providers.
 *
 * @public A test with its own provider creates another one.
 */
export const registryOf = (infrastructures: readonly Infrastructure[]): Registry => ({
  INFRASTRUCTURES: infrastructures,
  infrastructureOf: (role, reference) =>
    infrastructures.find((one) => refersTo(one[role], reference)) ??
    (namesOutside(reference) ? outside(role, reference) : undefined),
  poolProviderOf: (reference) => infrastructures.filter(hasPools).find(({ pool }) => refersTo(pool.kind, reference)),
});

export const { INFRASTRUCTURES, infrastructureOf, poolProviderOf } = registryOf([aws, hosts]);

/** The infrastructure object of a machine, its provider, and the facts that the provider derives from it. */
export interface ProvidedMachine extends ObservedMachine {
  readonly provider: Infrastructure;
}

/** `object` must be of the provider's kind. */
export const provided = (provider: Infrastructure, object: InfrastructureMachine): ProvidedMachine => ({
  provider,
  object,
  facts: provider.instance(object),
});

/** Whether two providers are the same. External ones are compared by the group and kind of their machines. */
export const isSameProvider = (one: Infrastructure | undefined, other: Infrastructure | undefined): boolean =>
  one?.name === other?.name && one?.machine.group === other?.machine.group && one?.machine.kind === other?.machine.kind;
