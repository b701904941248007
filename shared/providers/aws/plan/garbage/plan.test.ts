import { describe, expect, it } from 'vitest';
import { buildTags } from '../../tags.ts';
import { isGroupGarbage } from './ownership.ts';
import { garbageAmong, planGarbage } from './plan.ts';
import { GC_TASKS, gcTasksOf } from './tasks.ts';

const CLUSTER = { namespace: 'default', name: 'red' };
const CCM = { 'kubernetes.io/cluster/red': 'owned', 'kubernetes.io/service-name': 'default/web' };
const found = (tags: Record<string, string>, kind: 'LoadBalancer' | 'ClassicLoadBalancer' | 'TargetGroup') => ({
  kind,
  id: 'id',
  name: 'a1',
  tags,
});
const types = (tags: Record<string, string>, kind: Parameters<typeof found>[1] = 'LoadBalancer') =>
  planGarbage(garbageAmong(CLUSTER, [found(tags, kind)], GC_TASKS)).map(({ type }) => type);

describe('a resource that a controller in the cluster created', () => {
  it.each<[string, Record<string, string>, boolean]>([
    ['is garbage with the tags of the cloud controller manager', CCM, true],
    [
      'is garbage with the tags of the AWS Load Balancer Controller',
      { 'elbv2.k8s.aws/cluster': 'red', 'service.k8s.aws/stack': 'a/b' },
      true,
    ],
    ['is garbage with the tags that Windlass itself sets', buildTags({ cluster: CLUSTER, role: 'apiserver' }), true],
    ['is kept if the cluster only shares it', { ...CCM, 'kubernetes.io/cluster/red': 'shared' }, false],
    ['is kept if it was not created for a Service', { 'kubernetes.io/cluster/red': 'owned' }, false],
    ['is kept if it also has the tag of another cluster', { ...CCM, 'kubernetes.io/cluster/blue': 'shared' }, false],
    ['is kept if it belongs to another cluster', { 'elbv2.k8s.aws/cluster': 'blue' }, false],
    [
      'is kept if it belongs to a cluster of that name in another namespace',
      buildTags({ cluster: { namespace: 'b', name: 'red' }, role: 'apiserver' }),
      false,
    ],
    ['is kept if it has only tags of a user', { team: 'a' }, false],
  ])('%s', (_, tags, isGone) => {
    expect(types(tags)).toEqual(isGone ? ['DeleteLoadBalancer'] : []);
  });

  it('is deleted in order: a target group once no load balancer is left', () => {
    const both = [found(CCM, 'TargetGroup'), found(CCM, 'ClassicLoadBalancer')];

    expect(planGarbage(garbageAmong(CLUSTER, both, GC_TASKS)).map(({ type }) => type)).toEqual([
      'DeleteClassicLoadBalancer',
    ]);
    expect(types(CCM, 'TargetGroup')).toEqual(['DeleteTargetGroup']);
    expect(planGarbage(garbageAmong(CLUSTER, both, ['target-group'])).map(({ type }) => type)).toEqual([
      'DeleteTargetGroup',
    ]);
  });

  it('may be a security group, but not one of EKS or of a Windlass cluster', () => {
    const owned = { 'kubernetes.io/cluster/red': 'owned' };

    expect(isGroupGarbage(CLUSTER, owned)).toBe(true);
    expect(isGroupGarbage(CLUSTER, { ...owned, 'aws:eks:cluster-name': 'red' })).toBe(false);
    expect(isGroupGarbage(CLUSTER, { ...owned, ...buildTags({ cluster: CLUSTER, role: 'lb' }) })).toBe(false);
  });
});

describe('the annotations', () => {
  const tasksOf = (annotations: Record<string, string>) => gcTasksOf({ metadata: { name: 'red', annotations } });

  it.each<[Record<string, string>, readonly string[]]>([
    [{}, GC_TASKS],
    [{ 'aws.cluster.x-k8s.io/external-resource-gc': 'F' }, []],
    [
      { 'aws.cluster.x-k8s.io/external-resource-tasks-gc': 'security-group,load-balancer' },
      ['load-balancer', 'security-group'],
    ],
  ])('%j mean %j', (annotations, tasks) => {
    expect(tasksOf(annotations)).toEqual(tasks);
  });

  it('must be valid', () => {
    expect(() => tasksOf({ 'aws.cluster.x-k8s.io/external-resource-gc': 'maybe' })).toThrow('must be true or false');
  });
});
