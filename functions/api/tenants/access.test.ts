import { beforeEach, describe, expect, it } from 'vitest';
import { ARN, binding, clusterBinding, clusterRole, createTestApi, group, RBAC, user } from '../test-api.ts';

const MACHINES = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machines';
const SECRETS = '/api/v1/namespaces/default/secrets';
const SYSTEM = '/api/v1/namespaces/kube-system/configmaps';
const BINDINGS = `${RBAC}/namespaces/default/rolebindings`;

let world: ReturnType<typeof createTestApi>;
beforeEach(() => {
  world = createTestApi();
});

const give = async (role: string, to: object, namespace?: string): Promise<void> => {
  const name = `${role}-${JSON.stringify(to).length}`;
  const { code, body } = namespace
    ? await world.admin.ask('POST', `${RBAC}/namespaces/${namespace}/rolebindings`, binding(name, to, role))
    : await world.admin.ask('POST', `${RBAC}/clusterrolebindings`, clusterBinding(name, to, role));
  expect(code, body.message).toBe(201);
};

const secret = (name: string) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name } });
const refused = { code: 403, body: { reason: 'Forbidden' } };

describe('a principal without any binding', () => {
  it('can discover the API, and read nothing else', async () => {
    const nobody = world.user('Nobody');
    for (const path of ['/api', '/apis', '/apis/cluster.x-k8s.io/v1beta2', '/openapi/v3', '/version'])
      expect((await nobody.send('GET', path)).status, path).toBe(200);
    const { code, body } = await nobody.ask('GET', MACHINES);
    expect([code, body.message, body.details]).toEqual([
      403,
      `machines.cluster.x-k8s.io is forbidden: User "${ARN('Nobody')}" cannot list resource "machines" in API group "cluster.x-k8s.io" in the namespace "default"`,
      { group: 'cluster.x-k8s.io', kind: 'machines' },
    ]);
  });

  it('is refused without an indication whether something exists', async () => {
    const nobody = world.user('Nobody');
    expect((await nobody.ask('GET', '/apis/no.such.group/v1/things/one')).body.message).toBe(
      `things.no.such.group "one" is forbidden: User "${ARN('Nobody')}" cannot get resource "things" in API group "no.such.group" at the cluster scope`,
    );
    expect((await nobody.ask('GET', '/metrics')).body.message).toBe(
      `forbidden: User "${ARN('Nobody')}" cannot get path "/metrics"`,
    );
  });
});

describe('the default roles', () => {
  it('let a viewer read everything but Secrets', async () => {
    await give('view', user('Viewer'));
    const viewer = world.user('Viewer');
    expect((await viewer.ask('GET', MACHINES)).code).toBe(200);
    expect((await viewer.ask('GET', '/apis/cluster.x-k8s.io/v1beta2/machines')).code).toBe(200);
    expect(await viewer.ask('GET', SECRETS)).toMatchObject(refused);
    expect(await viewer.ask('DELETE', MACHINES)).toMatchObject(refused);
  });

  it('let an editor write in one namespace, and nowhere else', async () => {
    await give('edit', user('Editor'), 'default');
    const editor = world.user('Editor');
    expect((await editor.ask('POST', SECRETS, secret('one'))).code).toBe(201);
    expect((await editor.ask('GET', '/api/v1/namespaces/default')).code).toBe(200);
    expect(await editor.ask('GET', '/api/v1/namespaces')).toMatchObject(refused);
    expect(await editor.ask('GET', '/api/v1/secrets')).toMatchObject(refused);
    expect(await editor.ask('GET', SECRETS.replace('default', 'kube-system'))).toMatchObject(refused);
    expect(await editor.ask('PATCH', `${MACHINES}/one/status`, {})).toMatchObject(refused);
    expect((await editor.ask('PATCH', `${MACHINES}/one`, {})).code).toBe(404);
    expect(await editor.ask('POST', BINDINGS, binding('x', user('Editor'), 'admin'))).toMatchObject(refused);
  });

  it('are complete, and are restored at a restart', async () => {
    const { body } = await world.admin.ask('GET', `${RBAC}/clusterroles/admin`);
    expect(JSON.stringify(body.rules)).toMatch(/secrets.*machinedeployments\/scale.*rolebindings/);
    await world.admin.ask('DELETE', `${RBAC}/clusterroles/system:aggregate-to-edit`);
    expect(JSON.stringify((await world.admin.ask('GET', `${RBAC}/clusterroles/edit`)).body.rules)).not.toContain(
      'secrets',
    );
    const restarted = world.user('WindlassAdmin', ['system:masters'], world.another());
    expect(JSON.stringify((await restarted.ask('GET', `${RBAC}/clusterroles/edit`)).body.rules)).toContain('secrets');
  });

  it('aggregate the roles with their label', async () => {
    const labelled = clusterRole('more', { verbs: ['get'], apiGroups: ['x'], resources: ['y'] });
    const labels = { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' };
    await world.admin.ask('POST', `${RBAC}/clusterroles`, { ...labelled, metadata: { name: 'more', labels } });
    const { body } = await world.admin.ask('GET', `${RBAC}/clusterroles/admin`);
    expect(body.rules).toContainEqual({ verbs: ['get'], apiGroups: ['x'], resources: ['y'] });
  });
});

describe('a revoked right', () => {
  it('ends immediately in the process that revokes it, and after ten seconds in all others', async () => {
    await give('view', user('Viewer'), 'default');
    const [here, there] = [world.user('Viewer'), world.user('Viewer', [], world.another())];
    expect([(await here.ask('GET', MACHINES)).code, (await there.ask('GET', MACHINES)).code]).toEqual([200, 200]);
    await world.admin.ask('DELETE', BINDINGS);
    expect([(await here.ask('GET', MACHINES)).code, (await there.ask('GET', MACHINES)).code]).toEqual([403, 200]);
    world.wait(10_000);
    expect((await there.ask('GET', MACHINES)).code).toBe(403);
  });

  it('ends an open watch', async () => {
    await give('view', user('Viewer'), 'default');
    const response = await world.user('Viewer').send('GET', `${MACHINES}?watch=true&timeoutSeconds=800`);
    const text = response.text();
    await world.admin.ask('DELETE', BINDINGS);
    const before = world.wait(0);
    await text;
    expect(world.wait(0) - before).toBeLessThan(30_000);
  });

  it.each([
    ['the mapping of the principal', `${SYSTEM}/aws-auth`, {}],
    ['the right to impersonate', `${RBAC}/clusterrolebindings/deputies`, { 'impersonate-user': ARN('Mia') }],
  ])('ends an open watch if it concerns %s', async (_, revoked, headers) => {
    const data = { mapRoles: `- rolearn: ${ARN('Viewer')}\n  groups: [ops]\n` };
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'aws-auth' }, data };
    await world.admin.ask('POST', SYSTEM, map);
    const deputy = clusterRole('deputy', { apiGroups: [''], resources: ['users'], verbs: ['impersonate'] });
    await world.admin.ask('POST', `${RBAC}/clusterroles`, deputy);
    const deputies = clusterBinding('deputies', user('Viewer'), 'deputy');
    await world.admin.ask('POST', `${RBAC}/clusterrolebindings`, deputies);
    await give('view', group('ops'), 'default');
    await give('view', user('Mia'), 'default');
    const path = `${MACHINES}?watch=true&timeoutSeconds=800`;
    const response = await world.user('Viewer').send('GET', path, undefined, headers);
    expect(response.status).toBe(200);
    const text = response.text();
    expect((await world.admin.ask('DELETE', revoked)).code).toBe(200);
    const before = world.wait(0);
    await text;
    expect(world.wait(0) - before).toBeLessThan(30_000);
  });
});

describe('kube-system/aws-auth', () => {
  const map = (data: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'aws-auth' }, data });
  const mapRoles = `- rolearn: ${ARN('team/Mapped')}\n  username: mia\n  groups: [ops]\n`;

  it('maps principals to groups and names', async () => {
    expect((await world.admin.ask('POST', SYSTEM, map({ mapRoles }))).code).toBe(201);
    await give('view', group('ops'));
    expect((await world.user('Mapped').ask('GET', MACHINES)).code).toBe(200);
    const { body } = await world.user('Mapped').ask('GET', SECRETS);
    expect(body.message).toContain('User "mia" cannot list resource "secrets"');
    expect(await world.user('Other').ask('GET', MACHINES)).toMatchObject(refused);
  });

  it('is refused if it cannot be parsed', async () => {
    const wrong = map({ mapRoles: '- rolearn: nobody\n', mapUsers: 'a: [', mapAccounts: '[]' });
    const { code, body } = await world.admin.ask('POST', SYSTEM, wrong);
    expect([code, body.details.causes.map(({ field }: { field: string }) => field)]).toEqual([
      422,
      ['data[mapRoles][0]', 'data[mapUsers]', 'data[mapAccounts]'],
    ]);
  });

  it('can only be written by users with all rights', async () => {
    await give('edit', user('Editor'));
    const { code, body } = await world.user('Editor').ask('POST', SYSTEM, map({ mapRoles }));
    expect([code, body.message]).toEqual([
      403,
      expect.stringContaining('attempting to grant RBAC permissions not currently held'),
    ]);
    await give('cluster-admin', user('Admin'));
    expect((await world.user('Admin').ask('POST', SYSTEM, map({ mapRoles }))).code).toBe(201);
  });

  it('cannot be deleted by others, alone, in a collection or by garbage collection', async () => {
    await world.admin.ask('POST', SYSTEM, map({ mapRoles }));
    await give('edit', user('Editor'));
    const editor = world.user('Editor');
    const one = `${SYSTEM}/aws-auth`;
    const message = expect.stringContaining('RBAC permissions not currently held');
    const denied = { code: 403, body: { message } };
    expect(await editor.ask('DELETE', one)).toMatchObject(denied);
    expect(await editor.ask('DELETE', one, { dryRun: ['All'] })).toMatchObject(denied);
    expect(await editor.ask('DELETE', SYSTEM)).toMatchObject(denied);
    const gone = { apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: '1' };
    expect(await editor.ask('PATCH', one, { metadata: { ownerReferences: [gone] } })).toMatchObject(denied);
    expect((await world.admin.ask('GET', one)).code).toBe(200);
    await give('cluster-admin', user('Admin'));
    expect((await world.user('Admin').ask('DELETE', one)).code).toBe(200);
  });
});
