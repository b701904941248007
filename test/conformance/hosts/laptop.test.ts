/** Tests kubeadm and RKE2 clusters on the laptop's simulated hosts, with the deployed workflows and real SSH. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { synth } from '../../../infra/cli/commands/synth.ts';
import type { Host, HostMachine, Machine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { TEST_SUBNET } from '../../../shared/test-subnet.ts';
import { CORE, conditionOf, startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';

const GROUP = '/apis/infrastructure.windlass.dev/v1alpha1/namespaces/default';
const EXAMPLE = 'examples/hosts.yaml';

let laptop: TestLaptop;

/** The example with the addresses of the test's subnet, and with a label selector for Hosts. */
const here = (object: KubeObject): KubeObject => {
  const copy = JSON.parse(JSON.stringify(object).replaceAll('127.0.66', TEST_SUBNET));
  if (copy.kind === 'HostMachineTemplate') copy.spec.template.spec = { selector: { matchLabels: { pool: 'kubeadm' } } };
  return copy;
};

/** An RKE2 cluster whose endpoint is the address of its only server. */
const RKE2 = `
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: rke2, namespace: default}
spec:
  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: RKE2ControlPlane, name: rke2}
  infrastructureRef: {apiGroup: infrastructure.windlass.dev, kind: HostCluster, name: rke2}
---
apiVersion: infrastructure.windlass.dev/v1alpha1
kind: HostCluster
metadata: {name: rke2, namespace: default}
spec: {controlPlaneEndpoint: {host: SUBNET.5, port: 6443}}
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: RKE2ControlPlane
metadata: {name: rke2, namespace: default}
spec:
  replicas: 1
  version: v1.34.2+rke2r1
  registrationMethod: control-plane-endpoint
  rolloutStrategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 0}}
  agentConfig: {kubelet: {extraArgs: ["provider-id={{ ds.meta_data.provider_id }}"]}}
  machineTemplate:
    spec:
      infrastructureRef: {apiGroup: infrastructure.windlass.dev, kind: HostMachineTemplate, name: server}
---
apiVersion: infrastructure.windlass.dev/v1alpha1
kind: HostMachineTemplate
metadata: {name: server, namespace: default}
spec: {template: {spec: {selector: {matchLabels: {pool: server}}}}}
---
apiVersion: infrastructure.windlass.dev/v1alpha1
kind: HostMachineTemplate
metadata: {name: agent, namespace: default}
spec: {template: {spec: {selector: {matchLabels: {pool: agent}}}}}
---
apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: RKE2ConfigTemplate
metadata: {name: agent, namespace: default}
spec:
  template:
    spec: {agentConfig: {kubelet: {extraArgs: ["provider-id={{ ds.meta_data.provider_id }}"]}}}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: agent, namespace: default}
spec:
  clusterName: rke2
  replicas: 1
  selector: {matchLabels: {pool: agent}}
  template:
    metadata: {labels: {pool: agent}}
    spec:
      clusterName: rke2
      version: v1.34.2+rke2r1
      bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: RKE2ConfigTemplate, name: agent}}
      infrastructureRef: {apiGroup: infrastructure.windlass.dev, kind: HostMachineTemplate, name: agent}
`;

const POOLS = ['kubeadm', 'kubeadm', 'kubeadm', 'kubeadm', 'server', 'agent'];

const create = (objects: readonly unknown[]) =>
  laptop.apply(objects.map((object) => ({ file: 'test', object: object as KubeObject })));
const hostList = () => laptop.list<Host>(`${GROUP}/hosts`);
const claimed = async () =>
  (await hostList()).filter(({ status }) => status?.claim).map(({ metadata }) => metadata.name);

const isComplete = (cluster: string, count: number) => async (): Promise<Machine[] | false> => {
  const machines = await laptop.machines(cluster);
  const isRunning = machines.length === count && machines.every(({ status }) => status?.phase === 'Running');
  const isAvailable = conditionOf(await laptop.cluster(cluster), 'Available')?.status === 'True';
  return isRunning && isAvailable && machines;
};

const nodesOf = async (cluster: string) => (await (await laptop.workload(cluster)).listNode()).items;

beforeAll(async () => {
  const outdir = mkdtempSync(join(tmpdir(), 'windlass-hosts-'));
  await synth({ outdir, quiet: true, context: { hosts: 'true' } });
  laptop = await startTestLaptop(undefined, { outdir, hosts: { count: POOLS.length, subnet: TEST_SUBNET } });
  const hosts = laptop.hosts.map((object, index) => {
    const labels = { ...object.metadata.labels, pool: POOLS[index - 1] ?? '' };
    return object.kind === 'Host' ? { ...object, metadata: { ...object.metadata, labels } } : object;
  });
  expect(await create(hosts)).toEqual([]);
}, LIMIT);
afterAll(() => laptop?.stop());

// The tests run in order: each continues where the previous one ended.
describe('simulated hosts', { timeout: LIMIT }, () => {
  it('become clusters of kubeadm and of RKE2', async () => {
    expect(await laptop.applyFile(EXAMPLE, here)).toEqual([]);
    expect(await create(parseAllDocuments(RKE2.replace('SUBNET', TEST_SUBNET)).map((one) => one.toJS()))).toEqual([]);
    const metal = await laptop.until('the cluster by kubeadm is complete', isComplete('metal', 4));
    const rke2 = await laptop.until('the cluster by RKE2 is complete', isComplete('rke2', 2));

    expect((await claimed()).length).toBe(POOLS.length);
    for (const [cluster, machines] of Object.entries({ metal, rke2 })) {
      const nodes = await nodesOf(cluster);
      expect(nodes.map(({ spec }) => spec?.providerID).sort()).toEqual(
        machines.map(({ spec }) => spec.providerID).sort(),
      );
    }
    const zones = metal.filter(({ metadata }) => metadata.name.includes('control-plane'));
    expect(new Set(zones.map(({ status }) => status?.failureDomain))).toEqual(new Set(['rack-1', 'rack-2', 'rack-3']));
    const secret = await laptop.get<{ data: { value: string } }>('/api/v1/namespaces/default/secrets/metal-kubeconfig');
    const { clusters } = parse(Buffer.from(secret?.data.value ?? '', 'base64').toString());
    expect(clusters[0].cluster.server).toBe(`https://${TEST_SUBNET}.100:6443`);
  });

  it('are claimed again by a replacement machine', async () => {
    const before = (await laptop.machines('metal')).find(({ status }) => status?.failureDomain === 'rack-2');
    const path = `${CORE}/machines/${before?.metadata.name}`;
    await laptop.api.send('DELETE', path);
    await laptop.until('the machine is gone', async () => !(await laptop.get(path)));
    const after = await laptop.until('another one is there', isComplete('metal', 4));
    const replacement = after.find(({ status }) => status?.failureDomain === 'rack-2');
    const hostOf = (machine: Machine | undefined) => machine?.spec.providerID?.split('/').at(-2);
    expect(hostOf(replacement)).toBe('host-2');
    expect(replacement?.spec.providerID).not.toBe(before?.spec.providerID);
    expect((await nodesOf('metal')).find(({ metadata }) => metadata?.name === 'host-2')?.spec?.providerID).toBe(
      replacement?.spec.providerID,
    );
  });

  it('are left alone if they cannot be used, and each reports the reason', async () => {
    const [host] = (await hostList()).filter(({ metadata }) => metadata.name === 'host-1');
    const [other] = (await hostList()).filter(({ metadata }) => metadata.name === 'host-2');
    const spec = host?.spec as Host['spec'];
    const bad = {
      'a-silent': { ...spec, port: 1 },
      'b-other-key': { ...spec, hostKey: other?.spec.hostKey },
      'c-stranger': { ...spec, user: 'stranger' },
      'd-used': spec,
    };
    const objects = Object.entries(bad).map(([name, changed]) => ({
      ...{ apiVersion: host?.apiVersion, kind: 'Host', spec: changed },
      metadata: { name, namespace: 'default', labels: { pool: 'agent' } },
    }));
    expect(await create(objects)).toEqual([]);
    const scale = (replicas: number) =>
      laptop.api.send(
        'PATCH',
        `${CORE}/machinedeployments/agent`,
        { spec: { replicas } },
        'application/merge-patch+json',
      );
    await scale(2);
    const reasons = await laptop.until('all are tried', async () => {
      const hosts = (await hostList()).filter(({ metadata }) => metadata.name in bad);
      const found = hosts.map((one) => [one.metadata.name, conditionOf(one, 'Reachable')?.reason]);
      return found.every(([, reason]) => reason !== undefined) && Object.fromEntries(found);
    });
    expect(reasons).toEqual({
      ...{ 'a-silent': 'Unreachable', 'b-other-key': 'HostKeyMismatch' },
      ...{ 'c-stranger': 'AuthenticationFailed', 'd-used': 'InUse' },
    });
    expect((await claimed()).filter((name) => name in bad)).toEqual([]);
    const waiting = (await laptop.list<HostMachine>(`${GROUP}/hostmachines`)).filter(({ spec }) => !spec.providerID);
    expect(waiting).toHaveLength(1);
    await scale(1);
    await laptop.until('its end', isComplete('rke2', 2));
  });

  it('are free again when their clusters are deleted', async () => {
    for (const name of ['metal', 'rke2']) await laptop.api.send('DELETE', `${CORE}/clusters/${name}`);
    await laptop.until('nothing is claimed', async () => (await claimed()).length === 0);
    await laptop.until(
      'both are gone',
      async () => !(await laptop.cluster('metal')) && !(await laptop.cluster('rke2')),
    );
    expect(await laptop.list(`${GROUP}/hostmachines`)).toEqual([]);
    await expect(fetch(`https://${TEST_SUBNET}.100:6443/readyz`)).rejects.toThrow();
    expect(await laptop.list(`${GROUP}/hosts`)).toHaveLength(POOLS.length + 4);
  });
});
