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
      `metadata.name: Invalid value: "${long}": must be a valid label value must be no more than 63 bytes`,
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

  it('requires a control plane, an infrastructure or a topology, and refuses its removal', () => {
    const old = admit(cluster, withSpec({}));
    expect(refusals(cluster, withSpec({ controlPlaneRef: undefined }), old)).toEqual([
      'spec.controlPlaneRef: Forbidden: cannot be removed',
    ]);
    expect(refusals(cluster, withSpec({ controlPlaneRef: undefined, infrastructureRef: undefined }))).toEqual([
      'spec: Forbidden: one of spec.controlPlaneRef, spec.infrastructureRef or spec.topology must be set',
    ]);
  });

  it('lets the controller set the endpoint', () => {
    const old = admit(cluster, withSpec({}));
    const next = { ...old, spec: { ...old.spec, controlPlaneEndpoint: { host: 'lb.example.com', port: 6443 } } };
    expect(admit(cluster, next, old).spec.controlPlaneEndpoint).toEqual({ host: 'lb.example.com', port: 6443 });
  });

  it('keeps a topology, and adds the prefix v to its version', () => {
    const topology = { classRef: { name: 'quick' }, version: '1.34.0', variables: [{ name: 'zone', value: { a: 1 } }] };
    const admitted = admit(cluster, withSpec({ topology }));
    expect(admitted.spec.topology).toEqual({ ...topology, version: 'v1.34.0' });
  });

  it('refuses unknown fields', () => {
    expect(() => admit(cluster, withSpec({ pausd: true } as Partial<ClusterSpec>))).toThrow(
      'unknown field "spec.pausd"',
    );
  });
});

describe('the topology of a Cluster', () => {
  const topology = { classRef: { name: 'class' }, version: 'v1.34.1' };
  const worker = { class: 'default-worker', name: 'md-0' };
  const withTopology = (fields: object, annotations = {}): Cluster => ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { name: 'classy', annotations },
    spec: { topology: { ...topology, ...fields } },
  });
  const MIN = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size';
  const CONCURRENCY = 'topology.cluster.x-k8s.io/upgrade-concurrency';

  it.each([
    {
      fields: { version: 'newest' },
      line: 'spec.topology.version: Invalid value: "vnewest": version must be a valid semantic version',
    },
    {
      fields: { controlPlane: { healthCheck: { checks: { nodeStartupTimeoutSeconds: 1 } } } },
      line: 'spec.topology.controlPlane.healthCheck.checks.nodeStartupTimeoutSeconds: Invalid value',
    },
    {
      fields: { controlPlane: { metadata: { labels: { 'not a label': '' } } } },
      line: 'spec.topology.controlPlane.metadata.labels: Invalid value',
    },
    {
      fields: {
        workers: { machineDeployments: [{ ...worker, replicas: 1, metadata: { annotations: { [MIN]: '1' } } }] },
      },
      line: 'spec.topology.workers.machineDeployments[md-0].replicas: Invalid value: 1: cannot be set for cluster "classy" in namespace "default"',
    },
    {
      fields: {
        workers: {
          machineDeployments: [
            {
              ...worker,
              rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } },
            },
          ],
        },
      },
      line: 'maxUnavailable and maxSurge cannot both be 0',
    },
    {
      fields: {
        workers: {
          machinePools: [
            {
              ...worker,
              taints: [{ key: 'node-role.kubernetes.io/master', effect: 'NoSchedule', propagation: 'Always' }],
            },
          ],
        },
      },
      line: 'spec.topology.workers.machinePools[md-0].taints[0].key: Invalid value',
    },
  ])('is refused with $fields', ({ fields, line }) => {
    expect(refusals(cluster, withTopology(fields))).toEqual([expect.stringContaining(line)]);
  });

  it('may limit how many upgrades run at a time, to one or more', () => {
    expect(refusals(cluster, withTopology({}, { [CONCURRENCY]: '2' }))).toEqual([]);
    expect(refusals(cluster, withTopology({}, { [CONCURRENCY]: '0' }))[0]).toContain('value cannot be less than 1');
    expect(refusals(cluster, withTopology({}, { [CONCURRENCY]: 'all' }))[0]).toContain('could not parse the value');
  });

  it('cannot be added to an existing Cluster, and its version cannot decrease', () => {
    const old = admit(cluster, withTopology({}));
    expect(refusals(cluster, withTopology({ version: 'v1.34.1-rc.0' }), old)).toEqual([]);
    expect(refusals(cluster, withTopology({ version: 'v1.33.9' }), old)).toEqual([
      'spec.topology.version: Invalid value: "v1.33.9": version cannot be decreased from "1.34.1" to "1.33.9"',
    ]);
    const plain = admit(cluster, example(cluster));
    const classy = { ...plain, spec: { ...plain.spec, topology } };
    expect(refusals(cluster, classy, plain)).toEqual([
      'spec.topology.class: Forbidden: classRef cannot be set on an existing Cluster',
    ]);
  });
});
