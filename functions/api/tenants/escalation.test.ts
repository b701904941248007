import { beforeEach, describe, expect, it } from 'vitest';
import { ARN, binding, clusterBinding, clusterRole, createTestApi, RBAC, user } from '../test-api.ts';

const ROLES = `${RBAC}/namespaces/default/roles`;
const BINDINGS = `${RBAC}/namespaces/default/rolebindings`;
const role = (name: string, ...rules: object[]) => ({ ...clusterRole(name, ...rules), kind: 'Role' });
const SECRETS = { verbs: ['get', 'list'], apiGroups: [''], resources: ['secrets'] };
const CLUSTER_ROLES = { apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'] };

let world: ReturnType<typeof createTestApi>;
let owner: ReturnType<typeof world.user>;
beforeEach(async () => {
  world = createTestApi();
  owner = world.user('Owner');
  await world.admin.ask('POST', BINDINGS, binding('owner', user('Owner'), 'admin'));
});

describe('the administrator of a namespace', () => {
  it('can grant rights that they hold', async () => {
    expect((await owner.ask('POST', ROLES, role('reader', SECRETS))).code).toBe(201);
    expect((await owner.ask('POST', BINDINGS, binding('reader', user('Friend'), 'reader', 'Role'))).code).toBe(201);
    expect((await owner.ask('POST', BINDINGS, binding('edit', user('Friend'), 'edit'))).code).toBe(201);
    expect((await world.user('Friend').ask('GET', '/api/v1/namespaces/default/secrets')).code).toBe(200);
  });

  it('cannot write rights that they lack into a role', async () => {
    const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
    const more = { verbs: ['get'], apiGroups: [''], resources: ['secrets', 'nodes'], resourceNames: ['a'] };
    const { code, body } = await owner.ask('POST', ROLES, role('more', everything, more));
    expect([code, body.message]).toEqual([
      403,
      `roles.rbac.authorization.k8s.io "more" is forbidden: user "${ARN('Owner')}" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n` +
        '{APIGroups:[""], Resources:["nodes"], ResourceNames:["a"], Verbs:["get"]}\n' +
        '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}',
    ]);
    await owner.ask('POST', ROLES, role('less', SECRETS));
    expect((await owner.ask('PATCH', `${ROLES}/less`, { rules: [more] })).code).toBe(403);
    expect((await owner.ask('PUT', `${ROLES}/less?dryRun=All`, role('less', more))).code).toBe(403);
    const apply = { 'content-type': 'application/apply-patch+yaml' };
    for (const name of ['less', 'new'])
      expect(
        (await owner.ask('PATCH', `${ROLES}/${name}?fieldManager=me&force=true`, role(name, more), apply)).code,
      ).toBe(403);
    expect((await owner.ask('PATCH', `${ROLES}/good?fieldManager=me`, role('good', SECRETS), apply)).code).toBe(201);
    expect((await owner.ask('PATCH', `${ROLES}/less`, { metadata: { finalizers: ['a.b/c'] } })).code).toBe(200);
  });

  it('cannot bind a role with more rights, or one that does not exist', async () => {
    expect((await owner.ask('POST', BINDINGS, binding('x', user('Owner'), 'cluster-admin'))).code).toBe(403);
    expect(await owner.ask('POST', BINDINGS, binding('x', user('Owner'), 'nothing'))).toMatchObject({
      code: 404,
      body: { message: 'clusterroles.rbac.authorization.k8s.io "nothing" not found' },
    });
  });
});

describe('the verbs escalate and bind', () => {
  beforeEach(async () => {
    const rules = [
      { ...CLUSTER_ROLES, verbs: ['create', 'update', 'escalate'] },
      { ...CLUSTER_ROLES, verbs: ['bind'], resourceNames: ['view'] },
      { apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterrolebindings'], verbs: ['create'] },
    ];
    await world.admin.ask('POST', `${RBAC}/clusterroles`, clusterRole('architect', ...rules));
    await world.admin.ask('POST', `${RBAC}/clusterrolebindings`, clusterBinding('a', user('Architect'), 'architect'));
  });

  it('let a user grant rights that they lack', async () => {
    const architect = world.user('Architect');
    expect((await architect.ask('POST', `${RBAC}/clusterroles`, clusterRole('new', SECRETS))).code).toBe(201);
    const bind = (name: string) =>
      architect.ask('POST', `${RBAC}/clusterrolebindings`, clusterBinding(name, user('Friend'), name));
    expect([(await bind('view')).code, (await bind('new')).code]).toEqual([201, 403]);
  });
});

it('only users with all rights may write an aggregated role', async () => {
  const rules = [{ ...CLUSTER_ROLES, verbs: ['create'] }];
  await world.admin.ask('POST', `${RBAC}/clusterroles`, clusterRole('maker', ...rules));
  await world.admin.ask('POST', `${RBAC}/clusterrolebindings`, clusterBinding('m', user('Maker'), 'maker'));
  const aggregating = { ...clusterRole('all'), aggregationRule: { clusterRoleSelectors: [{}] } };
  expect((await world.user('Maker').ask('POST', `${RBAC}/clusterroles`, aggregating)).body.message).toContain(
    'must have cluster-admin privileges to use an aggregationRule',
  );
});
