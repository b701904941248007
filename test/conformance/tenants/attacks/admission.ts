/** Requests of a namespace's editor that the API refuses. */
import type { Attack } from '../attack.ts';
import { ATTACKER, CLUSTER, MERGE, pathOf, VICTIM, type World } from '../world.ts';

const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io/v1beta2';
const FORBIDDEN = /^403 /;

const awsMachine = (name: string, spec: object = {}, annotations: Record<string, string> = {}) => ({
  apiVersion: INFRASTRUCTURE,
  kind: 'AWSMachine',
  metadata: { name, namespace: ATTACKER, annotations },
  spec: { instanceType: 't3.large', sshKeyName: '', ...spec },
});

const post = (world: World, path: string, body: unknown): Promise<unknown> => world.mallory.send('POST', path, body);

const postMachine = (world: World, name: string, spec?: object, annotations?: Record<string, string>) =>
  post(world, pathOf(ATTACKER, 'awsmachines', 'infrastructure'), awsMachine(name, spec, annotations));

const memory = (annotation: string, value: string): Attack => ({
  what: `writes the controllers' own annotation ${annotation}: ${value.slice(0, 12)}`,
  refused: {
    by: new RegExp(annotation.replaceAll('.', '\\.')),
    request: (world) =>
      postMachine(world, `memory-${annotation.split('/')[1]}-${value.length}`, {}, { [annotation]: value }),
  },
});

const FROZEN = JSON.stringify({
  at: '2026-01-01T00:00:00Z',
  request: { MinCount: 5, MaxCount: 5, MetadataOptions: { HttpTokens: 'optional' } },
});

const memories: Attack[] = [
  memory('windlass.dev/launch', FROZEN),
  memory('windlass.dev/launch', '{'),
  memory('windlass.dev/bastion-launch', FROZEN),
  memory('windlass.dev/settled', 'yes'),
  memory('windlass.dev/network-turn', 'mine'),
];

const controllersFields: Attack[] = [
  {
    what: 'names an instance of alice in spec.instanceID',
    refused: {
      by: /spec\.instanceID/,
      request: (world) => postMachine(world, 'thief-1', { instanceID: world.victim.infrastructure.spec.instanceID }),
    },
  },
  {
    what: 'names an instance of alice in spec.providerID of an AWSMachine',
    refused: {
      by: /spec\.providerID/,
      request: (world) => postMachine(world, 'thief-2', { providerID: world.victim.infrastructure.spec.providerID }),
    },
  },
  {
    what: 'names the bootstrap secret of another machine',
    refused: {
      by: /spec\.cloudInit\.secret(Prefix|Count)/,
      request: (world) =>
        postMachine(world, 'thief-3', { cloudInit: { secretPrefix: 'aws.cluster.x-k8s.io/1', secretCount: 1 } }),
    },
  },
  {
    what: "requests the controllers' own instance profile",
    refused: {
      by: /spec\.iamInstanceProfile/,
      request: (world) =>
        postMachine(world, 'profile', { iamInstanceProfile: 'controllers.cluster-api-provider-aws.sigs.k8s.io' }),
    },
  },
  {
    what: 'writes the status of a machine',
    refused: {
      by: FORBIDDEN,
      request: (world) =>
        world.mallory.send(
          'PATCH',
          `${pathOf(ATTACKER, 'awsmachines', 'infrastructure')}/any/status`,
          { status: { instanceState: 'terminated' } },
          MERGE,
        ),
    },
  },
];

const RBAC = 'rbac.authorization.k8s.io';

const rights: Attack[] = [
  {
    what: 'reads a Secret of alice',
    refused: {
      by: FORBIDDEN,
      request: (world) => world.mallory.send('GET', `${pathOf(VICTIM, 'secrets', 'v1')}/${CLUSTER}-kubeconfig`),
    },
  },
  {
    what: 'deletes a machine of alice',
    refused: {
      by: FORBIDDEN,
      request: (world) =>
        world.mallory.send('DELETE', `${pathOf(VICTIM, 'machines')}/${world.victim.machine.metadata.name}`),
    },
  },
  {
    what: 'lists the clusters of all namespaces',
    refused: {
      by: FORBIDDEN,
      request: (world) => world.mallory.send('GET', '/apis/cluster.x-k8s.io/v1beta2/clusters'),
    },
  },
  {
    what: 'binds itself to cluster-admin',
    refused: {
      by: FORBIDDEN,
      request: (world) =>
        post(world, `/apis/${RBAC}/v1/namespaces/${ATTACKER}/rolebindings`, {
          apiVersion: `${RBAC}/v1`,
          kind: 'RoleBinding',
          metadata: { name: 'more', namespace: ATTACKER },
          subjects: [{ apiGroup: RBAC, kind: 'Group', name: 'system:authenticated' }],
          roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'cluster-admin' },
        }),
    },
  },
  {
    what: 'maps principals to groups in aws-auth',
    refused: {
      by: FORBIDDEN,
      request: (world) =>
        post(world, pathOf('kube-system', 'configmaps', 'v1'), {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'aws-auth', namespace: 'kube-system' },
          data: { mapRoles: '- rolearn: arn:aws:iam::000000000000:role/Mallory\n  groups: [system:masters]\n' },
        }),
    },
  },
  {
    what: 'creates an identity for another account',
    refused: {
      by: FORBIDDEN,
      request: (world) =>
        post(world, `/apis/${INFRASTRUCTURE}/awsclusterroleidentities`, {
          apiVersion: INFRASTRUCTURE,
          kind: 'AWSClusterRoleIdentity',
          metadata: { name: 'mine' },
          spec: { roleARN: 'arn:aws:iam::111111111111:role/any', allowedNamespaces: {} },
        }),
    },
  },
  {
    what: 'marks its namespace as one with more permissions',
    refused: {
      by: FORBIDDEN,
      request: (world) =>
        world.mallory.send(
          'PATCH',
          `/api/v1/namespaces/${ATTACKER}`,
          { metadata: { annotations: { 'windlass.dev/instance-profiles': '*' } } },
          MERGE,
        ),
    },
  },
  {
    what: 'writes an event about a machine of alice',
    refused: {
      by: FORBIDDEN,
      request: (world) =>
        post(world, pathOf(VICTIM, 'events', 'v1'), {
          apiVersion: 'v1',
          kind: 'Event',
          metadata: { name: 'lie', namespace: VICTIM },
          involvedObject: { kind: 'Machine', name: world.victim.machine.metadata.name, namespace: VICTIM },
        }),
    },
  },
];

export const ADMISSION: readonly Attack[] = [...memories, ...controllersFields, ...rights];
