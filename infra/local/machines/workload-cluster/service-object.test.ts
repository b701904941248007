import { describe, expect, it } from 'vitest';
import { completeService, type Service } from './service-object.ts';

const service = (spec: Service['spec'], uid = 'u-1'): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', uid },
  spec,
});
const LB = { type: 'LoadBalancer', ports: [{ port: 80 }, { port: 443 }] };

describe('what the API server sets in a Service', () => {
  it('includes an address, and a node port for each port', () => {
    const { spec } = completeService(service(LB), undefined);

    expect(spec).toMatchObject({
      clusterIP: expect.stringMatching(/^10\.(9[6-9]|10\d|11[01])\.\d+\.\d+$/),
      externalTrafficPolicy: 'Cluster',
      allocateLoadBalancerNodePorts: true,
      ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }, { port: 443 }],
    });
    const nodePorts = spec?.ports?.map(({ nodePort = 0 }) => nodePort) ?? [];
    expect(new Set(nodePorts).size).toBe(2);
    expect(nodePorts.every((port) => port >= 30_000 && port <= 32_767)).toBe(true);
  });

  it('is kept by updates that do not mention it', () => {
    const before = completeService(service(LB), undefined);
    expect(completeService(service(LB), before)).toEqual(before);
  });

  it('is removed with the type that needs it', () => {
    const before = completeService(service({ ...LB, externalTrafficPolicy: 'Local' }), undefined);
    expect(before.spec?.healthCheckNodePort).toBeGreaterThanOrEqual(30_000);

    const { spec } = completeService({ ...before, spec: { ...before.spec, type: 'ClusterIP' } }, before);

    expect(spec?.ports).toEqual([
      { port: 80, protocol: 'TCP', targetPort: 80 },
      { port: 443, protocol: 'TCP', targetPort: 443 },
    ]);
    expect(spec?.healthCheckNodePort ?? spec?.externalTrafficPolicy).toBeUndefined();
  });

  it('includes no node port if the Service does not want any', () => {
    const { spec } = completeService(service({ ...LB, allocateLoadBalancerNodePorts: false }), undefined);
    expect(spec?.ports?.every(({ nodePort }) => nodePort === undefined)).toBe(true);
  });
});
