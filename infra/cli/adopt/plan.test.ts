import { describe, expect, it } from 'vitest';
import type { Machine, MachineSet } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { unusableManifests } from './blocked.ts';
import type { Observed } from './observed.ts';
import { planAdoption } from './plan.ts';
import { adoptionText } from './print.ts';
import { awsCluster, instance, node, seen, workerConfig } from './test-remains.ts';

const manifests = [awsCluster, workerConfig];

const named = (objects: readonly { object: KubeObject }[], kind: string, name: string) =>
  objects.map(({ object }) => object).find((one) => one.kind === kind && one.metadata.name === name);

describe('an adoption', () => {
  it('contains each machine that a node reports, with its instance and its owner', () => {
    const { objects, blocked } = planAdoption(seen, manifests);
    expect(blocked).toEqual([]);
    const machines = objects.filter(({ object }) => object.kind === 'Machine');
    expect(machines.map(({ object, owner }) => [object.metadata.name, owner.kind, owner.name])).toEqual([
      ['red-cp-1', 'KubeadmControlPlane', 'red-cp'],
      ['red-md-0-abcde-1', 'MachineSet', 'red-md-0-abcde'],
    ]);
    expect((machines[1]?.object as Machine | undefined)?.spec).toMatchObject({
      version: 'v1.33.9',
      providerID: 'aws:///us-east-1a/i-w',
      infrastructureRef: { name: 'red-md-0-abcde-1' },
    });
    expect(machines[0]?.object.metadata.labels).toHaveProperty(['cluster.x-k8s.io/control-plane']);
  });

  it('contains nothing for an instance whose Machine is unknown, and reports the instance', () => {
    const { objects, unknown } = planAdoption(seen, []);
    expect(objects.filter(({ object }) => object.kind === 'AWSMachine')).toHaveLength(2);
    expect(unknown).toContain('instance i-x (team/stray): it has no node');
  });

  it('lists what a derived object lacks, and requires nothing that the user provides', () => {
    const derived = 'MachineDeployment/red-md-0: its strategy';
    expect(planAdoption(seen, []).unknown.some((line) => line.startsWith(derived))).toBe(true);

    const template = {
      metadata: { labels: { a: 'b' } },
      spec: { clusterName: 'red', version: 'v1.34.0', bootstrap: {} },
    };
    const deployment = {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'MachineDeployment',
      metadata: { name: 'red-md-0' },
      spec: { clusterName: 'red', replicas: 1, selector: { matchLabels: { a: 'b' } }, template },
    } as KubeObject;
    const { objects, unknown } = planAdoption(seen, [deployment, workerConfig]);
    expect(unknown.filter((line) => line.includes('red-md-0'))).toEqual([]);
    expect(named(objects, 'MachineDeployment', 'red-md-0')?.metadata.namespace).toBe('team');
    // Its machines have an older version than specified, and so does their set: the rollout continues.
    const set = named(objects, 'MachineSet', 'red-md-0-abcde') as MachineSet;
    expect(set.spec.template.spec.version).toBe('v1.33.9');
    expect(set.spec.selector?.matchLabels).toEqual({ a: 'b', 'machine-template-hash': 'abcde' });
  });

  it('distinguishes the load balancer of the endpoint from the second one, and both from a load balancer outside the account', () => {
    const spec = (one: Observed) => named(planAdoption(one, []).objects, 'AWSCluster', 'red') as { spec?: object };
    const [own] = seen.balancers;
    const inside = {
      type: 'nlb',
      name: 'red-inside',
      scheme: 'internal',
      host: 'in.example.com',
      port: 6443,
      subnets: [],
    } as const;
    const balancers = [inside, ...(own ? [own] : [])];
    expect(spec({ ...seen, balancers })).toMatchObject({
      spec: {
        controlPlaneLoadBalancer: { name: 'team-red-apiserver', scheme: 'internet-facing' },
        secondaryControlPlaneLoadBalancer: { name: 'red-inside', scheme: 'internal' },
      },
    });
    expect(spec({ ...seen, balancers: [] })).toMatchObject({
      spec: {
        controlPlaneEndpoint: { host: 'red.example.com', port: 6443 },
        controlPlaneLoadBalancer: { loadBalancerType: 'disabled' },
      },
    });
    const port = { ...seen, endpoint: { host: 'red.example.com', port: 443 } };
    expect(planAdoption(port, []).cluster).toMatchObject({ spec: { clusterNetwork: { apiServerPort: 443 } } });
  });

  it('is blocked without the key material or the nodes, and names the missing files', () => {
    const { pairs: _pairs, ...rest } = seen;
    const { etcd: _etcd, ...some } = seen.pairs;
    expect(planAdoption({ ...seen, pairs: some }, manifests).blocked).toEqual([
      'Secret red-etcd needs etcd/ca.crt and etcd/ca.key of /etc/kubernetes/pki of a control plane machine',
    ]);
    const silent = planAdoption({ ...rest, nodes: [], silent: 'it was not asked', pairs: {} }, []).blocked;
    expect(silent[0]).toBe('the workload cluster is needed to match instances with machines: it was not asked');
    expect(silent).toHaveLength(6);
  });

  it('is blocked without the manifest of the AWSCluster to which the Cluster refers', () => {
    const missing = (name: string) => expect.stringContaining(`AWSCluster ${name} needs its manifest`);
    const { unknown, blocked } = planAdoption(seen, [workerConfig]);
    expect(blocked).toEqual([missing('red')]);
    expect(unknown.filter((line) => line.includes('AWSCluster'))).toEqual([]);

    const cluster = {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      metadata: { name: 'red' },
      spec: {
        controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KubeadmControlPlane', name: 'red-cp' },
        infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: 'red-aws' },
      },
    } as KubeObject;
    expect(planAdoption(seen, [cluster, workerConfig]).blocked).toEqual([missing('red-aws')]);
    const other = { ...awsCluster, metadata: { name: 'red-aws' } };
    const { objects, blocked: none } = planAdoption(seen, [cluster, other, workerConfig]);
    expect(none).toEqual([]);
    expect(named(objects, 'AWSCluster', 'red')).toBeUndefined();
  });

  it('can be planned from a manifest of the AWSCluster without a spec, which the API then refuses', () => {
    const { spec: _, ...bare } = awsCluster as KubeObject & { spec: object };
    expect(planAdoption(seen, [bare, workerConfig]).blocked).toEqual([]);
  });

  it('is blocked without the configuration of new workers, which the API does not accept empty', () => {
    expect(planAdoption(seen, [awsCluster]).blocked).toEqual([
      expect.stringContaining('KubeadmConfigTemplate red-md-0 needs its manifest'),
    ]);
  });

  it('is blocked for an even number of control plane machines whose control plane is not given', () => {
    const second = node('i-c2', 'red-cp-2', 'KubeadmControlPlane', 'red-cp');
    const { instances, nodes } = seen;
    const even = { ...seen, instances: [...instances, instance('i-c2', 'red-cp-2')], nodes: [...nodes, second] };
    expect(planAdoption(even, manifests).blocked).toEqual([expect.stringContaining('2 machines, an even number')]);
  });

  const cluster = (name: string, spec: object = {}) =>
    ({ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { name }, spec }) as KubeObject;
  const old = { ...cluster('red-md-0'), apiVersion: 'cluster.x-k8s.io/v1beta1', kind: 'MachineDeployment' };

  it.each([
    ['of another cluster', cluster('blue'), 'Cluster blue is another cluster'],
    ['of a cluster with a topology', cluster('red', { topology: { version: 'v1.34.0' } }), 'has spec.topology'],
    ['in v1beta1', old, 'MachineDeployment red-md-0 is in v1beta1'],
  ])('is blocked by a manifest %s', (_, manifest, why) => {
    expect(unusableManifests('red', [manifest])).toEqual([expect.stringContaining(why)]);
  });

  it('reports the instances of a MachinePool, which it leaves alone', () => {
    const { instances, nodes } = seen;
    const pooled = node('i-p', 'red-pool-1', 'MachinePool', 'red-pool');
    const all = { ...seen, instances: [...instances, instance('i-p', 'red-pool-1')], nodes: [...nodes, pooled] };
    expect(planAdoption(all, manifests).unknown).toContain('MachinePool red-pool: instance i-p, left alone');
  });

  it('shows names, but no secrets', () => {
    const text = adoptionText(seen, planAdoption(seen, []));
    expect(text).toContain(
      'Cluster team/red in us-east-1: VPC vpc-1, endpoint red.example.com:6443, 1 load balancers, 3 instances, 2 nodes.',
    );
    expect(text).toContain('  - Secret red-ca');
    expect(text).not.toContain('private');
  });
});
