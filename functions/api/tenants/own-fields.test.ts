/** Fields that an editor of a namespace may not write, because the controllers rely on them, and who may adopt. */
import { beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../shared/clock.ts';
import { KINDS, kinds } from '../../../shared/kinds/index.ts';
import { createRegistry } from '../../../shared/kube-api/registry/create-registry.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../shared/kube-api/storage/object-client.ts';
import { systemRandom } from '../../../shared/random.ts';
import { binding, createTestApi, RBAC, user } from '../test-api.ts';

const INFRASTRUCTURE = '/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/default';
const CORE = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const MACHINES = `${INFRASTRUCTURE}/awsmachines`;
const W1 = `${MACHINES}/w-1`;

const awsMachine = (spec: object = {}, metadata: object = {}) => ({
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'AWSMachine',
  metadata: { name: 'w-1', namespace: 'default', ...metadata },
  spec: { instanceType: 't3.large', ...spec },
});

const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name: 'w-1' };
const machine = (spec: object = {}) => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: { name: 'w-1', namespace: 'default' },
  spec: { clusterName: 'red', bootstrap: { dataSecretName: 'w-1' }, infrastructureRef, ...spec },
});

const HEADS = {
  Cluster: 'cluster.x-k8s.io/v1beta2',
  AWSMachine: 'infrastructure.cluster.x-k8s.io/v1beta2',
  AWSMachineTemplate: 'infrastructure.cluster.x-k8s.io/v1beta2',
  AWSCluster: 'infrastructure.cluster.x-k8s.io/v1beta2',
} as const;
const head = (kind: keyof typeof HEADS) => ({ apiVersion: HEADS[kind], kind });

const PROVIDER = 'aws:///us-east-1a/i-0123456789abcdef0';
const SECRETS = { secretPrefix: 'aws.cluster.x-k8s.io/1', secretCount: 1 };
const annotated = (annotations: object) => ({ metadata: { annotations } });

describe('a field that the controllers own', () => {
  let api: ReturnType<typeof createTestApi>;
  let editor: ReturnType<typeof api.user>;
  let admin: ReturnType<typeof api.user>;
  let controllers: ReturnType<typeof createObjectClient>;

  beforeEach(async () => {
    const storage = createMemoryStorage();
    api = createTestApi(storage);
    const options = { resources: KINDS, storage, clock: systemClock, random: systemRandom };
    controllers = createObjectClient(createRegistry(options));
    editor = api.user('Mallory');
    admin = api.user('NamespaceAdmin');
    for (const [name, role] of [
      ['Mallory', 'edit'],
      ['NamespaceAdmin', 'admin'],
    ] as const) {
      const body = binding(name.toLowerCase(), user(name), role);
      const { code } = await api.admin.ask('POST', `${RBAC}/namespaces/default/rolebindings`, body);
      expect(code).toBe(201);
    }
  });

  const refusals: [string, () => [string, string, object], string][] = [
    ['an instance', () => ['POST', MACHINES, awsMachine({ instanceID: 'i-0123456789abcdef0' })], 'spec.instanceID'],
    ['a provider id', () => ['POST', MACHINES, awsMachine({ providerID: PROVIDER })], 'spec.providerID'],
    ['secrets', () => ['POST', MACHINES, awsMachine({ cloudInit: SECRETS })], 'spec.cloudInit.secretCount'],
    [
      'the provider id of a Machine',
      () => ['POST', `${CORE}/machines`, machine({ providerID: PROVIDER })],
      'spec.providerID',
    ],
    [
      'a launch',
      () => ['POST', MACHINES, awsMachine({}, { annotations: { 'windlass.dev/launch': '{}' } })],
      'metadata.annotations[windlass.dev/launch]',
    ],
    [
      'an unknown name with the prefix of Windlass',
      () => ['POST', MACHINES, awsMachine({}, { annotations: { 'windlass.dev/anything': '' } })],
      'metadata.annotations[windlass.dev/anything]',
    ],
    [
      'a name from the prototype of objects',
      () => ['POST', MACHINES, awsMachine({}, { annotations: { 'windlass.dev/constructor': '' } })],
      'metadata.annotations[windlass.dev/constructor]',
    ],
    [
      'a label of Windlass',
      () => ['POST', MACHINES, awsMachine({}, { labels: { 'windlass.dev/cluster': 'blue' } })],
      'metadata.labels[windlass.dev/cluster]',
    ],
    [
      'a notice of EC2',
      () => [
        'POST',
        `${CORE}/machines`,
        { ...machine(), metadata: { name: 'w', ...annotated({ 'windlass.dev/instance-notice': '{}' }).metadata } },
      ],
      'metadata.annotations[windlass.dev/instance-notice]',
    ],
    [
      'the end of a lock',
      () => [
        'POST',
        CONFIG_MAPS,
        { metadata: { name: 'red-lock', annotations: { 'windlass.dev/control-plane-initialized': '' } } },
      ],
      'metadata.annotations[windlass.dev/control-plane-initialized]',
    ],
    [
      'a template whose machines are all one instance',
      () => [
        'POST',
        `${INFRASTRUCTURE}/awsmachinetemplates`,
        {
          ...head('AWSMachineTemplate'),
          metadata: { name: 't' },
          spec: { template: { spec: { instanceType: 't3.large', instanceID: 'i-0123456789abcdef0' } } },
        },
      ],
      'spec.template.spec.instanceID',
    ],
    [
      'a template that gives its machines a launch',
      () => [
        'POST',
        `${INFRASTRUCTURE}/awsmachinetemplates`,
        {
          ...head('AWSMachineTemplate'),
          metadata: { name: 't' },
          spec: {
            template: {
              metadata: { annotations: { 'windlass.dev/launch': '{}' } },
              spec: { instanceType: 't3.large' },
            },
          },
        },
      ],
      'spec.template.metadata.annotations[windlass.dev/launch]',
    ],
  ];

  it.each(refusals)('cannot be set by an editor at creation: %s', async (_what, request, field) => {
    const { code, body } = await editor.ask(...request());

    expect(code).toBe(403);
    expect(body.message).toContain(`${field}: Forbidden: is written by the controllers only`);
    expect(body.message).toContain('the verb "adopt"');
  });

  it.each(refusals)('can be set by an administrator of the namespace at creation: %s', async (_what, request) => {
    expect((await admin.ask(...request())).code).toBe(201);
  });

  it.each([
    ['a merge patch', 'application/merge-patch+json', '{"spec":{"instanceID":"i-1"}}'],
    ['a JSON patch', 'application/json-patch+json', '[{"op":"add","path":"/spec/instanceID","value":"i-1"}]'],
    ['server-side apply', 'application/apply-patch+yaml', JSON.stringify({ ...awsMachine({ instanceID: 'i-1' }) })],
  ])('cannot be changed with %s', async (_how, type, body) => {
    expect((await editor.ask('POST', MACHINES, awsMachine())).code).toBe(201);

    const query = type.includes('apply') ? '?fieldManager=mallory&force=true' : '';
    const answer = await editor.ask('PATCH', `${W1}${query}`, JSON.parse(body), { 'content-type': type });

    expect([answer.code, answer.body.message]).toEqual([403, expect.stringContaining('spec.instanceID')]);
  });

  it('cannot be replaced or removed', async () => {
    await editor.ask('POST', MACHINES, awsMachine());
    await controllers.mutate(kinds.awsMachine, { namespace: 'default', name: 'w-1' }, (current) => ({
      ...current,
      spec: { ...current.spec, instanceID: 'i-1', providerID: PROVIDER, cloudInit: SECRETS },
    }));
    const { body: read } = await editor.ask('GET', W1);
    const { instanceID: _, ...rest } = read.spec;

    const without = await editor.ask('PUT', W1, { ...read, spec: rest });
    const other = await editor.ask('PUT', W1, { ...read, spec: { ...read.spec, instanceID: 'i-of-another' } });

    const data = await editor.ask('PATCH', W1, { spec: { cloudInit: { secretPrefix: 'other' } } });

    expect([without.code, other.code, data.code]).toEqual([403, 403, 403]);
  });

  it('may be sent back unchanged by an editor who changes something else', async () => {
    await editor.ask('POST', MACHINES, awsMachine());
    await controllers.mutate(kinds.awsMachine, { namespace: 'default', name: 'w-1' }, (current) => ({
      ...current,
      metadata: { ...current.metadata, annotations: { 'windlass.dev/instance-type': 't3.xlarge' } },
      spec: { ...current.spec, instanceID: 'i-1', providerID: PROVIDER },
      status: { ready: true },
    }));
    const { body: read } = await editor.ask('GET', W1);
    const labelled = { ...read, metadata: { ...read.metadata, labels: { team: 'a' } } };

    const replaced = await editor.ask('PUT', W1, labelled);
    const { managedFields: _, resourceVersion: __, ...metadata } = labelled.metadata;
    const exported = { ...labelled, metadata: { ...metadata, labels: { team: 'b' } } };
    const type = { 'content-type': 'application/apply-patch+yaml' };
    const applied = await editor.ask('PATCH', `${W1}?fieldManager=kubectl&force=true`, exported, type);

    expect([replaced.code, applied.code, applied.body.message]).toEqual([200, 200, undefined]);
    expect(applied.body.metadata.labels).toEqual({ team: 'b' });
    expect(applied.body.spec.instanceID).toBe('i-1');
  });

  it('includes the status, even for users who may write statuses', async () => {
    const role = {
      metadata: { name: 'statuses' },
      rules: [
        {
          apiGroups: ['infrastructure.cluster.x-k8s.io'],
          resources: ['awsmachines/status'],
          verbs: ['update', 'patch'],
        },
      ],
    };
    await api.admin.ask('POST', `${RBAC}/namespaces/default/roles`, role);
    await api.admin.ask(
      'POST',
      `${RBAC}/namespaces/default/rolebindings`,
      binding('s', user('Mallory'), 'statuses', 'Role'),
    );
    await editor.ask('POST', MACHINES, awsMachine());

    const { code, body } = await editor.ask('PATCH', `${W1}/status`, {
      status: { ready: true, instanceState: 'running' },
    });

    expect([code, body.message]).toEqual([403, expect.stringContaining('status: Forbidden')]);
  });

  it('cannot be made writable by editors who grant themselves the verb adopt', async () => {
    const rules = [{ apiGroups: ['*'], resources: ['awsmachines'], verbs: ['adopt'] }];
    const { code } = await editor.ask('POST', `${RBAC}/namespaces/default/roles`, { metadata: { name: 'r' }, rules });
    expect(code).toBe(403);
  });
});

describe('an annotation for users', () => {
  const wrong: [string, string, string, RegExp][] = [
    ['Cluster', 'windlass.dev/on-drift', 'Destroy', /must be one of Repair, Report, Adopt/],
    ['Cluster', 'windlass.dev/node-initialization', 'yes', /must be Enabled or Disabled/],
    ['AWSMachine', 'windlass.dev/instance-types', 't3.large; rm -rf /', /must be instance types such as/],
    ['AWSMachine', 'windlass.dev/install-kubernetes', 'yes', /must be true or false/],
    ['AWSMachine', 'windlass.dev/volumes', 'Delete', /has no meaning on kind AWSMachine; it belongs on AWSCluster/],
    ['AWSCluster', 'windlass.dev/volumes', 'delete', /must be Keep or Delete/],
    ['AWSCluster', 'windlass.dev/skip-preflight', 'everything', /must be names out of quotas, images/],
  ];
  const paths: Record<string, string> = {
    Cluster: `${CORE}/clusters`,
    AWSMachine: MACHINES,
    AWSCluster: `${INFRASTRUCTURE}/awsclusters`,
  };
  const specs: Record<string, object> = {
    Cluster: { infrastructureRef: { ...infrastructureRef, kind: 'AWSCluster', name: 'red' } },
    AWSMachine: { instanceType: 't3.large' },
    AWSCluster: { region: 'us-east-1' },
  };

  it.each(wrong)(
    'is refused with an error that names it if it is invalid: %s %s=%s',
    async (kind, name, value, why) => {
      const { admin } = createTestApi();
      const body = {
        ...head(kind as 'Cluster'),
        metadata: { name: 'x', annotations: { [name]: value } },
        spec: specs[kind],
      };

      const answer = await admin.ask('POST', paths[kind] ?? '', body);

      expect(answer.code).toBe(422);
      expect(answer.body.message).toMatch(why);
      expect(answer.body.message).toContain(`metadata.annotations[${name}]`);
    },
  );

  it.each([
    ['Cluster', 'windlass.dev/on-drift', 'Report,Route=Repair'],
    ['AWSCluster', 'windlass.dev/volumes', 'Delete'],
    ['AWSCluster', 'windlass.dev/skip-preflight', 'quotas, images'],
    ['AWSMachine', 'windlass.dev/instance-types', 'm6i.large, u-6tb1.metal'],
  ])('can be set by anyone who may write the object: %s %s=%s', async (kind, name, value) => {
    const api = createTestApi();
    await api.admin.ask('POST', `${RBAC}/namespaces/default/rolebindings`, binding('e', user('Editor'), 'edit'));
    const body = {
      ...head(kind as 'Cluster'),
      metadata: { name: 'x', annotations: { [name]: value } },
      spec: specs[kind],
    };

    expect((await api.user('Editor').ask('POST', paths[kind] ?? '', body)).code).toBe(201);
  });
});
