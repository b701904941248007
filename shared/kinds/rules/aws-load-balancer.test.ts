import { describe, expect, it } from 'vitest';
import { awsCluster } from '../aws-cluster/definition.ts';
import type { AWSCluster } from '../aws-cluster/schema.ts';
import { admit, example, refusals } from '../test-admission.ts';

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

describe('an additional listener', () => {
  const detail = 'is the port of the API (spec.controlPlaneEndpoint.port), which has a listener already';

  it('has another port than the API, if that is known', () => {
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

  it('has a port of its own', () => {
    expect(refusals(awsCluster, listening([8132, 8132]))).toEqual([
      'spec.controlPlaneLoadBalancer.additionalListeners[1]: Duplicate value: {"port":8132}',
      'spec.secondaryControlPlaneLoadBalancer.additionalListeners[1]: Duplicate value: {"port":8132}',
    ]);
  });
});
