import { describe, expect, it } from 'vitest';
import { admit, refusals } from '../test-admission.ts';
import { awsMachinePool } from './definition.ts';
import type { AWSMachinePool, AWSMachinePoolSpec } from './schema.ts';

const withSpec = (spec: Partial<AWSMachinePoolSpec>): AWSMachinePool => ({
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'AWSMachinePool',
  metadata: { name: 'pool' },
  spec: { awsLaunchTemplate: { instanceType: 'm7i.large' }, ...spec } as AWSMachinePoolSpec,
});

const refused = (spec: Partial<AWSMachinePoolSpec>, old?: AWSMachinePool): string[] =>
  refusals(awsMachinePool, withSpec(spec), old);

const filters = [{ name: 'tag:team', values: ['a'] }];
const items = (count: number) => Array.from({ length: count }, () => ({ filters }));

const hook = { name: 'drain', lifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING' } as const;

it('AWSMachinePool warns about fields of a launch template that have no effect', () => {
  const awsLaunchTemplate = {
    instanceType: 'm7i.large',
    ami: { eksLookupType: 'AmazonLinux' as const },
    versionNumber: 3,
  };
  const object = admit(awsMachinePool, withSpec({ awsLaunchTemplate }));
  expect(awsMachinePool.warnings?.(object, undefined)).toEqual([
    'spec.awsLaunchTemplate.ami.eksLookupType: not reconciled yet',
    'spec.awsLaunchTemplate.versionNumber: not reconciled yet',
  ]);
  expect(awsMachinePool.warnings?.(admit(awsMachinePool, withSpec({})), undefined)).toEqual([]);
});

describe('AWSMachinePool defaults', () => {
  it('are one instance, and five minutes for cooldown and warmup', () => {
    expect(
      admit(awsMachinePool, withSpec({ defaultCoolDown: '0s', mixedInstancesPolicy: { instancesDistribution: {} } }))
        .spec,
    ).toMatchObject({
      minSize: 1,
      maxSize: 1,
      defaultCoolDown: '5m0s',
      defaultInstanceWarmup: '5m0s',
      mixedInstancesPolicy: {
        instancesDistribution: {
          onDemandAllocationStrategy: 'prioritized',
          spotAllocationStrategy: 'lowest-price',
          onDemandBaseCapacity: 0,
          onDemandPercentageAboveBaseCapacity: 100,
        },
      },
    });
  });
});

describe('AWSMachinePool admission', () => {
  it.each([
    { spec: { defaultCoolDown: '-5s' }, line: 'spec.defaultCoolDown: Required value: DefaultCoolDown must be greater' },
    {
      spec: { defaultInstanceWarmup: '5 min' },
      line: 'spec.defaultInstanceWarmup: Invalid value: "5 min": time: invalid duration',
    },
    { spec: { minSize: 3, maxSize: 2 }, line: 'spec.minSize: Invalid value: 3: must not be more than spec.maxSize' },
    { spec: { subnets: [{ id: 'subnet-1', filters: [] }] }, line: 'spec.subnets.filters: Forbidden: providing either' },
    {
      spec: { refreshPreferences: { maxHealthyPercentage: 120 } },
      line: 'spec.refreshPreferences.maxHealthyPercentage: Forbidden: If you specify',
    },
    {
      spec: { refreshPreferences: { minHealthyPercentage: 50, maxHealthyPercentage: 151 } },
      line: 'cannot be greater than 100',
    },
    {
      spec: { refreshPreferences: { maxHealthyPercentage: 99, minHealthyPercentage: 99 } },
      line: 'should be greater than or equal to 100',
    },
    { spec: { additionalTags: { 'aws:x': 'y' } }, line: "user created tag's key cannot have prefix aws:" },
    {
      spec: { lifecycleHooks: [{ ...hook, roleARN: 'arn' }] },
      line: 'spec.lifecycleHooks[0].notificationTargetARN: Required value',
    },
    {
      spec: { lifecycleHooks: [{ ...hook, notificationTargetARN: 'arn' }] },
      line: 'spec.lifecycleHooks[0].roleARN: Required value',
    },
    {
      spec: { lifecycleHooks: [{ ...hook, heartbeatTimeout: '29.5s' }] },
      line: 'HeartbeatTimeout must be between 30 and 172800 seconds',
    },
    {
      spec: { lifecycleHooks: [{ ...hook, name: '' }] },
      line: 'spec.lifecycleHooks[0].name: Required value: Name is required',
    },
    { spec: { subnets: items(51) }, line: 'spec.subnets: Too many: 51: must have at most 50 items with filters' },
    {
      spec: { awsLaunchTemplate: { instanceType: 'm7i.large', additionalSecurityGroups: items(17) } },
      line: 'spec.awsLaunchTemplate.additionalSecurityGroups: Too many: 17: must have at most 16 items',
    },
  ])('refuses $spec on creation and on update', ({ spec, line }) => {
    for (const old of [undefined, admit(awsMachinePool, withSpec({}))]) {
      expect(refused(spec, old)).toEqual([expect.stringContaining(line)]);
    }
  });

  it.each([
    {
      launch: { rootVolume: { size: 8, type: 'io2' } },
      line: 'spec.awsLaunchTemplate.rootVolume.iops: Required value',
    },
    {
      launch: { nonRootVolumes: [{ size: 8 }] },
      line: 'spec.awsLaunchTemplate.nonRootVolumes[0].deviceName: Required value',
    },
    { launch: { marketType: 'CapacityBlock' as const }, line: 'is required when CapacityBlock is provided' },
    {
      launch: { capacityReservationId: 'cr-1', capacityReservationPreference: 'Open' as const },
      line: 'spec.capacityReservationPreference: Forbidden: when capacityReservationId is specified',
    },
  ])('refuses the launch template $launch', ({ launch, line }) => {
    expect(refused({ awsLaunchTemplate: launch })).toEqual([expect.stringContaining(line)]);
  });

  it.each([
    ['windlass-drain', 'Forbidden: windlass-drain is a hook of Windlass'],
    ['windlass-prepare', 'Forbidden: windlass-prepare is a hook of Windlass'],
    ['drain', 'Duplicate value: "drain"'],
  ])('refuses the name %s of a second hook, unless an earlier version stored it', (name, why) => {
    const lifecycleHooks = [hook, { ...hook, name }];
    const old = admit(awsMachinePool, withSpec({}));
    const line = `spec.lifecycleHooks[1].name: ${why}`;
    expect([refused({ lifecycleHooks }), refused({ lifecycleHooks }, old)]).toEqual([[line], [line]]);
    const stored = { ...old, spec: { ...old.spec, lifecycleHooks } as AWSMachinePoolSpec };
    expect(refused({ lifecycleHooks, maxSize: 3 }, stored)).toEqual([]);
  });

  it('accepts long lists that an earlier version stored', () => {
    const old = admit(awsMachinePool, withSpec({}));
    const stored = { ...old, spec: { ...old.spec, subnets: items(51) } as AWSMachinePoolSpec };
    expect(refused({ subnets: items(51), maxSize: 3 }, stored)).toEqual([]);
  });

  it('accepts any number of subnets by id', () => {
    const subnets = Array.from({ length: 60 }, (_, index) => ({ id: `subnet-${index}` }));
    expect(refused({ subnets })).toEqual([]);
  });

  it('accepts only one way to request spot capacity', () => {
    expect(refused({ awsLaunchTemplate: { spotMarketOptions: {} }, mixedInstancesPolicy: {} })).toEqual([
      'spec.awsLaunchTemplate.spotMarketOptions: Forbidden: either spec.awsLaunchTemplate.spotMarketOptions or spec.mixedInstancesPolicy should be used',
    ]);
  });

  it('accepts an hour and a half for a hook', () => {
    expect(refused({ lifecycleHooks: [{ ...hook, heartbeatTimeout: '1h30m', defaultResult: 'CONTINUE' }] })).toEqual(
      [],
    );
  });
});
