import { kinds, type Machine } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { ObjectClient } from '../../../../shared/kube-api/storage/client.ts';
import { isControlledBy } from '../../owners.ts';
import { makeWithinQuota, type WithinQuota } from './within-quota.ts';

/** The names of new Machines of one owner. */
export interface NewNames {
  planned: readonly string[];
  /** At most `count` further names, which are not in `taken`; always the same for the same `taken`. */
  others(taken: ReadonlySet<string>, count: number): readonly string[];
}

interface Made {
  object: Machine;
  created: boolean;
}

/**
 * The number of times that a pass looks for a free name. Everything that was not created by then is planned again in the
 * next pass.
 */
const MOST_TRIES = 10;

/**
 * Creates Machines of `owner`, or finds those that an interrupted pass has created. If a name belongs to a Machine that
 * `owner` does not control, such as one of another cluster in the namespace, that Machine is left alone, and a further
 * name replaces it. Two passes that meet the same Machines choose the same names. `desired`: the Machine for the planned
 * name at a position, which may have to get a further name.
 */
export const makeOwn = async (
  objects: Pick<ObjectClient, 'ensure'>,
  owner: KubeObject,
  { planned, others }: NewNames,
  desired: (name: string, at: number) => Machine,
): Promise<WithinQuota<Made>> => {
  const made: Made[] = [];
  const taken = new Set(planned);
  let open = planned.map((name, at) => ({ name, at }));
  for (let tries = 0; open.length > 0 && tries < MOST_TRIES; tries += 1) {
    const round = await makeWithinQuota(open, async ({ name, at }) => ({
      at,
      ...(await objects.ensure(kinds.machine, desired(name, at))),
    }));
    const isOwn = ({ object }: Made): boolean => isControlledBy(object, owner);
    made.push(...round.made.filter(isOwn));
    if (round.refused !== undefined) return { made, refused: round.refused };
    const without = round.made.filter((one) => !isOwn(one));
    const names = others(taken, without.length);
    for (const name of names) taken.add(name);
    open = names.flatMap((name, index) => {
      const at = without[index]?.at;
      return at === undefined ? [] : [{ name, at }];
    });
  }
  return { made };
};
