import { expect, it } from 'vitest';
import type { AWSMachinePool } from '../../../../kinds/aws-machine-pool/schema.ts';
import { asMachine } from './pool-machine.ts';

const pool = (awsLaunchTemplate: object, rest: object = {}): AWSMachinePool =>
  ({
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    metadata: { name: 'p', namespace: 'default' },
    spec: { awsLaunchTemplate, ...rest },
  }) as unknown as AWSMachinePool;

it('a pool that names no key pair has none, even if its cluster has one', () => {
  expect(asMachine(pool({ instanceType: 't3.large' })).spec.sshKeyName).toBe('');
  expect(asMachine(pool({ instanceType: 't3.large', sshKeyName: 'admins' })).spec.sshKeyName).toBe('admins');
});

it('the options of a launch template are those of a machine, except for its name and version', () => {
  const rootVolume = { size: 80 };
  const { spec } = asMachine(pool({ name: 't', versionNumber: 3, instanceType: 't3.large', rootVolume }));
  expect(spec).toEqual({ instanceType: 't3.large', rootVolume, sshKeyName: '' });
});
