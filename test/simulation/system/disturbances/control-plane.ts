/** Changes by users to the control plane and its machines. */
import type { ControlPlane } from '../../../../shared/kinds/contract-objects.ts';
import type { Cluster, Machine } from '../../../../shared/kinds/index.ts';
import { ANNOTATION } from '../../../../shared/plan/labels.ts';
import { expendableMachine } from '../actors/control-plane-death.ts';
import { isControlPlane } from '../machine-order.ts';
import { CLUSTER, controlPlaneOf, NEXT_VERSION, named } from '../user.ts';
import { type Change, type Dice, live, type Place, toggle } from './change.ts';

const SIZES = [1, 3];

const isRke2 = ({ kind }: ControlPlane): boolean => kind === 'RKE2ControlPlane';

const ofControlPlane =
  (change: (owner: ControlPlane, place: Place, dice: Dice) => ReturnType<Change>): Change =>
  async (place, dice) => {
    const owner = await controlPlaneOf(place.user);
    return owner && change(owner, place, dice);
  };

const patch = ({ user }: Place, { kind, metadata }: ControlPlane, spec: object): Promise<void> =>
  user.patch(kind, metadata.name, { spec });

const isOfTopology = async ({ user }: Place): Promise<boolean> =>
  (await named<Cluster>(user, 'Cluster', CLUSTER))?.spec.topology !== undefined;

export const CONTROL_PLANES: Readonly<Record<string, Change>> = {
  rollOut: ofControlPlane(async (owner, place, { roll }) => {
    const ofRke2 = { agentConfig: { nodeLabels: [`round=${roll(100)}`] } };
    await patch(place, owner, isRke2(owner) ? ofRke2 : { rollout: { after: new Date().toISOString() } });
    return 'wants the control plane rolled out';
  }),
  upgrade: ofControlPlane(async (owner, place) => {
    const version = isRke2(owner) ? `${NEXT_VERSION}+rke2r1` : NEXT_VERSION;
    if (owner.spec.version === version || (await isOfTopology(place))) return undefined;
    await patch(place, owner, { version });
    return `wants a control plane of version ${version}`;
  }),
  scale: ofControlPlane(async (owner, place, { one }) => {
    const replicas = one(SIZES);
    if (await isOfTopology(place))
      await place.user.patch('Cluster', CLUSTER, { spec: { topology: { controlPlane: { replicas } } } });
    else await patch(place, owner, { replicas });
    return `wants ${replicas} machines in the control plane`;
  }),
  deleteMachine: async (place, { one }) => {
    const machine = one((await live<Machine>(place, 'Machine')).filter(isControlPlane));
    if (machine === undefined) return undefined;
    await place.user.remove('Machine', machine.metadata.name);
    return `deletes Machine ${machine.metadata.name} of the control plane`;
  },
  remediate: async (place) => {
    const machine = await expendableMachine(place.user);
    return machine && toggle(place, machine, ANNOTATION.remediateMachine);
  },
};
