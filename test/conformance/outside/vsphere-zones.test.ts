/** Tests cluster-scoped kinds of the vSphere provider: accounts that namespaces share, and failure domains. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { CORE, conditionOf } from '../../end-to-end/laptop.ts';
import { GROUP, NAMESPACED, programs, startVsphereLaptop, type VsphereLaptop } from './vsphere-laptop.ts';

const NAME = 'vsphere';
/** The namespace in which the provider looks for the Secrets of shared accounts. */
const HOME = 'capv-system';
const ZONES = ['zone-a', 'zone-b'];

let laptop: VsphereLaptop;

const post = (path: string, object: object) => laptop.api.send('POST', path, object);
const kind = (name: string, metadata: object, spec: object) => ({
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1',
  kind: name,
  metadata,
  spec,
});

const createAccount = async (allowed: object): Promise<void> => {
  const stringData = { username: 'administrator@vsphere.local', password: 'simulated' };
  await post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: HOME } });
  await post(`/api/v1/namespaces/${HOME}/secrets`, {
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'account' } },
    stringData,
  });
  const spec = { secretName: 'account', allowedNamespaces: { selector: allowed } };
  await post(`${GROUP}/vsphereclusteridentities`, kind('VSphereClusterIdentity', { name: 'account' }, spec));
};

/** Creates a zone. The provider creates the tags for it, and places the zone's machines in its folder. */
const createZone = async (name: string): Promise<void> => {
  const region = { name: 'region', type: 'Datacenter', tagCategory: 'regions', autoConfigure: true };
  const zone = { name, type: 'ComputeCluster', tagCategory: 'zones', autoConfigure: true };
  const topology = { datacenter: 'DC0', computeCluster: 'DC0_C0', datastore: 'LocalDS_0', networks: ['DC0_DVPG0'] };
  await post(`${GROUP}/vspherefailuredomains`, kind('VSphereFailureDomain', { name }, { region, zone, topology }));
  const placementConstraint = { folder: '/DC0/vm', resourcePool: '/DC0/host/DC0_C0/Resources' };
  const spec = { server: laptop.vsphere.vcenter.address, failureDomain: name, placementConstraint };
  await post(`${GROUP}/vspheredeploymentzones`, kind('VSphereDeploymentZone', { name, labels: { of: NAME } }, spec));
};

type Changed = KubeObject & { spec: Record<string, unknown> };

const withAccount = (text: string): string => {
  const object = JSON.parse(text) as Changed;
  if (object.kind === 'VSphereCluster') object.spec.identityRef = { kind: 'VSphereClusterIdentity', name: 'account' };
  return JSON.stringify(object);
};

/** The example with the shared account, three control plane machines, and zones. */
const withZones = (text: string): string => {
  const object = JSON.parse(withAccount(text)) as Changed;
  if (object.kind === 'KubeadmControlPlane') object.spec.replicas = 3;
  if (object.kind === 'VSphereCluster') object.spec.failureDomainSelector = { matchLabels: { of: NAME } };
  return JSON.stringify(object);
};

/** Converts the objects of the example to the templates of a class and a cluster that uses it. */
const asClass = (text: string): string => {
  const { kind: name, spec, ...object } = JSON.parse(withAccount(text)) as Changed;
  if (name === 'Cluster') {
    const workers = { machineDeployments: [{ class: 'worker', name: 'md-0', replicas: 1 }] };
    const classRef = { name: NAME };
    const topology = { classRef, version: 'v1.34.0', controlPlane: { replicas: 1 }, workers };
    const { clusterNetwork } = spec;
    return JSON.stringify({ ...object, kind: name, metadata: { name: MANAGED }, spec: { clusterNetwork, topology } });
  }
  if (name === 'VSphereCluster')
    return JSON.stringify({ ...object, kind: 'VSphereClusterTemplate', spec: { template: { spec } } });
  if (name === 'KubeadmControlPlane') {
    const { kubeadmConfigSpec } = spec;
    const template = { spec: { kubeadmConfigSpec } };
    return JSON.stringify({ ...object, kind: 'KubeadmControlPlaneTemplate', spec: { template } });
  }
  return JSON.stringify({ ...object, kind: name, spec });
};

const MANAGED = 'managed';
const VSPHERE = 'infrastructure.cluster.x-k8s.io/v1beta1';
const templateRef = (apiVersion: string, name: string, suffix = '') => ({
  templateRef: { apiVersion, kind: name, name: `${NAME}${suffix}` },
});

const CLUSTER_CLASS = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'ClusterClass',
  metadata: { name: NAME },
  spec: {
    infrastructure: templateRef(VSPHERE, 'VSphereClusterTemplate'),
    controlPlane: {
      ...templateRef('controlplane.cluster.x-k8s.io/v1beta2', 'KubeadmControlPlaneTemplate', '-control-plane'),
      machineInfrastructure: templateRef(VSPHERE, 'VSphereMachineTemplate', '-control-plane'),
    },
    workers: {
      machineDeployments: [
        {
          class: 'worker',
          bootstrap: templateRef('bootstrap.cluster.x-k8s.io/v1beta2', 'KubeadmConfigTemplate', '-md-0'),
          infrastructure: templateRef(VSPHERE, 'VSphereMachineTemplate', '-md-0'),
        },
      ],
    },
  },
};

const WITHOUT_WORKERS = ['Cluster', 'VSphereCluster', 'KubeadmControlPlane', 'VSphereMachineTemplate'];

// The tests run in order.
describe.skipIf(!programs)('the vSphere provider', { timeout: LIMIT }, () => {
  beforeAll(async () => {
    if (programs) laptop = await startVsphereLaptop(programs);
  }, LIMIT);
  afterAll(() => laptop?.stop(), LIMIT);

  it('refuses an account in a namespace for which it is not allowed', async () => {
    await createAccount({ matchLabels: { of: NAME } });
    const bare = (text: string) => withAccount(text.replaceAll('"name":"vsphere', '"name":"refused'));
    expect(await laptop.applyExample(bare, ['Cluster', 'VSphereCluster'])).toEqual([]);

    await laptop.untilInfrastructure('refused', /^False .*namespace default is not allowed to use/);
  });

  it('uses the account once it is allowed for the namespace', async () => {
    await laptop.patch('/api/v1/namespaces/default', { metadata: { labels: { of: NAME } } });
    const annotations = { 'example.com/corrected': 'yes' };
    await laptop.patch(`${GROUP}/namespaces/default/vsphereclusters/refused`, { metadata: { annotations } });
    await laptop.untilInfrastructure('refused', /^True/);
  });

  it('reports zones as failure domains of a cluster', async () => {
    for (const zone of ZONES) await createZone(zone);
    await laptop.until('the zones are ready', async () => {
      const zones = await laptop.list<KubeObject & { status?: { ready?: boolean } }>(`${GROUP}/vspheredeploymentzones`);
      return zones.every(({ status }) => status?.ready === true);
    });
    expect(await laptop.applyExample(withZones, WITHOUT_WORKERS)).toEqual([]);

    await laptop.untilInfrastructure(NAME, /^True/);
    // The provider adds a zone after it has observed it, which may be later than the cluster is ready.
    const domains = await laptop.until('both zones are failure domains', async () => {
      const { failureDomains = [] } = (await laptop.cluster(NAME))?.status ?? {};
      return failureDomains.length === ZONES.length && failureDomains;
    });
    expect(domains.map(({ name, controlPlane }) => [name, controlPlane])).toEqual(ZONES.map((zone) => [zone, true]));
  });

  it('spreads the control plane over the zones', async () => {
    const machines = await laptop.untilMachines(NAME, 3);
    expect(new Set(machines.map(({ spec }) => spec.failureDomain))).toEqual(new Set(ZONES));
    expect(laptop.vsphere.vcenter.machines()).toHaveLength(3);
  });

  it('keeps the account and the zones when clusters are deleted', async () => {
    for (const name of [NAME, 'refused']) await laptop.deleteCluster(name);
    await laptop.untilNoMachines();
    for (const plural of ['vspheredeploymentzones', 'vspherefailuredomains'])
      expect(await laptop.list(`${GROUP}/${plural}`), plural).toHaveLength(ZONES.length);
    expect(await laptop.list(`/api/v1/namespaces/${HOME}/secrets`)).toHaveLength(1);
  });

  it('creates the objects and machines of a cluster of a class, and deletes them', async () => {
    await post(`${CORE}/clusterclasses`, CLUSTER_CLASS);
    const parts = [...WITHOUT_WORKERS, 'KubeadmConfigTemplate'];
    expect(await laptop.applyExample(asClass, parts)).toEqual([]);

    const machines = await laptop.untilMachines(MANAGED, 2);
    expect(machines.map(({ spec }) => spec.infrastructureRef.kind)).toEqual(['VSphereMachine', 'VSphereMachine']);
    const cluster = await laptop.cluster(MANAGED);
    expect(conditionOf(cluster, 'TopologyReconciled')).toMatchObject({ status: 'True' });
    expect(cluster?.spec.infrastructureRef?.kind).toBe('VSphereCluster');

    await laptop.deleteCluster(MANAGED);
    await laptop.untilNoMachines();
    const made = (await laptop.list<KubeObject>(`${NAMESPACED}/vspheremachinetemplates`)).map(
      ({ metadata }) => metadata,
    );
    expect(made.filter(({ labels }) => labels?.['cluster.x-k8s.io/cluster-name'] === MANAGED)).toEqual([]);
  });
});
