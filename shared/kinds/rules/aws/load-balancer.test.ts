import { describe, expect, it } from 'vitest';
import { awsCluster } from '../../aws-cluster/definition.ts';
import type { AWSCluster } from '../../aws-cluster/schema.ts';
import { admit, example, refusals } from '../../test-admission.ts';

const listening = (ports: number[], apiPort?: number): AWSCluster => {
  const base = example(awsCluster);
  const additionalListeners = ports.map((port) => ({ port }));
  return {
    ...base,
    spec: {
      ...base.spec,
      controlPlaneLoadBalancer: { additionalListeners },
      secondaryControlPlaneLoadBalancer: { name: 'second', additionalListeners },
      ...(apiPort ? { controlPlaneEndpoint: { host: 'api.example.com', port: apiPort } } : {}),
    },
  };
};

describe('the name of a load balancer', () => {
  const named = (name: string, loadBalancerType: 'nlb' | 'classic' = 'nlb'): AWSCluster => {
    const base = example(awsCluster);
    const secondaryControlPlaneLoadBalancer = { name, scheme: 'internal' as const };
    return {
      ...base,
      spec: {
        ...base.spec,
        controlPlaneLoadBalancer: { name: `${name}-1`, loadBalancerType },
        ...(loadBalancerType === 'nlb' ? { secondaryControlPlaneLoadBalancer } : {}),
      },
    };
  };
  const detail = "must not begin with 'internal-', which AWS reserves";

  it('does not begin with a prefix that AWS reserves, except for a classic load balancer', () => {
    expect(refusals(awsCluster, named('internal-api'))).toEqual([
      `spec.controlPlaneLoadBalancer.name: Invalid value: "internal-api-1": ${detail}`,
      `spec.secondaryControlPlaneLoadBalancer.name: Invalid value: "internal-api": ${detail}`,
    ]);
    expect(refusals(awsCluster, named('internal'))).toEqual([
      `spec.controlPlaneLoadBalancer.name: Invalid value: "internal-1": ${detail}`,
    ]);
    expect(refusals(awsCluster, named('internal-api', 'classic'))).toEqual([]);
    expect(refusals(awsCluster, named('api'))).toEqual([]);
  });

  it('may stay if it is already stored, so that the object can be updated and deleted', () => {
    const old = admit(awsCluster, named('api'));
    const { controlPlaneLoadBalancer: balancer = {} } = old.spec;
    const stored = { ...old, spec: { ...old.spec, controlPlaneLoadBalancer: { ...balancer, name: 'internal-api' } } };

    expect(refusals(awsCluster, stored, stored)).toEqual([]);
  });
});

describe('an additional listener', () => {
  const detail = 'is the port of the API (spec.controlPlaneEndpoint.port), which has a listener already';

  it('must have a different port from the API, if that port is known', () => {
    expect(refusals(awsCluster, listening([8132, 443], 443))).toEqual([
      `spec.controlPlaneLoadBalancer.additionalListeners[1].port: Invalid value: 443: ${detail}`,
      `spec.secondaryControlPlaneLoadBalancer.additionalListeners[1].port: Invalid value: 443: ${detail}`,
    ]);
    expect(refusals(awsCluster, listening([6443], 443))).toEqual([]);
  });

  it('does not prevent the endpoint from being recorded', () => {
    const old = admit(awsCluster, listening([6443]));
    const { controlPlaneEndpoint } = listening([], 6443).spec;

    expect(refusals(awsCluster, { ...old, spec: { ...old.spec, controlPlaneEndpoint } }, old)).toEqual([]);
  });

  it('must have a unique port', () => {
    expect(refusals(awsCluster, listening([8132, 8132]))).toEqual([
      'spec.controlPlaneLoadBalancer.additionalListeners[1]: Duplicate value: {"port":8132}',
      'spec.secondaryControlPlaneLoadBalancer.additionalListeners[1]: Duplicate value: {"port":8132}',
    ]);
  });
});
