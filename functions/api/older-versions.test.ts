/** Objects of Cluster API that clients of v1beta1 and of v1beta2 write in turn. */
import { describe, expect, it } from 'vitest';
import { createTestApi } from './test-api.ts';

const APPLY = { 'content-type': 'application/apply-patch+yaml' };
const CONVERSION_DATA = 'cluster.x-k8s.io/conversion-data';
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

type Version = 'v1beta1' | 'v1beta2';

const GROUPS = {
  KubeadmControlPlane: 'controlplane.cluster.x-k8s.io',
  KubeadmControlPlaneTemplate: 'controlplane.cluster.x-k8s.io',
  KubeadmConfig: 'bootstrap.cluster.x-k8s.io',
  KubeadmConfigTemplate: 'bootstrap.cluster.x-k8s.io',
  Cluster: 'cluster.x-k8s.io',
};
type Kind = keyof typeof GROUPS;

const place = (kind: Kind, version: Version): string =>
  `/apis/${GROUPS[kind]}/${version}/namespaces/default/${kind.toLowerCase()}s`;

const object = (kind: Kind, version: Version, spec: object) => ({
  apiVersion: `${GROUPS[kind]}/${version}`,
  kind,
  metadata: { name: 'red', labels: { 'cluster.x-k8s.io/cluster-name': 'red' } },
  spec,
});

const OLD_REF = { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'AWSMachineTemplate', name: 'red' };
const REF = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachineTemplate', name: 'red' };

type Flags = Record<string, string>;

const args = (flags: Flags) => Object.entries(flags).map(([name, value]) => ({ name, value }));

/** A control plane whose API server has these flags. */
const controlPlane = (version: Version, flags: Flags, others: object = {}) =>
  version === 'v1beta1'
    ? object('KubeadmControlPlane', version, {
        version: 'v1.34.0',
        machineTemplate: { infrastructureRef: { ...OLD_REF, namespace: 'default' } },
        kubeadmConfigSpec: { clusterConfiguration: { apiServer: { extraArgs: flags } } },
        ...others,
      })
    : object('KubeadmControlPlane', version, {
        version: 'v1.34.0',
        machineTemplate: { spec: { infrastructureRef: REF } },
        kubeadmConfigSpec: { clusterConfiguration: { apiServer: { extraArgs: args(flags) } } },
        ...others,
      });

const setUp = () => {
  const { admin } = createTestApi();
  const at = (kind: Kind, version: Version) => `${place(kind, version)}/red`;
  return {
    create: (kind: Kind, version: Version, body: object, query = '') =>
      admin.ask('POST', `${place(kind, version)}${query}`, body),
    get: async (kind: Kind, version: Version) => (await admin.ask('GET', at(kind, version))).body,
    put: (kind: Kind, version: Version, body: object) => admin.ask('PUT', at(kind, version), body),
    merge: (kind: Kind, version: Version, body: object, query = '') =>
      admin.ask('PATCH', `${at(kind, version)}${query}`, body),
    apply: (kind: Kind, version: Version, body: object, manager = 'me') =>
      admin.ask('PATCH', `${at(kind, version)}?fieldManager=${manager}`, body, APPLY),
  };
};

describe.each<[Version, Version]>([
  ['v1beta1', 'v1beta2'],
  ['v1beta2', 'v1beta1'],
])('a flag of kubeadm that is applied in %s', (first, then) => {
  it(`is changed, added and removed when it is applied in ${then}, and back`, async () => {
    const { apply } = setUp();
    const turns: [Version, Flags][] = [
      [first, { v: '2', w: '1' }],
      [then, { v: '4', w: '1' }],
      [then, { v: '4', w: '1', x: '1' }],
      [first, { v: '5', w: '1', x: '2' }],
      [then, { v: '6' }],
      [first, { v: '6', b: '1' }],
    ];
    for (const [version, flags] of turns) {
      const { code, body } = await apply('KubeadmControlPlane', version, controlPlane(version, flags));
      expect([200, 201], body.message).toContain(code);
      const { extraArgs } = body.spec.kubeadmConfigSpec.clusterConfiguration.apiServer;
      const shown = Array.isArray(extraArgs) ? extraArgs : args(extraArgs);
      expect(shown.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual(
        args(flags).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      );
    }
  });
});

describe('kubectl apply', () => {
  const annotated = (body: ReturnType<typeof object>) => ({
    ...body,
    metadata: { ...body.metadata, annotations: { [LAST_APPLIED]: `${JSON.stringify(body)}\n` } },
  });
  const CLIENT_SIDE = '?fieldManager=kubectl-client-side-apply';
  const PAIRS: [Version, Version][] = [
    ['v1beta1', 'v1beta2'],
    ['v1beta2', 'v1beta1'],
  ];

  it.each(PAIRS)('in %s can be followed by kubectl apply --server-side in %s of the same', async (first, then) => {
    const { create, apply } = setUp();
    await create('KubeadmControlPlane', first, annotated(controlPlane(first, { v: '2' })), CLIENT_SIDE);
    const { code, body } = await apply('KubeadmControlPlane', then, controlPlane(then, { v: '2' }), 'kubectl');
    expect(code, body.message).toBe(200);
    expect(body.metadata.managedFields[1].fieldsV1['f:metadata']['f:annotations']).toHaveProperty([
      `f:${LAST_APPLIED}`,
    ]);
  });

  it.each(PAIRS)('in %s and then in %s can be followed by --server-side with a change', async (first, then) => {
    const { create, merge, apply } = setUp();
    await create('KubeadmControlPlane', first, annotated(controlPlane(first, { v: '2' })), CLIENT_SIDE);
    const second = annotated(controlPlane(then, { v: '2' }));
    await merge('KubeadmControlPlane', then, second, CLIENT_SIDE);
    const changed = controlPlane(then, { v: '2' }, { version: 'v1.34.1' });
    const { code, body } = await apply('KubeadmControlPlane', then, changed, 'kubectl');
    expect(code, body.message).toBe(200);
    expect(body.spec.version).toBe('v1.34.1');
  });

  it.each(PAIRS)('in %s conflicts with --server-side in %s about what changes, as upstream', async (first, then) => {
    const { create, apply } = setUp();
    await create('KubeadmControlPlane', first, annotated(controlPlane(first, { v: '2' })), CLIENT_SIDE);
    const changed = controlPlane(then, { v: '2' }, { version: 'v1.34.1' });
    const { code, body } = await apply('KubeadmControlPlane', then, changed, 'kubectl');
    expect(code).toBe(409);
    expect(body.details.causes.map(({ field }: { field: string }) => field)).toEqual(['.spec.version']);
  });
});

describe('a v1beta1 client', () => {
  it.each([
    ['a rolling update without its type', { rolloutStrategy: { rollingUpdate: { maxSurge: 0 } } }, 'RollingUpdate'],
    ['no strategy', {}, 'RollingUpdate'],
    ['an empty strategy', { rolloutStrategy: {} }, undefined],
  ])('can create a KubeadmControlPlaneTemplate with %s', async (_, strategy, type) => {
    const { create, get } = setUp();
    const remediationStrategy = { maxRetry: 1 };
    const spec = { template: { spec: { kubeadmConfigSpec: {}, remediationStrategy, ...strategy } } };
    const template = object('KubeadmControlPlaneTemplate', 'v1beta1', spec);
    const { code, body } = await create('KubeadmControlPlaneTemplate', 'v1beta1', template);
    expect(code, body.message).toBe(201);
    const stored = await get('KubeadmControlPlaneTemplate', 'v1beta2');
    expect(stored.spec.template.spec.rollout?.strategy?.type).toBe(type);
  });

  it('can give the machines of a topology a rolling update without its type', async () => {
    const { create, get } = setUp();
    const workers = {
      machineDeployments: [
        { class: 'w', name: 'one', strategy: { rollingUpdate: { maxUnavailable: 1 } } },
        { class: 'w', name: 'two', strategy: { rollingUpdate: { deletePolicy: 'Oldest' } } },
      ],
    };
    const spec = { topology: { class: 'any', version: 'v1.34.0', workers } };
    const { code, body } = await create('Cluster', 'v1beta1', object('Cluster', 'v1beta1', spec));
    expect(code, body.message).toBe(201);
    const [one, two] = (await get('Cluster', 'v1beta2')).spec.topology.workers.machineDeployments;
    expect(one.rollout).toEqual({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } } });
    expect(two).toEqual({ class: 'w', name: 'two', deletion: { order: 'Oldest' } });
  });

  it.each([{}, { spec: {} }, { spec: { joinConfiguration: { nodeRegistration: {} } } }, { metadata: {} }])(
    'can create a KubeadmConfigTemplate without any setting: %j',
    async (template) => {
      const { create, get } = setUp();
      const body = object('KubeadmConfigTemplate', 'v1beta1', { template });
      const created = await create('KubeadmConfigTemplate', 'v1beta1', body);
      expect(created.code, created.body.message).toBe(201);
      const { spec } = await get('KubeadmConfigTemplate', 'v1beta2');
      expect(spec).toEqual({ template: { spec: { format: 'cloud-config' } } });
    },
  );

  it('can remove joinConfiguration, to which v1beta1 adds a timeout from elsewhere', async () => {
    const { create, get, put } = setUp();
    const joinConfiguration = { nodeRegistration: { name: 'node' } };
    const kept = { initConfiguration: { timeouts: { controlPlaneComponentHealthCheckSeconds: 300 } } };
    await create('KubeadmConfig', 'v1beta2', object('KubeadmConfig', 'v1beta2', { ...kept, joinConfiguration }));
    const old = await get('KubeadmConfig', 'v1beta1');
    const { joinConfiguration: _, ...spec } = old.spec;
    const edited = await put('KubeadmConfig', 'v1beta1', { ...old, spec });
    expect(edited.code, edited.body.message).toBe(200);
    expect((await get('KubeadmConfig', 'v1beta2')).spec).toEqual(kept);
  });

  it('can leave lists of the network empty', async () => {
    const { create, get } = setUp();
    const clusterNetwork = { pods: { cidrBlocks: [] }, services: { cidrBlocks: [] }, serviceDomain: 'cluster.local' };
    const spec = { clusterNetwork, infrastructureRef: { ...OLD_REF, kind: 'AWSCluster' } };
    const { code, body } = await create('Cluster', 'v1beta1', object('Cluster', 'v1beta1', spec));
    expect(code, body.message).toBe(201);
    expect(body.spec.clusterNetwork).toEqual(clusterNetwork);
    expect((await get('Cluster', 'v1beta2')).spec.clusterNetwork).toEqual({ serviceDomain: 'cluster.local' });
  });
});

describe('conversion data', () => {
  const timeouts = { kubeletHealthCheckSeconds: 77 };
  const withData = (data: object) => {
    const body = controlPlane('v1beta1', {}, { kubeadmConfigSpec: {} });
    return { ...body, metadata: { ...body.metadata, annotations: { [CONVERSION_DATA]: JSON.stringify(data) } } };
  };

  it.each([{}, { creationTimestamp: null }])('of upstream may hold empty parts: metadata %j', async (metadata) => {
    const { create, get } = setUp();
    const others = {
      machineTemplate: { metadata, spec: { infrastructureRef: REF } },
      kubeadmConfigSpec: { joinConfiguration: { timeouts } },
    };
    const data = { metadata, spec: controlPlane('v1beta2', {}, others).spec, status: {} };
    const { code, body } = await create('KubeadmControlPlane', 'v1beta1', withData(data));
    expect(code, body.message).toBe(201);
    expect((await get('KubeadmControlPlane', 'v1beta2')).spec.kubeadmConfigSpec).toEqual({
      joinConfiguration: { timeouts },
    });
  });

  it('that a v1beta2 client has written does not come back with an edit by a v1beta1 client', async () => {
    const kind = 'KubeadmConfigTemplate';
    const { create, get, put } = setUp();
    const body = object(kind, 'v1beta2', { template: { spec: { verbosity: 1 } } });
    const data = JSON.stringify({ spec: { template: { spec: { verbosity: 1, joinConfiguration: { timeouts } } } } });
    const metadata = { name: 'red', annotations: { [CONVERSION_DATA]: data } };
    await create(kind, 'v1beta2', { ...body, metadata });
    const old = await get(kind, 'v1beta1');
    const edited = await put(kind, 'v1beta1', { ...old, spec: { template: { spec: { verbosity: 2 } } } });
    expect(edited.code, edited.body.message).toBe(200);
    expect((await get(kind, 'v1beta2')).spec).toEqual({ template: { spec: { verbosity: 2 } } });
  });
});
