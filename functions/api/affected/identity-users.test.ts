import { expect, it } from 'vitest';
import { KINDS } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { identityUsers, type ReadEverywhere } from '../../providers/aws/api/identity-users.ts';

const object = (kind: string, name: string, spec: object, namespace?: string) =>
  ({ kind, metadata: { name, namespace, uid: `uid-${name}` }, spec }) as unknown as KubeObject;
const ref = (kind: string, name: string) => ({ kind, name });
const CONTROLLER = ref('AWSClusterControllerIdentity', 'default');
const ROLE = 'AWSClusterRoleIdentity';
const STATIC = 'AWSClusterStaticIdentity';

const clusterOf = (name: string, identityRef: object) => [
  object('Cluster', name, { infrastructureRef: { kind: 'AWSCluster', name: `${name}-aws` } }, name),
  object('AWSCluster', `${name}-aws`, { identityRef }, name),
];

const STORED = [
  object(STATIC, 'user', { secretRef: 'key' }),
  object(ROLE, 'hub', { sourceIdentityRef: ref(STATIC, 'user') }),
  object(ROLE, 'spoke', { sourceIdentityRef: ref(ROLE, 'hub') }),
  object(ROLE, 'circle', { sourceIdentityRef: ref(ROLE, 'circle') }),
  ...clusterOf('red', CONTROLLER),
  ...clusterOf('green', ref(ROLE, 'spoke')),
  ...clusterOf('blue', ref(STATIC, 'user')),
  ...clusterOf('grey', ref(ROLE, 'circle')),
];

const users = async (kind: string, name: string, namespace?: string): Promise<string[]> => {
  const resource = KINDS.find((one) => one.kind === kind);
  if (!resource) throw new Error(kind);
  const read = (async ({ kind: wanted }) => STORED.filter((one) => one.kind === wanted)) as ReadEverywhere;
  const found = await identityUsers({ resource, object: object(kind, name, {}, namespace) }, read);
  return found.map(({ metadata }) => metadata.name);
};

it('finds the clusters that use an identity in all namespaces, directly or through a role identity', async () => {
  expect(await users('AWSClusterControllerIdentity', 'default')).toEqual(['red']);
  expect(await users(ROLE, 'hub')).toEqual(['green']);
  expect(await users(STATIC, 'user')).toEqual(['green', 'blue']);
  expect(await users(ROLE, 'circle')).toEqual(['grey']);
});

it('finds the clusters whose access key is in a Secret, but only in the namespace for such Secrets', async () => {
  expect(await users('Secret', 'key', 'capa-system')).toEqual(['green', 'blue']);
  expect(await users('Secret', 'key', 'red')).toEqual([]);
  expect(await users('Secret', 'other', 'capa-system')).toEqual([]);
});
