import { describe, expect, it } from 'vitest';
import type { AWSCluster, AWSMachinePool, MachinePool } from '../../../../kinds/index.ts';
import type { PlacedPool } from '../../../infrastructure.ts';
import { poolPreview } from './forecast.ts';

interface Change {
  version?: string;
  config?: object;
  configName?: string;
  spec?: object;
  status?: object | undefined;
  cluster?: object;
  replicas?: number;
}

const ARN = 'arn:aws:autoscaling:us-east-1:1:autoScalingGroup:u:autoScalingGroupName';
const SEEN = {
  providerID: `${ARN}/default.p`,
  providerIDList: ['aws:///us-east-1a/i-1', 'aws:///us-east-1b/i-2'],
};

const placed = (change: Change = {}): PlacedPool => {
  const {
    version = 'v1.34.0',
    config = { files: [] },
    configName = 'p',
    spec = {},
    cluster = {},
    replicas = 2,
  } = change;
  const configRef = { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name: configName };
  const subnets = [{ id: 'subnet-1', availabilityZone: 'us-east-1a' }];
  const status = 'status' in change ? change.status : { launchTemplateVersion: '7' };
  return {
    pool: {
      metadata: { name: 'p', namespace: 'default' },
      spec: { clusterName: 'red', replicas, template: { spec: { version, bootstrap: { configRef } } } },
    } as unknown as MachinePool,
    infrastructure: {
      metadata: { name: 'p', namespace: 'default' },
      spec: { minSize: 1, maxSize: 3, awsLaunchTemplate: { instanceType: 't3.large' }, ...SEEN, ...spec },
      status,
    } as unknown as AWSMachinePool,
    config: {
      apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
      kind: 'KubeadmConfig',
      metadata: { name: configName },
      spec: config,
    },
    cluster: {
      metadata: { name: 'red' },
      spec: { network: { subnets }, ...cluster },
      status: { ready: true },
    } as unknown as AWSCluster,
  };
};

const lines = (after: Change, before: Change = {}): readonly string[] =>
  poolPreview.change(placed(after), placed(before)).lines;

const REFRESH =
  'starts an instance refresh, which replaces 2 instances after draining each: i-1, i-2 (Rolling, with the defaults of Auto Scaling)';
const ONLY_DATA =
  'starts no instance refresh, because only the bootstrap data changes: 2 running instances stay as they are';
const creates = (what: string) => `creates version 8 of launch template default.p: ${what}`;

describe('the forecast of a pool', () => {
  it.each<[what: string, change: Change, expected: string[]]>([
    ['nothing', {}, []],
    [
      'the content of the configuration',
      { config: { files: [{ path: '/a' }] } },
      [creates('bootstrap data'), ONLY_DATA],
    ],
    ['a configuration of another name', { configName: 'q' }, [creates('name of the bootstrap data'), REFRESH]],
    ['the version', { version: 'v1.34.1' }, [creates('image, bootstrap data'), REFRESH]],
    ['the images of the whole cluster', { cluster: { imageLookupOrg: '123456789012' } }, [creates('image'), REFRESH]],
    [
      'more than one thing',
      { replicas: 3, spec: { additionalTags: { a: 'b' } } },
      [
        creates('tags'),
        'desired capacity of Auto Scaling group default.p from 2 to 3: launches 1 instance; no running instance is replaced',
        'sets tags a of Auto Scaling group default.p',
        REFRESH,
      ],
    ],
    [
      'a type that cannot be determined',
      { spec: { awsLaunchTemplate: {} } },
      ['is blocked: spec.awsLaunchTemplate.instanceType: must be set, or an override of spec.mixedInstancesPolicy'],
    ],
    [
      'no version',
      { version: '' },
      [
        'is blocked: spec.awsLaunchTemplate.ami.id: must be set if the MachinePool has no version by which an image can be looked up',
      ],
    ],
    [
      'zones where there is no subnet',
      { spec: { availabilityZones: ['us-east-1c'] } },
      ['is blocked: spec.availabilityZones: the cluster has no subnet in us-east-1c'],
    ],
  ])('covers a change of %s', (_, change, expected) => {
    expect(lines(change)).toEqual(expected);
  });

  it('says that instances stay if no image follows from the version', () => {
    const spec = { awsLaunchTemplate: { instanceType: 't3.large', ami: { id: 'ami-1' } } };
    expect(lines({ spec, version: 'v1.34.1' }, { spec })).toEqual([creates('bootstrap data'), ONLY_DATA]);
  });

  it('says what waits for suspended processes', () => {
    const spec = { suspendProcesses: { processes: { launch: true, terminate: true, instanceRefresh: true } } };
    expect(lines({ spec, replicas: 3 }, { spec })).toEqual([
      expect.stringContaining('launches 1 instance, once the process Launch is no longer suspended'),
    ]);
    expect(lines({ spec, replicas: 1 }, { spec })[0]).toContain('once the process Terminate is no longer suspended');
    const other = { ...spec, awsLaunchTemplate: { instanceType: 'm5.large' } };
    expect(lines({ spec: other }, { spec })[1]).toMatch(
      /; it does not continue while the process InstanceRefresh is suspended$/,
    );
  });

  it('counts the instances that a new group has, a larger one gets, and a refresh replaces', () => {
    const instances = (after: Change, before?: Change) =>
      poolPreview.change(placed(after), before && placed(before)).instances;
    const isNew = { status: undefined, spec: { providerID: undefined, providerIDList: undefined } };
    expect(instances(isNew)).toEqual({ more: 2, fewer: 0, replaced: 0 });
    expect(instances({ replicas: 3, version: 'v1.34.1' }, {})).toEqual({ more: 1, fewer: 0, replaced: 2 });
    expect(instances({ replicas: 1 }, {})).toEqual({ more: 0, fewer: 1, replaced: 0 });
    expect(poolPreview.deletion(placed()).instances).toEqual({ more: 0, fewer: 2, replaced: 0 });
    expect(poolPreview.deletion(placed(isNew))).toMatchObject({ instances: { fewer: 0 } });
  });

  it('keeps the name of a group that was taken over', () => {
    const spec = { providerID: `${ARN}/p` };
    expect(lines({ spec, replicas: 3 }, { spec })[0]).toMatch(/^desired capacity of Auto Scaling group p from 2 to 3/);
    expect(poolPreview.change(placed({ spec, status: undefined }), undefined).lines[0]).toBe(
      'takes over Auto Scaling group p and its launch template, with 2 instances',
    );
  });

  it('names no subnet if the network of the cluster does not exist yet', () => {
    const isNew = { status: undefined, spec: { providerID: undefined, providerIDList: undefined } };
    const place = placed(isNew);
    const cluster = { metadata: { name: 'red' }, spec: {} } as PlacedPool['cluster'];
    expect(poolPreview.change({ ...place, cluster }, undefined).lines).toEqual([
      'creates launch template default.p',
      'creates Auto Scaling group default.p: 2 instances of t3.large, at least 1 and at most 3',
    ]);
  });

  it('begins with the replicas for a new pool with an autoscaler', () => {
    const made = placed({ status: undefined, spec: { providerID: undefined, providerIDList: undefined } });
    const annotations = { 'cluster.x-k8s.io/replicas-managed-by': 'cluster-autoscaler' };
    const pool = { ...made.pool, metadata: { ...made.pool.metadata, annotations } };
    const { lines: found, instances } = poolPreview.change({ ...made, pool }, undefined);
    expect(found.join('; ')).toContain('creates Auto Scaling group default.p: 2 instances of t3.large');
    expect(instances.more).toBe(2);
  });
});
