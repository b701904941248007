import { describe, expect, it } from 'vitest';
import { admit, example, refusals } from '../test-admission.ts';
import { cluster } from './definition.ts';
import type { Cluster, ClusterSpec } from './schema.ts';

const withSpec = (spec: Partial<ClusterSpec>, name = 'quickstart'): Cluster => {
  const base = example(cluster);
  return { ...base, metadata: { ...base.metadata, name }, spec: { ...base.spec, ...spec } };
};

const withNetwork = (pods: string[], services: string[]): Cluster =>
  withSpec({ clusterNetwork: { pods: { cidrBlocks: pods }, services: { cidrBlocks: services } } });

describe('Cluster admission', () => {
  it('refuses a name that cannot be a label value', () => {
    const long = 'a'.repeat(64);
    expect(refusals(cluster, withSpec({}, long))).toEqual([
      `metadata.name: Invalid value: "${long}": must be a valid label value: must be no more than 63 bytes`,
    ]);
    expect(refusals(cluster, withSpec({}, 'a'.repeat(63)))).toEqual([]);
  });

  it.each([
    { cidr: '10.0.0.0', reason: 'no prefix' },
    { cidr: '10.0.0.0/33', reason: 'prefix too long' },
    { cidr: '10.0.0/8', reason: 'three parts' },
    { cidr: '10.0.0.0/16/8', reason: 'two prefixes' },
    { cidr: 'fd00::/129', reason: 'IPv6 prefix too long' },
    { cidr: 'pods', reason: 'not an address' },
  ])('refuses the malformed CIDR $cidr ($reason)', ({ cidr }) => {
    expect(refusals(cluster, withNetwork([cidr], ['10.96.0.0/12']))).toEqual([
      `spec.clusterNetwork.pods.cidrBlocks[0]: Invalid value: "${cidr}": invalid CIDR address: ${cidr}`,
    ]);
  });

  it('refuses pod and service networks that overlap, and names both', () => {
    expect(refusals(cluster, withNetwork(['fd00::/64', '10.0.0.0/8'], ['10.96.0.0/12']))).toEqual([
      'spec.clusterNetwork.services.cidrBlocks[0]: Invalid value: "10.96.0.0/12": must not overlap with spec.clusterNetwork.pods.cidrBlocks[1] (10.0.0.0/8)',
    ]);
  });

  it('wants a control plane, an infrastructure or a topology, and keeps what it has', () => {
    const old = admit(cluster, withSpec({}));
    expect(refusals(cluster, withSpec({ controlPlaneRef: undefined }), old)).toEqual([
      'spec.controlPlaneRef: Forbidden: cannot be removed',
    ]);
    expect(refusals(cluster, withSpec({ controlPlaneRef: undefined, infrastructureRef: undefined }))).toEqual([
      'spec: Forbidden: one of spec.controlPlaneRef, spec.infrastructureRef or spec.topology must be set',
    ]);
  });

  it('lets the controller copy the endpoint up', () => {
    const old = admit(cluster, withSpec({}));
    const next = { ...old, spec: { ...old.spec, controlPlaneEndpoint: { host: 'lb.example.com', port: 6443 } } };
    expect(admit(cluster, next, old).spec.controlPlaneEndpoint).toEqual({ host: 'lb.example.com', port: 6443 });
  });

  it('keeps a topology, and warns that nothing acts on it', () => {
    const topology = { classRef: { name: 'quick' }, version: '1.34.0', variables: [{ name: 'zone', value: { a: 1 } }] };
    const admitted = admit(cluster, withSpec({ topology }));
    expect(admitted.spec.topology).toEqual({ ...topology, version: 'v1.34.0' });
    expect(cluster.warnings?.(admitted, undefined)).toEqual(['spec.topology: not reconciled yet']);
  });

  it('refuses unknown fields', () => {
    expect(() => admit(cluster, withSpec({ pausd: true } as Partial<ClusterSpec>))).toThrow(
      'unknown field "spec.pausd"',
    );
  });
});
