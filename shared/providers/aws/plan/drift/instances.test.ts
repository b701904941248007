import { describe, expect, it } from 'vitest';
import type { AWSCluster, AWSMachine, Cluster, Machine } from '../../../../kinds/index.ts';
import { ON_DRIFT } from '../../../../kinds/rules/drift-policy.ts';
import { withRecordedLaunch } from '../launch/recorded.ts';
import { instanceTags, type LaunchRequest } from '../launch/request.ts';
import { withAppliedGroups } from './applied-groups.ts';
import { withAppliedTags } from './applied-tags.ts';
import type { ListedInstance, PlacedMachine } from './difference.ts';
import { planInstanceDrift, unknownInstances } from './instances.ts';

const CLUSTER = { namespace: 'default', name: 'red' };
const metadata = { namespace: 'default', name: 'a', uid: 'uid-a', creationTimestamp: '2026-11-20T10:00:00Z' };

const placed = (policies = '', own?: Record<string, string>): PlacedMachine => ({
  machine: { metadata, spec: { clusterName: 'red' } } as Machine,
  infrastructure: {
    metadata,
    spec: {
      instanceType: 'm5.large',
      instanceID: 'i-a',
      providerID: 'aws:///us-east-1a/i-a',
      ...(own ? { additionalTags: own } : {}),
    },
    status: { instanceState: 'running' },
  } as unknown as AWSMachine,
  cluster: {
    metadata: { namespace: 'default', name: 'red', annotations: { [ON_DRIFT]: policies } },
    spec: {},
  } as unknown as Cluster,
  awsCluster: { metadata: { name: 'red' }, spec: { additionalTags: { team: 'blue' } } } as unknown as AWSCluster,
});

const tagsOf = ({ machine, infrastructure, awsCluster }: PlacedMachine) =>
  instanceTags({ cluster: CLUSTER, machine, infrastructure, awsCluster });

const listed = (known: PlacedMachine, over: Partial<ListedInstance> = {}): ListedInstance => ({
  state: 'running',
  type: 'm5.large',
  tags: tagsOf(known),
  launchedAt: '2026-11-20T10:00:00Z',
  ...over,
});

const plan = (known: PlacedMachine, over: Partial<ListedInstance> = {}) =>
  planInstanceDrift([known], new Map([['i-a', listed(known, over)]])).map(({ kind, policy, message, repair }) => ({
    kind,
    policy,
    message,
    repair,
  }));

describe('an instance', () => {
  it('that matches its machine has not drifted, whatever other tags it has', () => {
    expect(plan(placed(), { tags: { ...tagsOf(placed()), backup: 'daily' } })).toEqual([]);
  });

  const GROUPS = { node: { id: 'sg-node', name: 'node' }, lb: { id: 'sg-lb', name: 'lb' } };
  const grouped = (policies: string, spec: object = {}): PlacedMachine => {
    const known = placed(policies);
    const awsCluster = { ...known.awsCluster, status: { networkStatus: { securityGroups: GROUPS } } } as AWSCluster;
    return {
      ...known,
      awsCluster,
      infrastructure: { ...known.infrastructure, spec: { ...known.infrastructure.spec, ...spec } },
    };
  };
  const attached = (id: string, groups: string[], description = '') => ({ id, description, groups });

  it('has the security groups of its role and its own ones on each interface that Windlass created', () => {
    const known = grouped('', { additionalSecurityGroups: [{ id: 'sg-own' }], networkInterfaces: ['eni-given'] });
    const right = ['sg-lb', 'sg-node', 'sg-own'];
    expect(plan(known, { interfaces: [attached('eni-1', right)] })).toEqual([]);
    const others = [attached('eni-given', []), attached('eni-pods', ['sg-pods'], 'aws-K8S-i-a')];
    expect(plan(known, { interfaces: [...others, attached('eni-1', ['sg-lb', 'sg-node', 'sg-x'])] })).toEqual([
      {
        kind: 'InstanceSecurityGroups',
        policy: 'Repair',
        message: 'its security groups are not those of its machine: missing sg-own, foreign sg-x',
        repair: { call: 'SetGroups', interfaces: [{ id: 'eni-1', groups: right }], applied: right },
      },
    ]);
    const wrong = { interfaces: [attached('eni-1', [])] };
    expect(plan(grouped('Report'), wrong)[0]?.repair).toBeUndefined();
    // Unknown properties are not compared.
    expect(plan(placed(), wrong)).toEqual([]);
    expect(
      plan(grouped('', { additionalSecurityGroups: [{ filters: [{ name: 'a', values: ['b'] }] }] }), wrong),
    ).toEqual([]);
  });

  const launchedWith = (known: PlacedMachine, Groups: string[]): PlacedMachine => {
    const request = { NetworkInterfaces: [{ Groups }] } as unknown as LaunchRequest;
    return { ...known, infrastructure: withRecordedLaunch(known.infrastructure, { at: '', request }) };
  };
  const ASKED = 'its machine specifies other security groups: added sg-new, removed sg-old';
  const CHANGED = 'its security groups are not those of its machine: missing none, foreign sg-x';
  const ROLE = ['sg-lb', 'sg-node'];
  const asked = (groups: string[]) => [
    ASKED,
    { call: 'SetGroups', interfaces: [{ id: 'eni-1', groups }], applied: ['sg-lb', 'sg-new', 'sg-node'] },
  ];

  it.each(['Adopt', 'Report'])('gets new security groups of its spec, even with the policy %s', (policy) => {
    const known = grouped(`InstanceSecurityGroups=${policy}`, { additionalSecurityGroups: [{ id: 'sg-new' }] });
    const told = (one: PlacedMachine, groups: string[]) =>
      plan(one, { interfaces: [attached('eni-1', groups)] }).map(({ message, repair }) => [message, repair]);
    const launched = launchedWith(known, [...ROLE, 'sg-old']);
    expect(told(launched, [...ROLE, 'sg-old'])).toEqual([asked([...ROLE, 'sg-new'])]);
    const adoption = { call: 'AdoptGroups', groupIds: ['sg-x'], applied: ['sg-lb', 'sg-new', 'sg-node', 'sg-x'] };
    expect(told(launched, [...ROLE, 'sg-old', 'sg-x'])).toEqual([
      asked([...ROLE, 'sg-x', 'sg-new']),
      [CHANGED, policy === 'Adopt' ? adoption : undefined],
    ]);
    // After they were applied, any difference is a change by others.
    const infrastructure = withAppliedGroups(launched.infrastructure, [...ROLE, 'sg-new']);
    const applied = { ...launched, infrastructure };
    expect(told(applied, [...ROLE, 'sg-new', 'sg-old'])[0]?.[1]).toEqual(
      policy === 'Adopt'
        ? { ...adoption, groupIds: ['sg-old'], applied: ['sg-lb', 'sg-new', 'sg-node', 'sg-old'] }
        : undefined,
    );
  });

  it('has the metadata options of its machine, if they are specified', () => {
    const open = { metadata: { HttpTokens: 'optional', HttpPutResponseHopLimit: '1' } };
    expect(plan(placed(), open)).toEqual([]);
    expect(plan(grouped('', { instanceMetadataOptions: { httpTokens: 'optional' } }), open)).toEqual([]);
    expect(plan(grouped('', { instanceMetadataOptions: { httpTokens: 'required' } }), open)).toMatchObject([
      {
        kind: 'InstanceMetadataOptions',
        message: 'HttpTokens is optional and should be required',
        repair: { call: 'SetMetadataOptions', options: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 } },
      },
    ]);
  });

  it('that was stopped is started only if the policy is Repair', () => {
    expect(plan(placed(), { state: 'stopped' })).toEqual([
      { kind: 'InstanceStopped', policy: 'Report', message: 'it was stopped', repair: undefined },
    ]);
    expect(plan(placed('InstanceStopped=Repair'), { state: 'stopped' })[0]?.repair).toEqual({ call: 'StartInstances' });
  });

  it('of another type is replaced only if the policy is Repair', () => {
    const [drift] = plan(placed(), { type: 'm5.xlarge' });
    expect(drift).toMatchObject({ kind: 'InstanceType', message: 'it is a m5.xlarge and was created as a m5.large' });
    expect(drift?.repair).toBeUndefined();
    expect(plan(placed('InstanceType=Repair'), { type: 'm5.xlarge' })[0]?.repair).toEqual({ call: 'ReplaceMachine' });
  });

  it('gets tags back that were changed or removed', () => {
    const { team: _, ...tags } = tagsOf(placed());
    expect(plan(placed(), { tags: { ...tags, Name: 'mine' } })).toEqual([
      {
        kind: 'InstanceTags',
        policy: 'Repair',
        message: 'its tags were changed: Name has another value, team is missing',
        repair: { call: 'CreateTags', tags: { Name: 'a', team: 'blue' } },
      },
    ]);
    expect(plan(placed('Report'), { tags })[0]?.repair).toBeUndefined();
  });

  it('passes the tags of a user on to the machine if they are adopted, but never ownership tags', () => {
    const known = placed('InstanceTags=Adopt', { cost: '1', gone: 'x' });
    const { gone: _, ...tags } = tagsOf(known);
    expect(plan(known, { tags: { ...tags, cost: '2' } })[0]?.repair).toEqual({
      call: 'AdoptTags',
      set: { cost: '2' },
      gone: ['gone'],
    });
    const { MachineName, ...bare } = tagsOf(known);
    expect(plan(known, { tags: bare })[0]?.repair).toEqual({ call: 'CreateTags', tags: { MachineName } });
  });

  it.each(['Adopt', 'Report'])('gets new tags of its spec, even with the policy %s', (policy) => {
    const before = placed(`InstanceTags=${policy}`, { cost: '1' });
    const infrastructure = withAppliedTags(before.infrastructure, { team: 'blue', cost: '1' });
    const spec = { ...infrastructure.spec, additionalTags: { cost: '1', fresh: 'x' } };
    const { cost: _, ...tags } = tagsOf(before);
    const drifts = plan({ ...before, infrastructure: { ...infrastructure, spec } }, { tags, volumes: ['vol-1'] });
    expect(drifts.map(({ message, repair }) => [message, repair])).toEqual([
      ['its machine specifies other tags: fresh', { call: 'CreateTags', tags: { fresh: 'x' } }],
      [
        'its tags were changed: cost is missing',
        policy === 'Adopt' ? { call: 'AdoptTags', set: {}, gone: ['cost'] } : undefined,
      ],
      [
        'its additional tags have changed: fresh',
        {
          call: 'ApplyTags',
          set: { fresh: 'x' },
          gone: [],
          volumeIds: ['vol-1'],
          applied: { team: 'blue', cost: '1', fresh: 'x' },
        },
      ],
    ]);
  });

  it.each([
    ['another tenant’s', { 'windlass.dev/cluster': 'victim/red' }],
    ['another tenant’s, by upstream’s tags', { 'windlass.dev/cluster': undefined, MachineName: 'victim/a' }],
    ['another machine’s', { MachineName: 'default/b' }],
  ])('of %s is reported and not changed, whatever the policies are', (_whose, over) => {
    const known = placed('Repair');
    const tags = { ...tagsOf(known), 'windlass.dev/machine-uid': 'uid-of-theirs', ...over };
    const seen = plan(known, { tags: JSON.parse(JSON.stringify(tags)), state: 'stopped', type: 'm5.xlarge' });
    expect(seen).toEqual([
      {
        ...{ kind: 'InstanceTags', policy: 'Report', repair: undefined },
        message: expect.stringMatching(/^spec.instanceID: instance i-a is left alone/),
      },
    ]);
  });

  it('that was created for the machine before a move gets the current uid', () => {
    const known = placed();
    const tags = { ...tagsOf(known), 'windlass.dev/machine-uid': 'uid-before' };
    expect(plan(known, { tags })[0]?.repair).toEqual({
      call: 'CreateTags',
      tags: { 'windlass.dev/machine-uid': 'uid-a' },
    });
  });

  it.each(['machine', 'infrastructure'] as const)('is left alone if the annotation pauses its %s', (part) => {
    const known = placed();
    const { metadata: own } = known[part];
    const annotated = { ...own, annotations: { 'cluster.x-k8s.io/paused': '' } };
    const paused = { ...known, [part]: { ...known[part], metadata: annotated } };
    expect(plan(known, { state: 'stopped' })).toHaveLength(1);
    expect(plan(paused, { state: 'stopped' })).toEqual([]);
  });

  it('that is gone is not checked', () => {
    expect(plan(placed(), { state: 'terminated', type: 'x', tags: {} })).toEqual([]);
  });
});

describe('an instance without a machine', () => {
  const facts = {
    clusters: [CLUSTER],
    instanceIds: new Set<string>(),
    machineUids: new Set<string>(),
    launchedUids: new Set<string>(),
    now: new Date('2026-11-20T12:00:00Z'),
  };
  const unknown = (over: Partial<ListedInstance> = {}, also: Partial<typeof facts> = {}) =>
    unknownInstances(new Map([['i-a', listed(placed(), over)]]), { ...facts, ...also }).map(
      ({ instanceId }) => instanceId,
    );

  it('is found by the tags of its cluster', () => {
    expect(unknown()).toEqual(['i-a']);
  });

  it('is found in addition to the one that its machine has recorded', () => {
    const uids = new Set(['uid-a']);
    expect(unknown({}, { instanceIds: new Set(['i-b']), machineUids: uids, launchedUids: uids })).toEqual(['i-a']);
  });

  it.each<[string, Partial<ListedInstance>, Partial<typeof facts>]>([
    ['a machine has it', {}, { instanceIds: new Set(['i-a']) }],
    ['its machine has not recorded it yet', {}, { machineUids: new Set(['uid-a']) }],
    ['it was launched a moment ago', { launchedAt: '2026-11-20T11:59:00Z' }, {}],
    ['it is terminated', { state: 'terminated' }, {}],
    ['it is of another cluster', {}, { clusters: [{ namespace: 'default', name: 'blue' }] }],
    ['it is of a cluster of that name in another namespace', {}, { clusters: [{ namespace: 'other', name: 'red' }] }],
    [
      'upstream created it for a cluster of that name in another namespace',
      { tags: { 'sigs.k8s.io/cluster-api-provider-aws/cluster/red': 'owned', MachineName: 'victim/a' } },
      {},
    ],
    ['it is a bastion', { tags: { 'sigs.k8s.io/cluster-api-provider-aws/cluster/red': 'owned' } }, {}],
  ])('is left alone if %s', (_, over, also) => {
    expect(unknown(over, also)).toEqual([]);
  });
});
