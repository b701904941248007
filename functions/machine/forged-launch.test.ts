import type { RunInstancesCommandInput } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import { testCertificates } from '../../shared/bootstrap/certificates/fixtures.ts';
import { type AWSMachine, kinds } from '../../shared/kinds/index.ts';
import { makeMachines, NOW } from './test-machines.ts';

const certificates = await testCertificates();

const KEY = { namespace: 'default', name: 'w-1' };

/** A request that an editor of the namespace would like to send to RunInstances. */
const WANTED = {
  MinCount: 5,
  MaxCount: 5,
  ClientToken: 'anything',
  ImageId: 'ami-1',
  InstanceType: 'p5.48xlarge',
  MetadataOptions: { HttpTokens: 'optional', HttpPutResponseHopLimit: 64 },
  IamInstanceProfile: { Name: 'controllers.cluster-api-provider-aws.sigs.k8s.io' },
  TagSpecifications: [{ ResourceType: 'instance', Tags: [{ Key: 'windlass.dev/machine-uid', Value: 'of-another' }] }],
};

const forgeries: [string, object][] = [
  ['a decided launch', { at: NOW, request: WANTED }],
  ['a later attempt', { at: NOW, attempt: 3, request: WANTED }],
  [
    'a launch whose refusals leave no other candidate',
    { at: NOW, attempt: 1, refused: [{ instanceType: 't3.large' }] },
  ],
  ['an empty launch', [] as object],
];

describe('a launch that an editor of the namespace writes into the AWSMachine', () => {
  it.each(forgeries)('is ignored: %s', async (_what, forged) => {
    const world = await makeMachines({ certificates });
    await world.as('editor').mutate(kinds.awsMachine, KEY, (current) => ({
      ...current,
      metadata: { ...current.metadata, annotations: { 'windlass.dev/launch': JSON.stringify(forged) } },
    }));

    await world.provision('w-1');

    const launched = world.launched as RunInstancesCommandInput[];
    expect(launched).toHaveLength(1);
    expect(launched[0]).toMatchObject({
      MinCount: 1,
      MaxCount: 1,
      InstanceType: 't3.large',
      MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
    });
    expect(launched[0]).not.toHaveProperty('IamInstanceProfile');
    expect(JSON.stringify(launched[0]?.TagSpecifications)).not.toContain('of-another');
    expect((await world.as('editor').get(kinds.awsMachine, KEY))?.spec.instanceID).toBe('i-1');
  });
});

describe('an instance profile that the installation does not list', () => {
  it('is not used for a launch, even if the AWSMachine is older than the list', async () => {
    const world = await makeMachines({ certificates });
    const infrastructure = (await world.objects.get(kinds.awsMachine, KEY)) as AWSMachine;
    const { name: _, uid: __, resourceVersion: ___, ...metadata } = infrastructure.metadata;
    const iamInstanceProfile = 'controllers.cluster-api-provider-aws.sigs.k8s.io';
    await world.put({
      ...infrastructure,
      metadata: { ...metadata, name: 'w-0' },
      spec: { ...infrastructure.spec, iamInstanceProfile },
    } as AWSMachine);
    await world.objects.mutate(kinds.machine, KEY, (current) => ({
      ...current,
      spec: { ...current.spec, infrastructureRef: { ...current.spec.infrastructureRef, name: 'w-0' } },
    }));

    await world.provision('w-1');

    expect(world.launched).toEqual([]);
    const refused = await world.objects.get(kinds.awsMachine, { ...KEY, name: 'w-0' });
    expect(JSON.stringify(refused?.status?.conditions)).toContain(
      'spec.iamInstanceProfile: instance profile controllers.cluster-api-provider-aws.sigs.k8s.io is not permitted',
    );
  });
});
