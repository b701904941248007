import type { Registry, RegistryOptions } from '../registry/registry.ts';
import type { BeforeCollecting, Collected } from './contract.ts';
import type { OwnerIndex } from './owner-index.ts';

/** What the collector works with: `remove` and `update` put what they leave behind into the queue. */
export interface Tools {
  options: RegistryOptions;
  index: OwnerIndex;
  remove: Registry['delete'];
  update: Registry['update'];
  before?: BeforeCollecting | undefined;
}

/** One round: what it works with, and what it has done. */
export interface Round extends Tools {
  touched: Collected['touched'];
  /** When the time is over. */
  end: number;
}
