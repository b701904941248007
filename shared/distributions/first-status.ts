/**
 * The status of a Cluster API object right after its creation. Upstream's controllers write it within moments; here the
 * first pass takes seconds, so it is stored with the object.
 */

import type { ControlPlane } from '../kinds/contract-objects.ts';
import { type Cluster, kinds, type Machine, type MachineDeployment, type MachineSet } from '../kinds/index.ts';
import type { KubeObject } from '../kube-api/object.ts';
import type { FirstStatus } from '../kube-api/registry/admission.ts';
import type { ResourceDefinition } from '../kube-api/resource.ts';
import { withObservation } from '../plan/machines/status.ts';
import { firstClusterStatus } from '../plan/status/cluster.ts';
import { controlPlaneStatus } from '../plan/status/control-plane.ts';
import { machineDeploymentStatus, machineSetStatus } from '../plan/status/workers.ts';
import type { Distribution } from './distribution.ts';
import { DISTRIBUTIONS } from './registry.ts';

type Of = (object: KubeObject, now: Date) => object | undefined;

const ofControlPlane =
  ({ healthConditions }: Distribution): Of =>
  (object, now) => {
    const controlPlane = object as ControlPlane;
    const health = healthConditions(controlPlane);
    return controlPlaneStatus(controlPlane, { machines: [], health, initialized: false, workersLeft: 0 }, now);
  };

const keyOf = ({ group, kind }: Pick<ResourceDefinition, 'group' | 'kind'>): string => `${group}/${kind}`;

const STATUSES: ReadonlyMap<string, Of> = new Map<string, Of>([
  [keyOf(kinds.cluster), (object, now) => firstClusterStatus(object as Cluster, now)],
  [keyOf(kinds.machine), (object, now) => withObservation(object as Machine, {}, now).status],
  [keyOf(kinds.machineSet), (object, now) => machineSetStatus(object as MachineSet, { machines: [] }, now)],
  [
    keyOf(kinds.machineDeployment),
    (object, now) => machineDeploymentStatus(object as MachineDeployment, { machines: [] }, now),
  ],
  ...DISTRIBUTIONS.map((one): [string, Of] => [keyOf(one.controlPlane), ofControlPlane(one)]),
]);

/** Phase, counters and conditions of a new object, as far as they are known; nothing for other kinds. Pure. */
export const firstStatus: FirstStatus = (resource, object, now) => STATUSES.get(keyOf(resource))?.(object, now);
