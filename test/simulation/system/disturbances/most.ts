/** How many instances the objects of all clusters want at most. */
import type { Account } from '../../../../infra/local/account.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { storedObjects } from '../states/objects.ts';
import { isOfGroup, liveInstances } from '../verdicts/judge.ts';

type Wanting = KubeObject & { spec?: { replicas?: number; bastion?: { enabled?: boolean } } };

const hasController = ({ metadata }: KubeObject): boolean =>
  metadata.ownerReferences?.some(({ controller }) => controller) === true;

/** The number of machines that an object wants, with those of a rollout. The largest surge of the changes is a half. */
const WANTS: Readonly<Record<string, (object: Wanting, replicas: number) => number>> = {
  MachineDeployment: (_, replicas) => replicas + Math.max(1, Math.ceil(replicas / 2)),
  KubeadmControlPlane: (_, replicas) => replicas + 1,
  RKE2ControlPlane: (_, replicas) => replicas + 1,
  MachineSet: (object, replicas) => (hasController(object) ? 0 : replicas),
  AWSCluster: ({ spec }) => Number(spec?.bastion?.enabled === true),
  Machine: (object) => Number(!hasController(object)),
};

const wantedBy = (object: Wanting): number => WANTS[object.kind]?.(object, object.spec?.replicas ?? 1) ?? 0;

const isLeaving = ({ kind, metadata }: KubeObject): boolean =>
  kind === 'Machine' && metadata.deletionTimestamp !== undefined;

export interface Most {
  /** Notes what the objects want now. Must be called after each change. */
  look(): void;
  /** More live instances than the objects justify. Those of groups do not count, because AWS determines them. */
  breaches(): string[];
}

/**
 * An object justifies as many machines as it has ever wanted, because fewer are only deleted later, and each machine
 * that is being deleted justifies one more.
 */
export const makeMost = (account: Account, stored: () => readonly { object: KubeObject }[] = storedObjects): Most => {
  const wanted = new Map<string, number>();
  let known = 0;
  const objects = (): KubeObject[] => stored().map(({ object }) => object);
  const note = (all: readonly KubeObject[]): void => {
    for (const object of all) {
      const { uid = '' } = object.metadata;
      wanted.set(uid, Math.max(wanted.get(uid) ?? 0, wantedBy(object)));
    }
  };
  note(objects());
  return {
    look: () => note(objects()),
    breaches: () => {
      const { length: live } = liveInstances(account).filter((one) => !isOfGroup(one));
      const isMore = live > known;
      known = live;
      if (!isMore) return [];
      const all = objects();
      note(all);
      const most = [...wanted.values()].reduce((sum, one) => sum + one, 0) + all.filter(isLeaving).length;
      return live > most ? [`${live} instances are live, more than the ${most} that objects want`] : [];
    },
  };
};
