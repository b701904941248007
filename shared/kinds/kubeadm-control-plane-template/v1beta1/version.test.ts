import { expect, it } from 'vitest';
import { conversionsOf } from '../../v1beta1/test-conversion.ts';
import { kubeadmControlPlaneTemplate } from '../definition.ts';

const { toStored, toOld } = conversionsOf(kubeadmControlPlaneTemplate);

it('KubeadmControlPlaneTemplate v1beta1 is converted like a control plane', () => {
  const old = {
    kubeadmConfigSpec: { clusterConfiguration: { scheduler: { extraArgs: { v: '2' } } } },
    machineTemplate: { nodeDrainTimeout: '5m0s' },
    rolloutStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0 } },
  };
  const stored = {
    kubeadmConfigSpec: { clusterConfiguration: { scheduler: { extraArgs: [{ name: 'v', value: '2' }] } } },
    machineTemplate: { spec: { deletion: { nodeDrainTimeoutSeconds: 300 } } },
    rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0 } } },
  };
  const inTemplate = (spec: object): string => JSON.stringify({ spec: { template: { spec } } });
  expect(toStored(inTemplate(old))).toMatchObject(JSON.parse(inTemplate(stored)));
  expect(toOld(inTemplate(stored))).toMatchObject(JSON.parse(inTemplate(old)));
});
