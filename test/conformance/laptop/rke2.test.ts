import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RKE2ControlPlane } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { CONTROL_PLANE, conditionOf, startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';

let laptop: TestLaptop;
beforeAll(async () => {
  laptop = await startTestLaptop();
}, LIMIT);
afterAll(() => laptop?.stop());

/** The example with fewer machines, in one zone: one server and one agent. */
const smaller = (object: KubeObject): KubeObject => {
  const replicas = { RKE2ControlPlane: 1, MachineDeployment: 1 }[object.kind];
  const text = JSON.stringify(
    replicas ? { ...object, spec: { ...(object as { spec?: object }).spec, replicas } } : object,
  );
  return JSON.parse(text.replace('"availabilityZoneUsageLimit":3', '"availabilityZoneUsageLimit":1'));
};

it('makes a cluster by RKE2: servers and agents that registered, with the nodes of their instances', {
  timeout: LIMIT,
}, async () => {
  expect(await laptop.applyFile('examples/rke2.yaml', smaller)).toEqual([]);
  const cluster = await laptop.until('the cluster is Available', async () => {
    const found = await laptop.cluster('rke2');
    return conditionOf(found, 'Available')?.status === 'True' ? found : undefined;
  });
  expect(cluster.status?.initialization?.controlPlaneInitialized).toBe(true);
  const owner = await laptop.until('the server is available', async () => {
    const found = await laptop.get<RKE2ControlPlane>(`${CONTROL_PLANE}/rke2controlplanes/rke2-control-plane`);
    return found?.status?.availableReplicas === 1 ? found : undefined;
  });
  expect(owner.status).toMatchObject({ readyReplicas: 1, upToDateReplicas: 1, version: 'v1.34.2+rke2r1' });

  const machines = await laptop.machines('rke2');
  const { items: nodes } = await (await laptop.workload('rke2')).listNode();
  expect(nodes.map(({ spec }) => spec?.providerID).sort()).toEqual(machines.map(({ spec }) => spec.providerID).sort());
  const servers = nodes.filter(({ metadata }) => metadata?.labels?.['node-role.kubernetes.io/etcd'] === 'true');
  expect(servers).toHaveLength(1);

  const token = await laptop.get<{ data: { value: string } }>('/api/v1/namespaces/default/secrets/rke2-token');
  const events = await laptop.list('/api/v1/namespaces/default/events');
  const everything = JSON.stringify([events, machines, owner, laptop.logs, laptop.runtime.executions()]);
  expect(everything).not.toContain(Buffer.from(token?.data.value ?? '-', 'base64').toString());
});
