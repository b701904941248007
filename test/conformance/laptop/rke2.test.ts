import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MachinePool, RKE2ControlPlane } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import {
  CONTROL_PLANE,
  CORE,
  conditionOf,
  INFRASTRUCTURE,
  startTestLaptop,
  type TestLaptop,
} from '../../end-to-end/laptop.ts';

let laptop: TestLaptop;
beforeAll(async () => {
  laptop = await startTestLaptop();
}, LIMIT);
afterAll(() => laptop?.stop());

/** The example with fewer machines in one zone: one server and one agent. */
const smaller = (object: KubeObject): KubeObject => {
  const replicas = { RKE2ControlPlane: 1, MachineDeployment: 1 }[object.kind];
  const text = JSON.stringify(
    replicas ? { ...object, spec: { ...(object as { spec?: object }).spec, replicas } } : object,
  );
  return JSON.parse(
    text
      .replace('"availabilityZoneUsageLimit":3', '"availabilityZoneUsageLimit":1')
      .replaceAll('"agentConfig":{', `"agentConfig":{"nodeAnnotations":{"example.com/rack":"${object.kind}"},`),
  );
};

it('a cluster of RKE2 comes up: its servers and agents register, with the nodes of their instances', {
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
  const racks = nodes.map(({ metadata }) => metadata?.annotations?.['example.com/rack']);
  expect(racks.sort()).toEqual(['RKE2ConfigTemplate', 'RKE2ControlPlane']);

  const token = await laptop.get<{ data: { value: string } }>('/api/v1/namespaces/default/secrets/rke2-token');
  const events = await laptop.list('/api/v1/namespaces/default/events');
  const everything = JSON.stringify([events, machines, owner, laptop.logs, laptop.runtime.executions()]);
  expect(everything).not.toContain(Buffer.from(token?.data.value ?? '-', 'base64').toString());
});

const BOOTSTRAP = '/apis/bootstrap.cluster.x-k8s.io/v1beta2/namespaces/default';

/** On Flatcar, a service writes the instance metadata to a file. */
const BUTANE = `variant: flatcar
version: 1.1.0
systemd:
  units:
    - name: rke2-install.service
      dropins:
        - name: 10-metadata.conf
          contents: |
            [Unit]
            Requires=coreos-metadata.service
            After=coreos-metadata.service
            [Service]
            EnvironmentFile=/run/metadata/*
`;

const CONFIG = '/etc/rancher/rke2/config.yaml';
const providerId = `provider-id=aws:///\${COREOS_EC2_AVAILABILITY_ZONE}/\${COREOS_EC2_INSTANCE_ID}`;
const AGENT = {
  agentConfig: {
    format: 'ignition',
    kubelet: { extraArgs: [providerId] },
    additionalUserData: { config: BUTANE },
  },
  preRKE2Commands: [`envsubst < ${CONFIG} > ${CONFIG}.new`, `mv ${CONFIG}.new ${CONFIG}`],
};

/** A pool whose instances are agents, like those of the example's MachineDeployment, but with Flatcar. */
const poolObjects = (): [collection: string, kind: string, spec: object][] => {
  const name = 'pooled-agents';
  const awsLaunchTemplate = {
    imageLookupBaseOS: 'flatcar-stable',
    imageLookupFormat: 'capa-ami-{{.BaseOS}}-?1.34.2-*',
    instanceType: 't3.large',
    iamInstanceProfile: 'nodes.cluster-api-provider-aws.sigs.k8s.io',
  };
  const template = {
    clusterName: 'rke2',
    version: 'v1.34.2+rke2r1',
    bootstrap: { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'RKE2Config', name } },
    infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachinePool', name },
  };
  const ignition = { version: '3.4', storageType: 'UnencryptedUserData' };
  const group = { minSize: 1, maxSize: 3, awsLaunchTemplate, ignition };
  return [
    [`${BOOTSTRAP}/rke2configs`, 'RKE2Config', AGENT],
    [`${INFRASTRUCTURE}/awsmachinepools`, 'AWSMachinePool', group],
    [`${CORE}/machinepools`, 'MachinePool', { clusterName: 'rke2', replicas: 2, template: { spec: template } }],
  ];
};

it('the instances of a pool with Ignition become agents of RKE2, and the pool is scaled and deleted like others', {
  timeout: LIMIT,
}, async () => {
  for (const [collection, kind, spec] of poolObjects()) {
    const apiVersion = collection.split('/').slice(2, 4).join('/');
    await laptop.api.send('POST', collection, { apiVersion, kind, metadata: { name: 'pooled-agents' }, spec });
  }
  const path = `${CORE}/machinepools/pooled-agents`;
  const running = (replicas: number) =>
    laptop.until(`a pool of ${replicas} agents`, async () => {
      const found = await laptop.get<MachinePool>(path);
      const { phase, readyReplicas, nodeRefs } = found?.status ?? {};
      return phase === 'Running' && readyReplicas === replicas && nodeRefs?.length === replicas ? found : undefined;
    });
  const { status } = await running(2);
  const agents = status?.nodeRefs?.map(({ name }) => name) ?? [];
  const { items: nodes } = await (await laptop.workload('rke2')).listNode();
  const registered = nodes.filter(({ metadata }) => agents.includes(metadata?.name));
  expect(registered.map(({ spec }) => spec?.providerID)).toEqual([
    expect.stringMatching(/^aws:\/\/\/us-east-1\w\/i-/),
    expect.stringMatching(/^aws:\/\/\/us-east-1\w\/i-/),
  ]);
  expect(registered.map(({ status: node }) => node?.nodeInfo?.kubeletVersion)).toEqual(Array(2).fill('v1.34.2+rke2r1'));

  await laptop.api.send('PATCH', path, { spec: { replicas: 1 } }, 'application/merge-patch+json');
  await running(1);
  await laptop.api.send('DELETE', path);
  await laptop.until('the pool is gone', async () => (await laptop.get(path)) === undefined);
  expect(await laptop.list(`${INFRASTRUCTURE}/awsmachinepools`)).toEqual([]);
});
