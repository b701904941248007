import type { AWSMachine, AWSMachinePool, MachinePool } from '../../../kinds/index.ts';
import { labelValueOf } from '../../../kinds/rules/names.ts';
import { GROUP, LABEL } from '../../../plan/labels.ts';
import type { GroupInstance, ObservedGroup } from './model.ts';

/**
 * States of instances that are in service or about to be, for the first time or with another root volume. Instances of a
 * warm pool and those being terminated are not the pool's machines.
 */
const isPresent = ({ state }: GroupInstance): boolean =>
  /^(Pending|InService|EnteringStandby|Standby|ReplacingRootVolume|RootVolumeReplaced)/.test(state);

/** The instances that are machines of a pool, in a stable order. */
export const presentInstances = ({ instances }: Pick<ObservedGroup, 'instances'>): GroupInstance[] =>
  instances.filter(isPresent).sort((a, b) => (a.id < b.id ? -1 : 1));

/** The provider id of an instance's node. */
export const providerIdOf = ({ zone, id }: GroupInstance): string => `aws:///${zone}/${id}`;

/** With the id of an instance, the name has 63 characters: the names of Machines are label values. */
const NAME_CHARACTERS = 43;

/** The object that represents an instance of a group; its Machine is created for it. Its name is always the same. */
export const desiredAwsMachine = (
  pool: MachinePool,
  infrastructure: AWSMachinePool,
  instance: GroupInstance,
): AWSMachine => ({
  apiVersion: `${GROUP.infrastructure}/v1beta2`,
  kind: 'AWSMachine',
  metadata: {
    namespace: infrastructure.metadata.namespace,
    name: `${infrastructure.metadata.name.slice(0, NAME_CHARACTERS).replace(/[.-]+$/, '')}-${instance.id}`,
    labels: { [LABEL.clusterName]: pool.spec.clusterName, [LABEL.poolName]: labelValueOf(pool.metadata.name) },
    ownerReferences: [
      {
        apiVersion: infrastructure.apiVersion,
        kind: infrastructure.kind,
        name: infrastructure.metadata.name,
        uid: infrastructure.metadata.uid ?? '',
      },
    ],
  },
  spec: { instanceType: instance.type, instanceID: instance.id, providerID: providerIdOf(instance) },
});
