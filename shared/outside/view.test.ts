import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../kube-api/object.ts';
import { viewOf } from './view.ts';

const object = (body: object): KubeObject =>
  ({ apiVersion: 'example.com/v1', kind: 'Any', metadata: { name: 'a', namespace: 'default' }, ...body }) as KubeObject;

const conditions = [
  { type: 'Ready', status: 'True', reason: 'Up', lastTransitionTime: '2026-01-01T00:00:00Z', severity: 'Info' },
  { type: 'Odd', status: 'Maybe' },
];

describe('a cluster of an external provider', () => {
  const spec = { controlPlaneEndpoint: { host: 'api', port: 6443 }, size: 3 };

  it('is read by the contract v1beta2', () => {
    const status = {
      initialization: { provisioned: true },
      failureDomains: [{ name: 'a', controlPlane: true, attributes: { rack: '1' } }, { name: 'b' }],
      conditions,
    };
    expect(viewOf('cluster', object({ spec, status }), 'v1beta2')).toMatchObject({
      spec: { controlPlaneEndpoint: { host: 'api', port: 6443 } },
      status: {
        ready: true,
        failureDomains: { a: { controlPlane: true, attributes: { rack: '1' } }, b: { controlPlane: false } },
        conditions: [{ type: 'Ready', status: 'True', reason: 'Up', lastTransitionTime: '2026-01-01T00:00:00Z' }],
      },
    });
  });

  it('is read by the contract v1beta1', () => {
    const status = { ready: true, failureDomains: { a: { controlPlane: true } }, v1beta2: { conditions } };
    expect(viewOf('cluster', object({ spec, status }), 'v1beta1')).toMatchObject({
      status: { ready: true, failureDomains: { a: { controlPlane: true } }, conditions: [{ type: 'Ready' }] },
    });
  });

  it.each([
    ['v1beta2', { ready: true }],
    ['v1beta1', { initialization: { provisioned: true } }],
    ['v1beta2', { initialization: { provisioned: 'true' } }],
    ['v1beta2', { initialization: null, conditions: 'none', failureDomains: { a: {} } }],
  ] as const)('is not ready in the contract %s with the status %j', (contract, status) => {
    const view = viewOf('cluster', object({ spec: { controlPlaneEndpoint: { host: '', port: 0 } }, status }), contract);
    expect(view).toMatchObject({ spec: {}, status: { ready: false, conditions: [] } });
    expect(view).not.toHaveProperty('status.failureDomains');
    expect(view).not.toHaveProperty('spec.controlPlaneEndpoint');
  });
});

describe('a machine of an external provider', () => {
  const addresses = [
    { type: 'InternalIP', address: '10.0.0.1' },
    { type: 'Pigeon', address: 'roof' },
  ];
  const spec = { providerID: 'any://1', failureDomain: 'old' };

  it('has its provider id once it is provisioned', () => {
    const status = { initialization: { provisioned: true }, addresses, failureDomain: 'a' };
    expect(viewOf('machine', object({ spec, status }), 'v1beta2')).toMatchObject({
      spec: { providerID: 'any://1' },
      status: { ready: true, addresses: [{ type: 'InternalIP', address: '10.0.0.1' }], failureDomain: 'a' },
    });
    expect(viewOf('machine', object({ spec, status: {} }), 'v1beta2')).toMatchObject({
      spec: {},
      status: { ready: false },
    });
  });

  it('is not provisioned without a provider id', () => {
    const status = { initialization: { provisioned: true } };
    expect(viewOf('machine', object({ spec: {}, status }), 'v1beta2')).toMatchObject({ status: { ready: false } });
  });

  it('takes its failure domain from the spec only in the contract v1beta1', () => {
    const status = { ready: true };
    expect(viewOf('machine', object({ spec, status }), 'v1beta1')).toMatchObject({ status: { failureDomain: 'old' } });
    expect(viewOf('machine', object({ spec, status }), 'v1beta2')).not.toHaveProperty('status.failureDomain');
  });
});

describe('a control plane of an external provider', () => {
  it.each(['v1beta1', 'v1beta2'] as const)(
    'reports in the contract %s whether it is a service without machines',
    (contract) => {
      const view = (externalManagedControlPlane: unknown) =>
        viewOf('controlPlane', object({ status: { externalManagedControlPlane } }), contract);
      expect(view(true)).toHaveProperty('status.externalManagedControlPlane', true);
      expect(view('true')).not.toHaveProperty('status.externalManagedControlPlane');
    },
  );

  it('reports the versions that its status lists', () => {
    const status = { versions: [{ version: 'v1.34.0', replicas: 1 }, { version: '' }, 'v1.35.0'] };
    expect(viewOf('controlPlane', object({ status }), 'v1beta2')).toMatchObject({
      status: { versions: [{ version: 'v1.34.0' }] },
    });
    expect(viewOf('controlPlane', object({ status: { versions: {} } }), 'v1beta2')).not.toHaveProperty(
      'status.versions',
    );
  });
});
