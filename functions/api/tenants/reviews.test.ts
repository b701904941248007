import { beforeEach, describe, expect, it } from 'vitest';
import { ARN, binding, clusterBinding, clusterRole, createTestApi, group, RBAC, user } from '../test-api.ts';

const AUTHORIZATION = '/apis/authorization.k8s.io/v1';
const SELF = `${AUTHORIZATION}/selfsubjectaccessreviews`;
const SECRETS = { group: '', resource: 'secrets', namespace: 'default' };

let world: ReturnType<typeof createTestApi>;
beforeEach(async () => {
  world = createTestApi();
  await world.admin.ask('POST', `${RBAC}/namespaces/default/rolebindings`, binding('e', user('Editor'), 'edit'));
});

const statusOf = async (who: ReturnType<typeof world.user>, path: string, spec: object) => {
  const { code, body } = await who.ask('POST', path, { spec });
  expect(code, body.message).toBe(201);
  return body.status;
};

describe("a review of the user's own rights", () => {
  it('says what is enforced, and names the binding that allows it', async () => {
    const ask = (resourceAttributes: object) => statusOf(world.user('Editor'), SELF, { resourceAttributes });
    expect(await ask({ ...SECRETS, verb: 'delete' })).toEqual({
      allowed: true,
      reason: `RBAC: allowed by RoleBinding "e/default" of ClusterRole "edit" to User "${ARN('Editor')}"`,
    });
    expect(await ask({ ...SECRETS, verb: 'delete', namespace: 'other' })).toEqual({ allowed: false });
    expect(await ask({ ...SECRETS, verb: 'delete', namespace: '' })).toEqual({ allowed: false });
    expect(await ask({ verb: '*', group: '*', resource: '*', namespace: 'default' })).toEqual({ allowed: false });
    expect(await statusOf(world.admin, SELF, { resourceAttributes: { verb: '*', group: '*', resource: '*' } })).toEqual(
      {
        allowed: true,
      },
    );
    expect(
      await statusOf(world.user('X'), SELF, { nonResourceAttributes: { verb: 'get', path: '/apis/x/v1' } }),
    ).toMatchObject({
      allowed: true,
    });
  });

  it('names bound roles that do not exist', async () => {
    await world.admin.ask('POST', `${RBAC}/clusterrolebindings`, clusterBinding('x', user('Lost'), 'gone'));
    expect(await statusOf(world.user('Lost'), SELF, { resourceAttributes: { ...SECRETS, verb: 'get' } })).toEqual({
      allowed: false,
      reason: 'RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found',
    });
  });

  it('lists all rules for a namespace', async () => {
    const { resourceRules, nonResourceRules, incomplete } = await statusOf(
      world.user('Editor'),
      `${AUTHORIZATION}/selfsubjectrulesreviews`,
      { namespace: 'default' },
    );
    expect(incomplete).toBe(false);
    expect(resourceRules).toContainEqual(expect.objectContaining({ apiGroups: [''], resources: ['secrets'] }));
    expect(nonResourceRules).toContainEqual(
      expect.objectContaining({ nonResourceURLs: expect.arrayContaining(['/api']) }),
    );
  });
});

describe('a review of the rights of others', () => {
  const spec = {
    user: ARN('Editor'),
    groups: ['system:authenticated'],
    resourceAttributes: { ...SECRETS, verb: 'get' },
  };

  it('is available to admins', async () => {
    const path = `${AUTHORIZATION}/subjectaccessreviews`;
    expect(await statusOf(world.admin, path, spec)).toMatchObject({ allowed: true });
    expect(await statusOf(world.admin, path, { ...spec, user: 'nobody' })).toEqual({ allowed: false });
    expect((await world.admin.ask('POST', path, { spec: { ...spec, user: '', groups: [] } })).code).toBe(422);
    expect((await world.user('Editor').ask('POST', path, { spec })).body.message).toBe(
      `subjectaccessreviews.authorization.k8s.io is forbidden: User "${ARN('Editor')}" cannot create resource "subjectaccessreviews" in API group "authorization.k8s.io" at the cluster scope`,
    );
  });

  it('is available to admins of a namespace, for this namespace only', async () => {
    await world.admin.ask('POST', `${RBAC}/namespaces/default/rolebindings`, binding('o', user('Owner'), 'admin'));
    const path = `${AUTHORIZATION}/namespaces/default/localsubjectaccessreviews`;
    expect(await statusOf(world.user('Owner'), path, spec)).toMatchObject({ allowed: true });
    const elsewhere = { ...spec, resourceAttributes: { ...spec.resourceAttributes, namespace: 'other' } };
    expect((await world.user('Owner').ask('POST', path, { spec: elsewhere })).code).toBe(422);
  });
});

describe('resource names in a rule', () => {
  it('limit what it allows, including lists with a selector for one name', async () => {
    const rule = {
      verbs: ['get', 'list', 'watch'],
      apiGroups: [''],
      resources: ['configmaps'],
      resourceNames: ['one'],
    };
    await world.admin.ask('POST', `${RBAC}/clusterroles`, clusterRole('one', rule));
    await world.admin.ask('POST', `${RBAC}/clusterrolebindings`, clusterBinding('one', user('Reader'), 'one'));
    const path = '/api/v1/namespaces/default/configmaps';
    const codes = ['/one', '/two', '', '?fieldSelector=metadata.name=one', '?fieldSelector=metadata.name!%3Done'].map(
      async (end) => (await world.user('Reader').ask('GET', path + end)).code,
    );
    expect(await Promise.all(codes)).toEqual([404, 403, 403, 200, 403]);
  });
});

describe('impersonation', () => {
  const as = (headers: Record<string, string>) => ['/api/v1/namespaces/default/secrets', undefined, headers] as const;

  it('gives admins only the rights of the other user', async () => {
    expect((await world.admin.ask('GET', ...as({ 'impersonate-user': ARN('Editor') }))).code).toBe(200);
    expect((await world.admin.ask('GET', ...as({ 'impersonate-user': 'jane' }))).body.message).toContain(
      'User "jane" cannot list',
    );
    const masters = { 'impersonate-user': 'jane', 'impersonate-group': 'a, system:masters' };
    expect((await world.admin.ask('GET', ...as(masters))).code).toBe(200);
  });

  it('is refused, and never ignored, without a rule that allows it', async () => {
    expect((await world.user('Editor').ask('GET', ...as({ 'impersonate-user': 'jane' }))).body.message).toBe(
      `users "jane" is forbidden: User "${ARN('Editor')}" cannot impersonate resource "users" in API group "" at the cluster scope`,
    );
    expect((await world.admin.ask('GET', ...as({ 'impersonate-group': 'x' }))).code).toBe(400);
    const rule = { verbs: ['impersonate'], apiGroups: [''], resources: ['users'] };
    await world.admin.ask('POST', `${RBAC}/clusterroles`, clusterRole('actor', rule));
    await world.admin.ask('POST', `${RBAC}/clusterrolebindings`, clusterBinding('a', group('actors'), 'actor'));
    const actor = world.user('Actor', ['actors']);
    expect((await actor.ask('GET', ...as({ 'impersonate-user': ARN('Editor') }))).code).toBe(200);
    const more = { 'impersonate-user': ARN('Editor'), 'impersonate-group': 'system:masters' };
    expect((await actor.ask('GET', ...as(more))).body.message).toContain('cannot impersonate resource "groups"');
    const extra = { 'impersonate-user': ARN('Editor'), 'impersonate-extra-scopes': 'all' };
    expect((await actor.ask('GET', ...as(extra))).body.message).toContain(
      'cannot impersonate resource "userextras/scopes"',
    );
    expect((await actor.ask('GET', ...as({ 'impersonate-user': 'system:serviceaccount:a:b' }))).body.message).toContain(
      'serviceaccounts "b" is forbidden',
    );
  });

  it.each([
    ['foo%zz', 'foo%zz'],
    ['a%2fb', 'a/b'],
  ])('with the extra field %s needs a rule for %s', async (header, field) => {
    const headers = { 'impersonate-user': ARN('Editor'), [`impersonate-extra-${header}`]: 'x' };
    expect((await world.admin.ask('GET', ...as(headers))).code).toBe(200);
    const rule = { verbs: ['impersonate'], apiGroups: [''], resources: ['users'] };
    await world.admin.ask('POST', `${RBAC}/clusterroles`, clusterRole('actor', rule));
    await world.admin.ask('POST', `${RBAC}/clusterrolebindings`, clusterBinding('a', group('actors'), 'actor'));
    const { code, body } = await world.user('Actor', ['actors']).ask('GET', ...as(headers));
    expect(code).toBe(403);
    expect(body.message).toContain(`cannot impersonate resource "userextras/${field}"`);
  });
});
