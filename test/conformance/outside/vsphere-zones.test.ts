/** Cluster-scoped kinds of the vSphere provider: accounts that namespaces share, and failure domains. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { GROUP, programs, startVsphereLaptop, type VsphereLaptop } from './vsphere-laptop.ts';

const NAME = 'vsphere';
/** Where the provider looks for the Secrets of shared accounts. */
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

/** The provider makes the tags of the zone, and gives its machines the folder of the zone. */
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

/** The example, with the shared account, three control plane machines, and zones. */
const withZones = (text: string): string => {
  const object = JSON.parse(withAccount(text)) as Changed;
  if (object.kind === 'KubeadmControlPlane') object.spec.replicas = 3;
  if (object.kind === 'VSphereCluster') object.spec.failureDomainSelector = { matchLabels: { of: NAME } };
  return JSON.stringify(object);
};

const WITHOUT_WORKERS = ['Cluster', 'VSphereCluster', 'KubeadmControlPlane', 'VSphereMachineTemplate'];

// The tests run in order.
describe.skipIf(!programs)('the vSphere provider', { timeout: LIMIT }, () => {
  beforeAll(async () => {
    if (programs) laptop = await startVsphereLaptop(programs);
  }, LIMIT);
  afterAll(() => laptop?.stop(), LIMIT);

  it('refuses an account to namespaces that it is not for', async () => {
    await createAccount({ matchLabels: { of: NAME } });
    const bare = (text: string) => withAccount(text.replaceAll('"name":"vsphere', '"name":"refused'));
    expect(await laptop.applyExample(bare, ['Cluster', 'VSphereCluster'])).toEqual([]);

    await laptop.untilInfrastructure('refused', /^False .*namespace default is not allowed to use/);
  });

  it('uses it once the namespace is one of them', async () => {
    await laptop.patch('/api/v1/namespaces/default', { metadata: { labels: { of: NAME } } });
    const annotations = { 'example.com/corrected': 'yes' };
    await laptop.patch(`${GROUP}/namespaces/default/vsphereclusters/refused`, { metadata: { annotations } });
    await laptop.untilInfrastructure('refused', /^True/);
  });

  it('has zones as failure domains of a cluster', async () => {
    for (const zone of ZONES) await createZone(zone);
    await laptop.until('the zones are ready', async () => {
      const zones = await laptop.list<KubeObject & { status?: { ready?: boolean } }>(`${GROUP}/vspheredeploymentzones`);
      return zones.every(({ status }) => status?.ready === true);
    });
    expect(await laptop.applyExample(withZones, WITHOUT_WORKERS)).toEqual([]);

    await laptop.untilInfrastructure(NAME, /^True/);
    // The provider adds a zone when it has seen it, which may be after the cluster is ready.
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

  it('leaves the account and the zones to other clusters', async () => {
    for (const name of [NAME, 'refused']) await laptop.deleteCluster(name);
    await laptop.untilNoMachines();
    for (const plural of ['vspheredeploymentzones', 'vspherefailuredomains'])
      expect(await laptop.list(`${GROUP}/${plural}`), plural).toHaveLength(ZONES.length);
    expect(await laptop.list(`/api/v1/namespaces/${HOME}/secrets`)).toHaveLength(1);
  });
});
