import { describe, expect, it } from 'vitest';
import { awsCluster } from '../../aws-cluster/definition.ts';
import type { AWSCluster } from '../../aws-cluster/schema.ts';
import { awsClusterTemplate } from '../../aws-cluster-template/definition.ts';
import type { LoadBalancerSpec } from '../../schema/aws-load-balancer.ts';
import { admit, example, refusals } from '../../test-admission.ts';
import { validateHealthChecks } from './health-check.ts';
import { validateListenerPorts } from './load-balancer.ts';

const PRIMARY = 'spec.controlPlaneLoadBalancer';
const NETWORK = 'a network load balancer checks over TCP, HTTP or HTTPS; SSL needs "loadBalancerType: classic"';

const balanced = (controlPlaneLoadBalancer: LoadBalancerSpec, secondary?: LoadBalancerSpec): AWSCluster => {
  const base = example(awsCluster);
  const secondaryControlPlaneLoadBalancer = secondary && { name: 'second', ...secondary };
  return {
    ...base,
    spec: { ...base.spec, controlPlaneLoadBalancer, ...(secondary ? { secondaryControlPlaneLoadBalancer } : {}) },
  };
};

/** An object as an earlier version stored it: admitted with a load balancer that is now rejected. */
const stored = (spec: LoadBalancerSpec): AWSCluster => {
  const admitted = admit(awsCluster, balanced({ scheme: 'internal', loadBalancerType: spec.loadBalancerType }));
  return { ...admitted, spec: { ...admitted.spec, controlPlaneLoadBalancer: { scheme: 'internal', ...spec } } };
};

const updated = (old: AWSCluster, changes: Partial<AWSCluster['spec']>): string[] =>
  refusals(awsCluster, { ...old, spec: { ...old.spec, ...changes } }, old);

describe('many listeners', () => {
  it('are checked without comparing every pair', { timeout: 45_000 }, () => {
    const additionalListeners = Array.from({ length: 60_000 }, (_, port) => ({ port }));
    const spec: LoadBalancerSpec = { loadBalancerType: 'nlb', additionalListeners };
    expect(validateHealthChecks(spec, structuredClone(spec), PRIMARY)).toEqual([]);
    expect(validateListenerPorts(spec, structuredClone(spec), PRIMARY, 443)).toEqual([]);
  });
});

describe('the protocol of a health check', () => {
  it.each<{ spec: LoadBalancerSpec; refused: string[] }>([
    { spec: { healthCheckProtocol: 'SSL' }, refused: [`Invalid value: "SSL": ${NETWORK}`] },
    { spec: { healthCheckProtocol: 'TLS' }, refused: [`Invalid value: "TLS": ${NETWORK}`] },
    { spec: { healthCheckProtocol: 'UDP' }, refused: [`Invalid value: "UDP": ${NETWORK}`] },
    { spec: { healthCheckProtocol: 'HTTPS' }, refused: [] },
    { spec: { loadBalancerType: 'classic', healthCheckProtocol: 'SSL' }, refused: [] },
    {
      spec: { loadBalancerType: 'classic', healthCheckProtocol: 'TLS' },
      refused: ['Invalid value: "TLS": a classic load balancer checks over TCP, SSL, HTTP or HTTPS'],
    },
  ])('must be supported by AWS: $spec', ({ spec, refused }) => {
    expect(refusals(awsCluster, balanced(spec))).toEqual(
      refused.map((message) => `${PRIMARY}.healthCheckProtocol: ${message}`),
    );
  });

  it('is validated for a second load balancer and in templates', () => {
    const spec = { controlPlaneLoadBalancer: { healthCheckProtocol: 'SSL' } };
    const { apiVersion } = example(awsCluster);
    const template = { apiVersion, kind: 'AWSClusterTemplate', metadata: { name: 'a' }, spec: { template: { spec } } };

    expect(refusals(awsCluster, balanced({}, { healthCheckProtocol: 'UDP' }))).toEqual([
      `spec.secondaryControlPlaneLoadBalancer.healthCheckProtocol: Invalid value: "UDP": ${NETWORK}`,
    ]);
    expect(refusals(awsClusterTemplate, template)).toEqual([
      `spec.template.spec.controlPlaneLoadBalancer.healthCheckProtocol: Invalid value: "SSL": ${NETWORK}`,
    ]);
  });

  it('may stay or be corrected if an earlier version stored an unsupported one', () => {
    const old = stored({ loadBalancerType: 'nlb', healthCheckProtocol: 'SSL' });
    const { healthCheckProtocol: _ssl, ...without } = old.spec.controlPlaneLoadBalancer ?? {};
    const changed = (healthCheckProtocol: 'TCP' | 'TLS') =>
      updated(old, { controlPlaneLoadBalancer: { ...without, healthCheckProtocol } });

    expect(updated(old, { additionalTags: { team: 'a' } })).toEqual([]);
    expect(updated(old, { controlPlaneLoadBalancer: without })).toEqual([]);
    expect(changed('TCP')).toEqual([]);
    expect(changed('TLS')).toEqual([`${PRIMARY}.healthCheckProtocol: Invalid value: "TLS": ${NETWORK}`]);
  });
});

describe('the timeout of a health check', () => {
  const check = `${PRIMARY}.healthCheck.timeoutSeconds`;

  it.each<{ spec: LoadBalancerSpec; refused: string[] }>([
    { spec: { healthCheck: { intervalSeconds: 10, timeoutSeconds: 10 } }, refused: [] },
    {
      spec: { healthCheck: { timeoutSeconds: 6 } },
      refused: [`${check}: Invalid value: 6: must not be more than intervalSeconds, which is 5`],
    },
    {
      spec: { loadBalancerType: 'classic', healthCheck: { timeoutSeconds: 5 } },
      refused: [`${check}: Invalid value: 5: must be less than intervalSeconds, which is 5`],
    },
    {
      spec: { loadBalancerType: 'classic', healthCheck: { intervalSeconds: 300, timeoutSeconds: 61 } },
      refused: [`${check}: Invalid value: 61: must not be more than 60 for a classic load balancer`],
    },
    {
      spec: { additionalListeners: [{ port: 8132 }, { port: 8133, healthCheck: { timeoutSeconds: 120 } }] },
      refused: [
        `${PRIMARY}.additionalListeners[1].healthCheck.timeoutSeconds: Invalid value: 120: must not be more than intervalSeconds, which is 5`,
      ],
    },
  ])('must fit its interval: $spec', ({ spec, refused }) => {
    expect(refusals(awsCluster, balanced(spec))).toEqual(refused);
  });

  it('may stay if an earlier version stored an invalid one, also if listeners are removed', () => {
    const wrong = { port: 8133, healthCheck: { timeoutSeconds: 120 } };
    const old = stored({
      loadBalancerType: 'nlb',
      healthCheck: { timeoutSeconds: 6 },
      additionalListeners: [{ port: 8132 }, wrong],
    });
    const { controlPlaneLoadBalancer: balancer = {} } = old.spec;

    expect(updated(old, { controlPlaneLoadBalancer: { ...balancer, additionalListeners: [wrong] } })).toEqual([]);
    expect(
      updated(old, { controlPlaneLoadBalancer: { ...balancer, healthCheck: { timeoutSeconds: 7 } } }),
    ).toHaveLength(1);
  });
});
