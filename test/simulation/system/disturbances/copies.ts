/** Users copy the cluster's objects, and another tenant attacks the cluster, while everything else continues. */
import type { Machine } from '../../../../shared/kinds/index.ts';
import { type CopyOptions, copyClass, copyCluster, copyGroups } from '../actors/copies.ts';
import { copyWholeCluster } from '../actors/twin.ts';
import { type Change, liveWorkers, type Place } from './change.ts';

const SHORTEST_SECONDS = 30;
const RANGE_SECONDS = 150;

/** Copies have fixed names, so only one change may create copies at a time. */
const copying =
  (said: string, copy: (options: CopyOptions, machine: Machine | undefined) => Promise<unknown>): Change =>
  async (place, { roll, one }) => {
    if (place.isCopying) return undefined;
    place.isCopying = true;
    const { user, wait } = place;
    const milliseconds = 1000 * (SHORTEST_SECONDS + roll(RANGE_SECONDS));
    const machine = one(await liveWorkers(place));
    place.begin(async () => {
      await copy({ user, wait, milliseconds, isRestoring: () => false }, machine);
      place.isCopying = false;
    });
    return said;
  };

/** During random changes, the number of machines is not checked exactly. */
const expectMore = (): void => {};

/** While the second cluster is being deleted, it has its own network. */
const beside = async ({ state }: Place, copy: () => Promise<void>): Promise<void> => {
  state.hasTwin = true;
  await copy();
  state.hasTwin = false;
};

export const COPIES: Readonly<Record<string, Change>> = {
  machine: copying('copies the cluster and a machine', (options, machine) => copyCluster(machine, options)),
  groups: copying('copies groups of machines', (options) => copyGroups(expectMore, options)),
  cluster: (place, dice) => {
    const copy = (options: CopyOptions) => beside(place, () => copyWholeCluster(expectMore, options));
    return copying('copies the whole cluster', copy)(place, dice);
  },
  attack: async ({ happen }) => {
    happen('hostile editor');
    return 'another tenant attacks the cluster';
  },
};

export const CLASS_COPIES: Readonly<Record<string, Change>> = {
  class: copying('copies the class', copyClass),
};
