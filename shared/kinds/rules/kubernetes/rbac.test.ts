import { describe, expect, it } from 'vitest';
import { clusterRole } from '../../cluster-role/definition.ts';
import { clusterRoleBinding } from '../../cluster-role-binding/definition.ts';
import { role } from '../../role/definition.ts';
import { roleBinding } from '../../role-binding/definition.ts';
import type { RoleBinding } from '../../role-binding/schema.ts';
import { admit, refusals } from '../../test-admission.ts';

const GROUP = 'rbac.authorization.k8s.io';
const head = (kind: string) => ({ apiVersion: `${GROUP}/v1`, kind, metadata: { name: 'system:one' } });
const binding = (more: object = {}) => ({
  ...head('RoleBinding'),
  subjects: [{ kind: 'User', name: 'arn:aws:iam::000000000000:role/Team' }],
  roleRef: { kind: 'ClusterRole', name: 'view' },
  ...more,
});

describe('roles', () => {
  it.each([
    [{}, ['rules[0].verbs: Required value: verbs must contain at least one value', /apiGroups/, /resources/]],
    [
      { verbs: ['get'], apiGroups: [''] },
      ['rules[0].resources: Required value: resource rules must supply at least one resource'],
    ],
    [{ verbs: ['get'], nonResourceURLs: ['/a'] }, [/namespaced rules cannot apply to non-resource URLs/]],
  ])('are refused for what a rule lacks: %j', (rule, wanted) => {
    const found = refusals(role, { ...head('Role'), rules: [rule] });
    expect(found).toEqual(wanted.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line))));
  });

  it('may list non-resource URLs in cluster roles, but not together with resources', () => {
    const withRule = (rule: object) => ({ ...head('ClusterRole'), rules: [rule] });
    expect(refusals(clusterRole, withRule({ verbs: ['get'], nonResourceURLs: ['/a/*'] }))).toEqual([]);
    const mixed = { verbs: ['get'], nonResourceURLs: ['/a'], resources: ['x'] };
    expect(refusals(clusterRole, withRule(mixed))[0]).toContain('both regular resources and non-resource URLs');
  });

  it('must select the roles that they aggregate', () => {
    const aggregating = (...clusterRoleSelectors: object[]) => ({
      ...head('ClusterRole'),
      aggregationRule: { clusterRoleSelectors },
    });
    expect(refusals(clusterRole, aggregating({ matchLabels: { a: 'b' } }))).toEqual([]);
    expect(refusals(clusterRole, aggregating())[0]).toContain('at least one clusterRoleSelector required');
    const wrong = {
      matchExpressions: [
        { key: 'a', operator: 'In' },
        { key: 'a', operator: 'Is' },
      ],
    };
    expect(refusals(clusterRole, aggregating(wrong))).toEqual([
      expect.stringContaining('clusterRoleSelectors[0].matchExpressions[0].values: Required value'),
      expect.stringContaining('"Is": not a valid selector operator'),
    ]);
  });
});

describe('bindings', () => {
  it('get the only possible API group for subjects and roles by default', () => {
    const { subjects, roleRef } = admit<RoleBinding>(roleBinding, binding());
    expect([subjects?.[0]?.apiGroup, roleRef?.apiGroup]).toEqual([GROUP, GROUP]);
    const account = { kind: 'ServiceAccount', name: 'a', namespace: 'b' };
    expect(admit<RoleBinding>(roleBinding, binding({ subjects: [account] })).subjects).toEqual([account]);
  });

  it.each([
    [
      { roleRef: { kind: 'Thing', name: 'x' } },
      'roleRef.kind: Unsupported value: "Thing": supported values: "Role", "ClusterRole"',
    ],
    [{ roleRef: { kind: 'Role' } }, 'roleRef.name: Required value'],
    [{ subjects: [{ kind: 'User' }] }, 'subjects[0].name: Required value'],
    [
      { subjects: [{ kind: 'Robot', name: 'r' }] },
      'subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
    ],
    [
      { subjects: [{ kind: 'ServiceAccount', name: 'a', apiGroup: 'x' }] },
      'subjects[0].apiGroup: Unsupported value: "x": supported values: ""',
    ],
  ])('are refused with %j', (more, wanted) => {
    expect(refusals(roleBinding, binding(more))).toEqual([wanted]);
  });

  it('may refer only to cluster roles, and to accounts with a namespace, if they are cluster-wide', () => {
    const cluster = { ...binding(), ...head('ClusterRoleBinding'), roleRef: { kind: 'Role', name: 'x' } };
    const subjects = [{ kind: 'ServiceAccount', name: 'a' }];
    expect(refusals(clusterRoleBinding, { ...cluster, subjects })).toEqual([
      'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
      'subjects[0].namespace: Required value',
    ]);
  });

  it('may change their subjects, but not their role', () => {
    const old = admit<RoleBinding>(roleBinding, binding());
    expect(refusals(roleBinding, { ...old, subjects: [] }, old)).toEqual([]);
    const moved = { ...old, roleRef: { ...old.roleRef, name: 'admin' } };
    expect(refusals(roleBinding, moved, old)[0]).toMatch(/^roleRef: Invalid value: .*: cannot change roleRef$/);
  });

  it('show their role and their subjects in columns', () => {
    const cells = roleBinding.columns.map(({ value }) => value?.(binding() as never, new Date(0)));
    expect(cells).toEqual(['ClusterRole/view', undefined, 'arn:aws:iam::000000000000:role/Team', '', '']);
  });
});
