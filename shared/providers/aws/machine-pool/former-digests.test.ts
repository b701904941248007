import { describe, expect, it } from 'vitest';
import type { AWSCluster, AWSMachinePool, MachinePool } from '../../../kinds/index.ts';
import type { LaunchRequest } from '../plan/launch/request.ts';
import { desiredGroup } from './desired-group.ts';
import { desiredTemplate } from './desired-template.ts';
import { withRecordOf, withTodaysDigests } from './former-digests.ts';
import type { DesiredTemplate, TemplateDigests } from './model.ts';
import { type ObservedPool, planPool } from './plan.ts';
import { recordedRefresh, recordedTemplate } from './record.ts';

const pool = { metadata: { name: 'mp' }, spec: { replicas: 1, template: { spec: {} } } } as unknown as MachinePool;

const TYPED = { awsLaunchTemplate: { instanceType: 't3.large' } };

const awsPool = (additionalTags: Record<string, string> = {}, spec: object = TYPED): AWSMachinePool =>
  ({
    metadata: { namespace: 'default', name: 'pool-0' },
    spec: { minSize: 1, maxSize: 5, additionalTags, ...spec },
  }) as unknown as AWSMachinePool;

const GROUPS = ['sg-node', 'sg-lb', 'sg-b', 'sg-a'];

/** `type`: the first of the pool's types, with which its image is found. */
const template = ({
  groups = GROUPS,
  tags = { team: 'a', cost: '7' },
  userData = 'dXNlcg==',
  spec = TYPED as object,
  type = 't3.large',
} = {}): DesiredTemplate =>
  desiredTemplate({
    cluster: { namespace: 'default', name: 'red' },
    pool: awsPool(tags, spec),
    awsCluster: { metadata: {}, spec: {} } as unknown as AWSCluster,
    request: { ImageId: 'ami-1', InstanceType: type, MinCount: 1, MaxCount: 1 } as LaunchRequest,
    securityGroupIds: groups,
    userData,
    dataSecretName: 'pool-0',
  });

/** The digests that version 0.1 recorded for the template. */
const FORMER: TemplateDigests = { shape: 'fbadb9055def02b4', digest: '4011f769f39ec4be' };

const group = desiredGroup(pool, awsPool(), { subnetIds: ['subnet-a'], tags: template().tags });

/** A group whose instance was launched from version 1 of its template, which has not changed since. */
const observed = (digests: TemplateDigests): ObservedPool => ({
  name: group.name,
  template: { id: 'lt-1', name: group.name, latestVersion: 1, tags: {} },
  latest: { id: 'lt-1', version: 1, since: 1, shape: digests.shape, digest: digests.digest },
  ...{ theirs: undefined, tagKeys: [], hooks: group.hooks, warm: [], refresh: undefined },
  recordedRefresh: { id: 'r-1', shape: digests.shape },
  group: {
    ...{ ...group, arn: 'arn', status: undefined, desired: 1, protectsNew: false, templateId: 'lt-1' },
    ...{ mixed: undefined, warm: undefined },
    instances: [{ id: 'i-1', zone: 'a', type: 't3.large', state: 'InService', version: 1 }],
  },
});

const plan = (seen: ObservedPool, asked: DesiredTemplate): string[] =>
  planPool({ pool: awsPool(), template: asked, group, observed: seen }).map((action) => action.do);

describe('the order of security groups and tags', () => {
  it.each([
    ['security groups', { groups: [...GROUPS].reverse() }],
    ['tags', { tags: { cost: '7', team: 'a' } }],
  ])('does not affect the template: %s', (_, other) => {
    expect(template(other)).toMatchObject({ shape: template().shape, digest: template().digest });
    expect(template(other).data).toEqual(template().data);
    expect(plan(observed(template()), template(other))).toEqual([]);
  });

  it('was part of the digests of version 0.1', () => {
    expect(template().former).toContainEqual(FORMER);
  });
});

const mixed = (...types: string[]) => ({
  awsLaunchTemplate: {},
  mixedInstancesPolicy: { overrides: types.map((instanceType) => ({ instanceType })) },
});
const M5 = { spec: mixed('m5.large', 'm6i.large'), type: 'm5.large' };
const M6 = { spec: mixed('m6i.large', 'm5.large'), type: 'm6i.large' };

describe('the types of a pool whose template names none', () => {
  it('do not affect the template', () => {
    expect(template(M5).data).not.toHaveProperty('InstanceType');
    expect(template(M6)).toMatchObject({ shape: template(M5).shape, digest: template(M5).digest });
    expect(plan(observed(template(M5)), template(M6))).toEqual([]);
  });

  it.each<[string, TemplateDigests]>([
    ['version 0.1', { shape: 'ecdac15b7280cdea', digest: '0e3953b800c3b7d3' }],
    ['later versions', { shape: '346b76d275e7ed5e', digest: '4700de4ebd9bb738' }],
  ])('were part of the digests of %s, and are not replaced by the upgrade', (_, digests) => {
    expect(template(M5).former).toContainEqual(digests);
    const today = withTodaysDigests(observed(digests), template(M5));
    expect(today.recordedRefresh?.shape).toBe(template(M5).shape);
    expect(plan(today, template(M5))).toEqual([]);
    expect(plan(today, template(M6))).toEqual([]);
  });
});

describe('a pool that version 0.1 recorded', () => {
  it('is not changed by the upgrade, nor by another order later', () => {
    const today = withTodaysDigests(observed(FORMER), template());
    expect(plan(today, template())).toEqual([]);
    expect(plan(today, template({ groups: [...GROUPS].reverse() }))).toEqual([]);
  });

  it('does not replace instances for a new token', () => {
    const renewed = template({ userData: 'bmV3' });
    const today = withTodaysDigests(observed(FORMER), renewed);
    expect(plan(today, renewed)).toEqual(['create-version']);
    expect(today.latest).toMatchObject({ shape: renewed.shape, since: 1 });
    expect(today.recordedRefresh?.shape).toBe(renewed.shape);
  });

  it('is recorded with the current digests, once', () => {
    const today = withTodaysDigests(observed(FORMER), template());
    const recorded = withRecordOf(awsPool(), today);
    expect(recorded && recordedTemplate(recorded)).toEqual(today.latest);
    expect(recorded && recordedRefresh(recorded)).toEqual({ ...today.recordedRefresh, since: 1 });
    expect(recorded && withRecordOf(recorded, today)).toBeUndefined();
    expect(withTodaysDigests(today, template())).toBe(today);
  });

  it('gets a new version and new instances for another template', () => {
    const other = template({ groups: ['sg-other'] });
    const before = observed(FORMER);
    expect(withTodaysDigests(before, other)).toBe(before);
    expect(plan(before, other)).toEqual(['create-version']);
    const latest = { id: 'lt-1', version: 2, since: 2, shape: other.shape, digest: other.digest };
    expect(plan(withTodaysDigests({ ...before, latest }, other), other)).toEqual(['start-refresh']);
  });
});
