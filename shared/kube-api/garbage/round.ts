import type { Registry, RegistryOptions } from '../registry/registry.ts';
import type { BeforeCollecting, Collected } from './contract.ts';
import type { OwnerIndex } from './owner-index.ts';

/** The dependencies of the collector. Objects that `remove` and `update` delete are added to the queue. */
export interface Tools {
  options: RegistryOptions;
  index: OwnerIndex;
  remove: Registry['delete'];
  update: Registry['update'];
  before?: BeforeCollecting | undefined;
}

/** The state of one round. */
export interface Round extends Tools {
  touched: Collected['touched'];
  /** The deadline, in milliseconds since 1970. */
  end: number;
}
