/** The ClusterClasses that upstream publishes in its modules, with their Clusters. */
import type { ClusterClass } from '../../../shared/kinds/cluster-class/schema.ts';
import { isObject } from '../../../shared/kube-api/json.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import {
  CLUSTER_API,
  CLUSTER_NAME,
  PROVIDER,
  renderTemplates,
  type Source,
  type Template,
} from '../templates/render.ts';
import type { Any } from './story.ts';
import { parseObjects } from './templates.ts';

const E2E = 'test/e2e/data/infrastructure-aws/withclusterclass';

const SOURCES: readonly Source[] = [
  { name: 'aws/', module: PROVIDER, directory: 'templates' },
  { name: 'aws-e2e/', module: PROVIDER, directory: `${E2E}/e2e_test_templates` },
  { name: 'aws-e2e-class/', module: PROVIDER, directory: `${E2E}/clusterclassbase` },
  { name: 'capi-e2e/', module: CLUSTER_API, directory: 'e2e/data/infrastructure-docker/main' },
];

/** The namespace of the classes, which Cluster API's own templates also separate from that of the cluster. */
export const CLASS_NAMESPACE = 'classes-of-upstream';

const VARIABLES = {
  AWS_REGION: 'eu-central-1',
  AWS_SSH_KEY_NAME: 'default',
  AWS_CONTROL_PLANE_MACHINE_TYPE: 't3.large',
  AWS_NODE_MACHINE_TYPE: 't3.xlarge',
  CONTROL_PLANE_MACHINE_COUNT: '1',
  WORKER_MACHINE_COUNT: '2',
  KUBERNETES_VERSION: 'v1.34.0',
  CAPI_IMAGES_REGISTRY: 'registry.example.com',
  E2E_IMAGE_TAG: 'e2e',
  MULTI_TENANCY_NESTED_IDENTITY_NAME: 'nested',
  MULTI_TENANCY_SIMPLE_IDENTITY_NAME: 'simple',
  MULTI_TENANCY_JUMP_IDENTITY_NAME: 'jump',
  DOCKER_PRELOAD_IMAGES: '[]',
  DOCKER_POD_CIDRS: '192.168.0.0/16',
  DOCKER_SERVICE_CIDRS: '10.128.0.0/12',
  DOCKER_SERVICE_DOMAIN: 'cluster.local',
  CLUSTER_CLASS_NAMESPACE: CLASS_NAMESPACE,
};

let rendered: ReadonlyMap<string, Template> | undefined;

const render = (name: string): string => {
  rendered ??= new Map(renderTemplates(VARIABLES, {}, SOURCES).map((template) => [template.name, template]));
  const found = rendered.get(name);
  if (!found) throw new Error(`upstream has no ${name} any more`);
  return found.text;
};

/** Whether a topology needs the kind. Add-ons and identities are omitted. */
const isOfTopology = ({ kind }: KubeObject): boolean => /^(Cluster|ClusterClass|\w+Template)$/.test(kind);

/** Marks an AWSClusterTemplate as managed by another system, so that no infrastructure and no machines are created. */
const managedElsewhere = (object: Any): Any => {
  const { template } = object.spec;
  const annotations = { ...template.metadata?.annotations, 'cluster.x-k8s.io/managed-by': 'conformance' };
  return { ...object, spec: { template: { ...template, metadata: { ...template.metadata, annotations } } } };
};

/** Classes are created after their templates, and clusters last. */
const ORDER = ['ClusterClass', 'Cluster'];

/** The objects of some templates for a cluster with this name, in the order of their creation. */
export const objectsOf = (cluster: string, ...names: string[]): KubeObject[] => {
  const texts = names.map((name) => render(name).replaceAll(CLUSTER_NAME, cluster));
  return texts
    .flatMap(parseObjects)
    .filter(isOfTopology)
    .map(({ metadata: { namespace: _, ...metadata }, ...rest }) => ({ ...rest, metadata }) as KubeObject)
    .map((object) => (object.kind === 'AWSClusterTemplate' ? managedElsewhere(object) : object))
    .sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
};

const IN_DOCKER = '/spec/template/spec/backend/docker/';

/**
 * Fields of AWS's templates with the same types as fields of Docker's. The meaning of a field does not matter for the
 * effect of a patch.
 */
const FIELDS: Readonly<Record<string, string>> = {
  loadBalancer: 'additionalTags',
  customImage: 'imageLookupBaseOS',
  preLoadImages: 'networkInterfaces',
};

const KINDS: Readonly<Record<string, { kind: string; spec: object }>> = {
  DevClusterTemplate: { kind: 'AWSClusterTemplate', spec: { region: 'us-east-1' } },
  DevMachineTemplate: { kind: 'AWSMachineTemplate', spec: { instanceType: 't3.large' } },
  // AWS has no kind for pool templates.
  DevMachinePoolTemplate: { kind: 'AWSMachineTemplate', spec: { instanceType: 't3.large' } },
};

const withAws = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withAws);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, member]): [string, unknown] => {
    if (key === 'kind' && typeof member === 'string') return [key, KINDS[member]?.kind ?? member];
    if (key !== 'path' || typeof member !== 'string' || !member.startsWith(IN_DOCKER)) return [key, withAws(member)];
    const field = FIELDS[member.slice(IN_DOCKER.length)];
    if (!field) throw new Error(`there is no field of AWS for ${member}`);
    return [key, `/spec/template/spec/${field}`];
  });
  return Object.fromEntries(entries);
};

/**
 * Converts a class for Docker to AWS, because Windlass has no Docker infrastructure. The topology, variables, patches
 * and template metadata are kept. `namespace` is that of the class.
 */
export const inAws = (objects: readonly KubeObject[], namespace: string): KubeObject[] =>
  objects.map((object): KubeObject => {
    const place = object.kind === 'Cluster' ? {} : { namespace };
    const aws = KINDS[object.kind];
    if (!aws) return { ...(withAws(object) as KubeObject), metadata: { ...object.metadata, ...place } };
    const { spec } = object as KubeObject & { spec: ClusterClass['spec'] & { template: Any } };
    const template = { metadata: spec.template.metadata, spec: aws.spec };
    const made = { ...object, kind: aws.kind, metadata: { ...object.metadata, ...place }, spec: { template } };
    return aws.kind === 'AWSClusterTemplate' ? managedElsewhere(made) : made;
  });
