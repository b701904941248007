import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import type { ClusterRef } from '../../../shared/work/payloads.ts';
import { createTestApi } from '../test-api.ts';

// biome-ignore lint/suspicious/noExplicitAny: manifests, of which the tests change parts.
type Manifest = any;

const EXAMPLE: Manifest[] = parseAllDocuments(readFileSync('examples/clusterclass.yaml', 'utf8')).map((document) =>
  document.toJS(),
);
const exampleOf = (kind: string, name?: string): Manifest =>
  structuredClone(
    EXAMPLE.find((object) => object.kind === kind && (name === undefined || object.metadata.name === name)),
  );

const CORE = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default';
const PATHS: Record<string, string> = {
  ClusterClass: `${CORE}/clusterclasses`,
  Cluster: `${CORE}/clusters`,
  AWSClusterTemplate: '/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/default/awsclustertemplates',
  AWSMachineTemplate: '/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/default/awsmachinetemplates',
};

let touched: string[];
let storage: ReturnType<typeof createMemoryStorage>;
let admin: ReturnType<typeof createTestApi>['admin'];

const post = (object: Manifest) => admin.ask('POST', PATHS[object.kind] ?? '', object);
const patch = (kind: string, name: string, body: object) => admin.ask('PATCH', `${PATHS[kind]}/${name}`, body);
const touch = async ({ name }: ClusterRef) => void touched.push(name);

beforeEach(() => {
  touched = [];
  storage = createMemoryStorage();
  ({ admin } = createTestApi(storage, { touch }));
});

const managed = (change: (topology: Manifest) => void = () => {}, name = 'managed'): Manifest => {
  const cluster = exampleOf('Cluster');
  cluster.metadata.name = name;
  change(cluster.spec.topology);
  return cluster;
};

const withClass = async (change: (spec: Manifest) => void = () => {}) => {
  const clusterClass = exampleOf('ClusterClass');
  change(clusterClass.spec);
  expect((await post(clusterClass)).code).toBe(201);
};

const INVALID = 'Cluster.cluster.x-k8s.io "managed" is invalid: ';

describe('a Cluster with a topology, at admission', () => {
  it('gets the defaults of the variables of its class, in the order of their names', async () => {
    await withClass();
    const { code, body } = await post(managed());
    expect(code).toBe(201);
    expect(body.spec.topology.variables).toEqual([
      { name: 'region', value: 'us-east-1' },
      { name: 'controlPlaneInstanceType', value: 't3.large' },
      { name: 'workerInstanceType', value: 't3.large' },
      { name: 'zones', value: 3 },
    ]);
  });

  it('owns no field that the class defaulted', async () => {
    await withClass();
    const { body } = await post(managed());
    const [{ fieldsV1 }] = body.metadata.managedFields;
    expect(Object.keys(fieldsV1['f:spec']['f:topology'])).toContain('f:variables');
    expect(JSON.stringify(fieldsV1)).not.toContain('zones');
  });

  it('is stored with a warning if its class does not exist', async () => {
    const response = await admin.send('POST', PATHS.Cluster ?? '', managed());
    expect(response.status).toBe(201);
    expect(response.headers.get('warning')).toContain(
      'Cluster refers to ClusterClass default/aws-small, but this ClusterClass does not exist.',
    );
    const { code, body } = await patch('Cluster', 'managed', { metadata: { labels: { a: 'b' } } });
    expect(code).toBe(422);
    expect(body.message).toBe(
      `${INVALID}spec.topology.class: Internal error: ClusterClass default/aws-small not found`,
    );
  });

  it.each([
    {
      what: 'a variable that the class does not define',
      change: (topology: Manifest) => topology.variables.push({ name: 'colour', value: 'red' }),
      line: 'spec.topology.variables[colour]: Invalid value: "\\"red\\"": variable is not defined',
    },
    {
      what: 'a variable that is missing',
      change: (topology: Manifest) => {
        delete topology.variables;
      },
      line: 'spec.topology.variables: Required value: required variable "region" must be set',
    },
    {
      what: 'a value that a rule refuses',
      change: (topology: Manifest) => topology.variables.push({ name: 'workerInstanceType', value: 't3.nano' }),
      line: 'a node needs at least 2 GiB of memory',
    },
    {
      what: 'a value that the schema refuses, in a group of workers',
      change: (topology: Manifest) => {
        topology.workers.machineDeployments[0].variables = { overrides: [{ name: 'workerInstanceType', value: 7 }] };
      },
      line: 'spec.topology.workers.machineDeployments[md-0].variables.overrides[workerInstanceType].value: Invalid value',
    },
    {
      what: 'a class of workers that does not exist',
      change: (topology: Manifest) => {
        topology.workers.machineDeployments[0].class = 'gpu';
      },
      line: 'spec.topology.workers.machineDeployments[0].class: Invalid value: "gpu": MachineDeploymentClass with name "gpu" does not exist in ClusterClass "aws-small"',
    },
    {
      what: 'a health check that is not defined',
      classChange: (spec: Manifest) => {
        delete spec.controlPlane.healthCheck;
      },
      change: (topology: Manifest) => {
        topology.controlPlane.healthCheck = { enabled: true };
      },
      line: 'spec.topology.controlPlane.healthCheck.enable: Forbidden: cannot be set to true as healthCheck definition is not available in the Cluster topology or the ClusterClass',
    },
    {
      what: 'a version that is not in the list of the class',
      classChange: (spec: Manifest) => {
        spec.kubernetesVersions = ['v1.33.0'];
      },
      change: () => {},
      line: 'spec.topology.version: Invalid value: "v1.34.0": version must match one of the versions defined in the ClusterClass',
    },
  ])('is refused with $what', async ({ change, classChange, line }) => {
    await withClass(classChange);
    const { code, body } = await post(managed(change));
    expect(code).toBe(422);
    expect(body.message).toContain(line);
  });

  it('can only change to the next minor version, and only when no upgrade is in progress', async () => {
    await withClass();
    await post(managed());
    const to = (version: string) => patch('Cluster', 'managed', { spec: { topology: { version } } });
    const field = 'spec.topology.version: Invalid value';
    expect((await to('v1.36.0')).body.message).toBe(
      `${INVALID}${field}: "v1.36.0": version cannot be increased from "1.34.0" to "1.36.0"`,
    );
    expect((await to('v1.33.0')).body.message).toBe(
      `${INVALID}${field}: "v1.33.0": version cannot be decreased from "1.34.0" to "1.33.0"`,
    );
    expect((await to('v1.35.0')).body.message).toBe(
      `${INVALID}${field}: "v1.35.0": version cannot be changed: failed to check if control plane is upgrading: failed to get control plane object`,
    );
  });

  it('cannot change its version while an extension has not completed the previous upgrade', async () => {
    await withClass();
    await post(managed());
    const annotations = { 'runtime.cluster.x-k8s.io/pending-hooks': 'AfterClusterUpgrade' };
    await patch('Cluster', 'managed', { metadata: { annotations } });
    const { body } = await patch('Cluster', 'managed', { spec: { topology: { version: 'v1.35.0' } } });
    expect(body.message).toContain('version cannot be changed when the "AfterClusterUpgrade" hook is still blocking');
  });

  it('can only change to a class with the same kinds', async () => {
    await withClass();
    const other = exampleOf('ClusterClass');
    other.metadata.name = 'other';
    other.spec.controlPlane.templateRef.kind = 'RKE2ControlPlaneTemplate';
    expect((await post(other)).code).toBe(201);
    await post(managed());
    const rebase = (name: string) => patch('Cluster', 'managed', { spec: { topology: { classRef: { name } } } });
    expect((await rebase('other')).body.message).toContain(
      'spec.controlPlane.templateRef.kind: Forbidden: kind cannot be changed from "KubeadmControlPlaneTemplate" to "RKE2ControlPlaneTemplate"',
    );
    expect((await rebase('nothing')).code).toBe(422);
    const same = exampleOf('ClusterClass');
    same.metadata.name = 'same';
    await post(same);
    expect((await rebase('same')).code).toBe(200);
  });
});

describe('a ClusterClass', () => {
  beforeEach(async () => {
    await withClass();
    await post(managed());
    touched = [];
  });

  it('lists its variables in its status when it is stored and after each change', async () => {
    const { body } = await admin.ask('GET', `${PATHS.ClusterClass}/aws-small`);
    expect(body.status.variables.map(({ name }: Manifest) => name)).toEqual([
      'controlPlaneInstanceType',
      'region',
      'workerInstanceType',
      'zones',
    ]);
    const more = { name: 'more', required: false, schema: { openAPIV3Schema: { type: 'string' } } };
    const changed = await patch('ClusterClass', 'aws-small', { spec: { variables: [...body.spec.variables, more] } });
    expect(changed.body.metadata.generation).toBe(2);
    expect(changed.body.status.observedGeneration).toBe(2);
    expect(changed.body.status.variables).toHaveLength(5);
  });

  it('is refused if a template cannot be parsed', async () => {
    const broken = exampleOf('ClusterClass');
    broken.metadata.name = 'broken';
    broken.spec.patches[0].enabledIf = '{{ if .zones }}';
    broken.spec.patches[1].definitions[0].jsonPatches[0].valueFrom = { template: '{{ env "HOME" }}' };
    const { code, body } = await post(broken);
    expect(code).toBe(422);
    expect(body.message).toMatch(/spec\.patches\[0\]\.enabledIf: Invalid value: .*: template can not be parsed: /);
    expect(body.message).toMatch(/spec\.patches\[1\]\.definitions\[0\]\.jsonPatches\[0\]\.valueFrom\.template: /);
  });

  it('cannot be deleted, or lose parts that clusters use, while clusters use it', async () => {
    const { body } = await admin.ask('GET', `${PATHS.ClusterClass}/aws-small`);
    const [worker] = body.spec.workers.machineDeployments;
    const renamed = await patch('ClusterClass', 'aws-small', {
      spec: { workers: { machineDeployments: [{ ...worker, class: 'other' }] } },
    });
    expect(renamed.body.message).toContain(
      'spec.workers.machineDeployments: Forbidden: MachineDeploymentClass "default-worker" cannot be deleted because it is used by Cluster "managed"',
    );
    const deleted = await admin.ask('DELETE', `${PATHS.ClusterClass}/aws-small`);
    expect(deleted.code).toBe(403);
    expect(deleted.body.message).toBe(
      'ClusterClass.cluster.x-k8s.io "aws-small" is forbidden: ClusterClass cannot be deleted because it is used by Cluster(s): default/managed',
    );
  });
});

describe('the clusters that a write of a class or of its templates affects', () => {
  beforeEach(async () => {
    await withClass((spec) => {
      const [worker] = spec.workers.machineDeployments;
      spec.workers.machineDeployments.push({ ...worker, class: 'gpu' });
    });
    for (const kind of ['AWSClusterTemplate', 'AWSMachineTemplate']) await post(exampleOf(kind));
    await post(exampleOf('AWSMachineTemplate', 'aws-small-worker'));
    for (const name of ['one', 'two']) await post(managed(undefined, name));
    await post(managed((topology) => (topology.classRef.name = 'elsewhere'), 'three'));
    touched = [];
  });

  it('are those of the class, if its variables change', async () => {
    const { body } = await admin.ask('GET', `${PATHS.ClusterClass}/aws-small`);
    await patch('ClusterClass', 'aws-small', { spec: { variables: body.spec.variables.toReversed() } });
    expect(touched.sort()).toEqual(['one', 'two']);
  });

  it('are none, if an unused part changes', async () => {
    const { body } = await admin.ask('GET', `${PATHS.ClusterClass}/aws-small`);
    const [worker, gpu] = body.spec.workers.machineDeployments;
    await patch('ClusterClass', 'aws-small', {
      metadata: { labels: { tier: 'gold' } },
      spec: { workers: { machineDeployments: [worker, { ...gpu, minReadySeconds: 9 }] } },
    });
    expect(touched).toEqual([]);
  });

  it('are those that use the template, if its content changes', async () => {
    await patch('AWSClusterTemplate', 'aws-small', { metadata: { annotations: { tier: 'gold' } } });
    expect(touched.sort()).toEqual(['one', 'two']);
    touched = [];
    await patch('AWSClusterTemplate', 'aws-small', { metadata: { finalizers: ['team.example.com/keep'] } });
    expect(touched).toEqual([]);
  });
});
