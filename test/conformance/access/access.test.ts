import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMIT } from '../../../shared/test-patience.ts';
import { npmStart, type Started, stop, until, whenReady } from '../quickstart/windlass.ts';
import { assume, type Person } from './people.ts';

/**
 * Tests permissions as users see them: with the stock kubectl, the stock `aws eks get-token`, several IAM roles and one
 * admin.
 */

let windlass: Started;
let admin: Person;
let editor: Person;
let viewer: Person;
let owner: Person;

beforeAll(async () => {
  windlass = npmStart();
  await whenReady(windlass);
  [admin, editor, viewer, owner] = (await Promise.all(
    ['WindlassAdmin', 'Editor', 'Viewer', 'Owner'].map((role) => assume(windlass, role)),
  )) as [Person, Person, Person, Person];
}, LIMIT);
afterAll(() => stop(windlass), LIMIT);

const ok = async (person: Person, line: string, ...input: string[]): Promise<string> => {
  const result = await person.kubectl(line, ...input);
  expect(result, `${line}: ${result.stderr}`).toMatchObject({ code: 0 });
  return result.stdout;
};
const fails = async (person: Person, line: string, ...input: string[]): Promise<string> => {
  const result = await person.kubectl(line, ...input);
  expect(result.code, result.stdout).not.toBe(0);
  return result.stderr;
};

const template = (name: string): string =>
  JSON.stringify({
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSMachineTemplate',
    metadata: { name },
    spec: { template: { spec: { instanceType: 't3.medium', sshKeyName: '' } } },
  });

// The tests run in order: an admin grants access to a new installation step by step.
describe('an installation', { timeout: LIMIT }, () => {
  it('shows a role without bindings only its own identity and what is served', async () => {
    const who = await ok(viewer, 'auth whoami');
    expect(who).toMatch(/Username +arn:aws:iam::000000000000:role\/Viewer\n/);
    expect(who).toMatch(/Groups +\[system:authenticated\]\n/);
    expect(await ok(viewer, 'api-resources')).toContain('machinedeployments');
    expect(await fails(viewer, 'get machines')).toBe(
      'Error from server (Forbidden): machines.cluster.x-k8s.io is forbidden: User "arn:aws:iam::000000000000:role/Viewer" cannot list resource "machines" in API group "cluster.x-k8s.io" in the namespace "default"\n',
    );
    expect(await fails(viewer, 'auth can-i list machines')).toBe('');
  });

  it('has the default roles of Kubernetes', async () => {
    const roles = await ok(admin, 'get clusterroles');
    expect(roles).toMatch(/^NAME +CREATED AT\n/);
    for (const name of ['admin', 'cluster-admin', 'edit', 'view', 'system:discovery'])
      expect(roles).toMatch(new RegExp(`^${name} +20\\d\\d-`, 'm'));
    expect(await ok(admin, 'get clusterrolebindings -o wide')).toMatch(
      /^cluster-admin +ClusterRole\/cluster-admin +\S+ +system:masters/m,
    );
    expect(await ok(admin, 'describe clusterrole edit')).toContain('machinedeployments.cluster.x-k8s.io/scale');
  });
});

describe('an admin', { timeout: LIMIT }, () => {
  it('creates a viewer of everything and an editor of one namespace', async () => {
    await ok(admin, `create clusterrolebinding viewers --clusterrole=view --user=${viewer.arn}`);
    await ok(admin, `create rolebinding editors --clusterrole=edit --user=${editor.arn}`);
    await ok(admin, 'create namespace team');
    await ok(admin, `create rolebinding owners -n team --clusterrole=admin --user=${owner.arn}`);
    expect(await ok(admin, 'get rolebinding editors -o wide')).toMatch(/ClusterRole\/edit +\S+ +arn:aws:iam.*Editor/);
  });

  it('gives a viewer access to everything but Secrets', async () => {
    await ok(viewer, 'get clusters,machines,configmaps -A');
    await ok(viewer, 'get clusters -A --chunk-size=1');
    expect(await ok(viewer, 'auth can-i get clusters --subresource=status')).toBe('yes\n');
    expect(await fails(viewer, 'get secrets')).toContain('cannot list resource "secrets" in API group ""');
    expect(await fails(viewer, 'apply', template('x'))).toContain('cannot create resource "awsmachinetemplates"');
    expect(await fails(viewer, 'label namespace default a=b')).toContain('cannot patch resource "namespaces"');
    const { stdout } = await viewer.kubectl('auth can-i delete clusters');
    expect(stdout).toBe('no\n');
  });

  it('gives an editor write access to one namespace', async () => {
    expect(await ok(editor, 'apply', template('x'))).toContain('created');
    await ok(editor, 'label awsmachinetemplate x a=b');
    await ok(editor, 'create secret generic made --from-literal=a=b');
    await ok(editor, 'delete awsmachinetemplates --all');
    expect(await fails(editor, 'apply -n team', template('y'))).toContain('in the namespace "team"');
    expect(await fails(editor, 'get secrets -A')).toContain('at the cluster scope');
    const list = await ok(editor, 'auth can-i --list');
    expect(list).toMatch(/^secrets +\[\] +\[\] +\[create delete deletecollection get list patch update watch\]/m);
  });

  it('delegates a namespace to an owner, who cannot grant permissions that they lack', async () => {
    await ok(owner, 'create role reader -n team --verb=get,list --resource=secrets');
    await ok(owner, `create rolebinding readers -n team --role=reader --user=${viewer.arn}`);
    await ok(viewer, 'get secrets -n team');
    expect(
      await fails(owner, `create rolebinding x -n team --clusterrole=cluster-admin --user=${owner.arn}`),
    ).toContain('is attempting to grant RBAC permissions not currently held:');
    expect(await fails(owner, `create rolebinding x --clusterrole=view --user=${owner.arn}`)).toContain(
      'cannot create resource "rolebindings" in API group "rbac.authorization.k8s.io" in the namespace "default"',
    );
  });

  it('can impersonate others', async () => {
    expect(await ok(admin, `auth can-i get secrets -n team --as=${viewer.arn}`)).toBe('yes\n');
    expect(await fails(admin, `get secrets --as=${viewer.arn}`)).toContain('cannot list resource "secrets"');
    expect(await fails(viewer, `get machines --as=${admin.arn}`)).toContain('cannot impersonate resource "users"');
  });

  it('applies roles and bindings from files', async () => {
    const policy = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: operators }
rules:
- { apiGroups: [cluster.x-k8s.io], resources: [machines], verbs: [get, list, delete] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: operators }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: operators }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: Group, name: operators }]
`;
    expect(await ok(admin, 'auth reconcile', policy)).toContain('operators reconciled');
    expect(await ok(admin, 'apply', policy)).toContain('clusterrolebinding.rbac.authorization.k8s.io/operators');
    expect(await ok(admin, 'auth reconcile', policy)).toContain('operators reconciled');
  });

  it('maps principals to groups as on EKS', async () => {
    const map = `apiVersion: v1
kind: ConfigMap
metadata: { name: aws-auth, namespace: kube-system }
data:
  mapRoles: |
    - rolearn: ${owner.arn}
      username: olga
      groups: [operators]
`;
    await ok(admin, 'apply', map);
    expect(await ok(owner, 'auth whoami')).toMatch(/Username +olga\nUID.*\nGroups +\[operators system:authenticated\]/);
    await ok(owner, 'get machines -A');
    expect(await fails(admin, 'apply', map.replace('rolearn', 'role'))).toContain('data[mapRoles][0]: Invalid value');
    expect(await fails(editor, 'apply', map)).toContain('configmaps "aws-auth" is forbidden');
  });

  it('revokes a permission, even of an open watch', async () => {
    const watching = viewer.start('get clusters -w -v=6');
    await until('the watch is open', () => /watch=true.* 200 OK/.test(watching.said()));
    await ok(admin, 'delete clusterrolebinding viewers');
    // functions/api/tenants/access.test.ts verifies the ten seconds with a test clock.
    await until('lists are refused', async () => (await viewer.kubectl('get clusters')).code !== 0);
    expect((await watching.ended).code).toBe(0);
  });
});
