/**
 * Tests the unmodified vSphere provider, with the permissions that upstream grants it, as the infrastructure of
 * clusters whose core, bootstrap and control plane are Windlass's. It runs against VMware's simulator. Its admission
 * webhooks are called by URL.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { CORE, conditionOf } from '../../end-to-end/laptop.ts';
import {
  type Change,
  KINDS,
  NAMESPACED,
  programs,
  SECRETS,
  startVsphereLaptop,
  type VsphereLaptop,
} from './vsphere-laptop.ts';

const NAME = 'vsphere';
const OTHER_THUMBPRINT = Array.from({ length: 20 }, () => 'AA').join(':');

let laptop: VsphereLaptop;

const names = (objects: readonly { name: string }[]) => objects.map(({ name }) => name).toSorted();
const secrets = async () => names((await laptop.list<KubeObject>(SECRETS)).map(({ metadata }) => metadata));
const virtual = () => laptop.vsphere.vcenter.machines();

/** Creates only the example's cluster, account and infrastructure, under another name. */
const createBare = (name: string, change: Change) =>
  laptop.applyExample(
    (text) => change(text.replaceAll('"name":"vsphere', `"name":"${name}`)),
    ['Secret', 'Cluster', 'VSphereCluster'],
  );

// The tests run in order.
describe.skipIf(!programs)('the vSphere provider', { timeout: LIMIT }, () => {
  beforeAll(async () => {
    if (programs) laptop = await startVsphereLaptop(programs);
  }, LIMIT);
  afterAll(() => laptop?.stop(), LIMIT);

  it('reports a vCenter that does not answer, and one with another certificate', async () => {
    const { address, thumbprint } = laptop.vsphere.vcenter;
    expect(await createBare('away', (text) => text.replaceAll(address, '127.0.0.1:1'))).toEqual([]);
    expect(await createBare('other', (text) => text.replaceAll(thumbprint, OTHER_THUMBPRINT))).toEqual([]);

    await laptop.untilInfrastructure('away', /^False VCenterUnreachable: .*connection refused/);
    await laptop.untilInfrastructure('other', /^False VCenterUnreachable: .*thumbprint does not match/);
  });

  it('reports a wrong password, and continues with the right one', async () => {
    expect(await createBare('wrong', (text) => text.replaceAll('simulated', 'guessed'))).toEqual([]);
    const said = await laptop.untilInfrastructure('wrong', /^False VCenterUnreachable: .*Login failure/);
    expect(said).not.toContain('guessed');

    await laptop.patch(`${SECRETS}/wrong`, { stringData: { password: 'simulated' } });
    // The provider retries at increasing intervals, or when the object changes.
    const annotations = { 'example.com/corrected': 'yes' };
    await laptop.patch(`${NAMESPACED}/vsphereclusters/wrong`, { metadata: { annotations } });
    await laptop.untilInfrastructure('wrong', /^True/);
  });

  it('deletes clusters that failed', async () => {
    for (const name of ['away', 'other', 'wrong']) await laptop.deleteCluster(name);
    expect(await laptop.list(`${NAMESPACED}/vsphereclusters`)).toEqual([]);
    expect(await secrets()).toEqual([]);
  });

  it('creates the virtual machines of the example', async () => {
    expect(await laptop.applyExample()).toEqual([]);
    const machines = await laptop.untilMachines(NAME, 3);

    expect(names(virtual())).toEqual(names(machines.map(({ metadata }) => metadata)));
    expect(machines.map(({ spec }) => spec.providerID).toSorted()).toEqual(
      virtual()
        .map(({ uuid }) => `vsphere://${uuid}`)
        .toSorted(),
    );
    expect(machines.map(({ status }) => status?.nodeRef?.name).toSorted()).toEqual(names(virtual()));
  });

  it('makes the cluster available', async () => {
    const cluster = await laptop.until('the cluster is available', async () => {
      const found = await laptop.cluster(NAME);
      return conditionOf(found, 'Available')?.status === 'True' && found;
    });
    for (const type of ['InfrastructureReady', 'ControlPlaneInitialized', 'ControlPlaneAvailable', 'WorkersAvailable'])
      expect(conditionOf(cluster, type)?.status, type).toBe('True');
    // The provider reads this version.
    const old = await laptop.get<{ spec: object }>(`${CORE.replace('v1beta2', 'v1beta1')}/clusters/${NAME}`);
    const infrastructureRef = { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1', kind: 'VSphereCluster' };
    expect(old?.spec).toMatchObject({ infrastructureRef });
  });

  it('deletes the virtual machines of deleted machines', async () => {
    await laptop.patch(`${CORE}/machinedeployments/${NAME}-md-0`, { spec: { replicas: 1 } });
    const machines = await laptop.untilMachines(NAME, 2);
    await laptop.until('the virtual machine is gone', async () => virtual().length === 2);
    expect(names(virtual())).toEqual(names(machines.map(({ metadata }) => metadata)));
  });

  it('reports a missing template on the Machine', async () => {
    const templates = `${NAMESPACED}/vspheremachinetemplates`;
    const found = await laptop.get<KubeObject & { spec: { template: { spec: object } } }>(`${templates}/${NAME}-md-0`);
    const spec = { template: { spec: { ...found?.spec.template.spec, template: 'nowhere' } } };
    await laptop.api.send('POST', templates, { ...found, metadata: { name: 'nowhere' }, spec });
    const template = { spec: { infrastructureRef: { name: 'nowhere' } } };
    await laptop.patch(`${CORE}/machinedeployments/${NAME}-md-0`, { spec: { template } });

    await laptop.until('the Machine reports it', async () => {
      const said = (await laptop.machines(NAME)).map((one) => conditionOf(one, 'InfrastructureReady')?.message ?? '');
      return said.some((text) => text.includes('unable to find template by name "nowhere"'));
    });
  });

  it('leaves nothing of a deleted cluster', async () => {
    await laptop.deleteCluster(NAME);
    for (const kind of KINDS) expect(await laptop.list(`${NAMESPACED}/${kind}`), kind).toEqual([]);
    await laptop.untilNoMachines();
    expect(await secrets()).toEqual([]);
  });
});
