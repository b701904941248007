import { expect, it } from 'vitest';
import type { AWSCluster, AWSMachine } from '../../../../kinds/index.ts';
import { lacksTarget } from './target.ts';

const machine = (change: { instanceID?: string; state?: string; attached?: boolean } = {}): AWSMachine => {
  const { instanceID = 'i-1', state = 'running', attached = false } = change;
  const conditions = attached ? [{ type: 'ELBAttached', status: 'True' }] : [];
  return { spec: { instanceID }, status: { instanceState: state, conditions } } as unknown as AWSMachine;
};
const cluster = (controlPlaneLoadBalancer: object = {}, annotations = {}): AWSCluster =>
  ({ metadata: { annotations }, spec: { controlPlaneLoadBalancer } }) as unknown as AWSCluster;

it.each([
  ['is running and was never attached', machine(), cluster(), true],
  ['was attached', machine({ attached: true }), cluster(), false],
  ['does not run yet', machine({ state: 'pending' }), cluster(), false],
  ['has no load balancer', machine(), cluster({ loadBalancerType: 'disabled' }), false],
  [
    'belongs to a cluster whose load balancer others manage',
    machine(),
    cluster({}, { 'cluster.x-k8s.io/managed-by': 'others' }),
    false,
  ],
] as const)('an instance that %s is registered or not', (_, instance, of, lacks) => {
  expect(lacksTarget(instance, of)).toBe(lacks);
});
