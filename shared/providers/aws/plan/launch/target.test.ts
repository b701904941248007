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
  ['that is running and was never attached is to be registered', machine(), cluster(), true],
  ['that was attached is not registered again', machine({ attached: true }), cluster(), false],
  ['that does not run yet is not registered', machine({ state: 'pending' }), cluster(), false],
  [
    'of a cluster without a load balancer is not registered',
    machine(),
    cluster({ loadBalancerType: 'disabled' }),
    false,
  ],
  [
    'of a cluster whose load balancer others manage is not registered',
    machine(),
    cluster({}, { 'cluster.x-k8s.io/managed-by': 'others' }),
    false,
  ],
] as const)('an instance %s', (_, instance, of, lacks) => {
  expect(lacksTarget(instance, of)).toBe(lacks);
});
