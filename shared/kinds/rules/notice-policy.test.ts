import { expect, it } from 'vitest';
import { kinds } from '../index.ts';

const annotations = { 'windlass.dev/on-rebalance': 'Drain', 'windlass.dev/on-maintenance': 'Report' };
const spec = {
  version: 'v1.34.0',
  selector: {},
  bootstrap: { dataSecretName: 'd' },
  template: { spec: { bootstrap: { dataSecretName: 'd' } } },
  machineTemplate: { spec: {} },
};

it.each([kinds.machine, kinds.machineSet, kinds.machineDeployment, kinds.kubeadmControlPlane, kinds.rke2ControlPlane])(
  'the policy of a $kind for EC2 notices may only be Replace or Report',
  ({ kind, validate }) => {
    const object = { apiVersion: 'v1', kind, metadata: { name: 'a', annotations }, spec } as never;
    const found = validate?.(object, undefined).filter(({ field }) => field.startsWith('metadata.annotations'));
    const field = 'metadata.annotations[windlass.dev/on-rebalance]';
    const detail = 'must be Replace or Report';
    expect(found).toEqual([{ type: 'FieldValueInvalid', field, detail, badValue: 'Drain' }]);
  },
);
