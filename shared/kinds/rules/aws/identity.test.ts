import { describe, expect, it } from 'vitest';
import { awsClusterControllerIdentity } from '../../aws-cluster-controller-identity/definition.ts';
import { awsClusterRoleIdentity } from '../../aws-cluster-role-identity/definition.ts';
import { awsClusterStaticIdentity } from '../../aws-cluster-static-identity/definition.ts';
import { admit, refusals } from '../../test-admission.ts';

const identity = (kind: string, spec: object, metadata: object = { name: 'default' }) => ({
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind,
  metadata,
  spec,
});

const sourceIdentityRef = { kind: 'AWSClusterControllerIdentity', name: 'default' };
const role = (spec: object) => identity('AWSClusterRoleIdentity', { roleARN: 'arn:aws:iam::1:role/a', ...spec });
const controller = (spec: object) => identity('AWSClusterControllerIdentity', spec);
const user = (spec: object) => identity('AWSClusterStaticIdentity', spec);

describe('identities', () => {
  it('get the label by which clusterctl moves them, if they have no other labels', () => {
    expect(admit(awsClusterStaticIdentity, user({ secretRef: 'key' })).metadata.labels).toEqual({
      'clusterctl.cluster.x-k8s.io/move-hierarchy': '',
    });
    const labelled = identity('AWSClusterStaticIdentity', { secretRef: 'key' }, { name: 'a', labels: { own: '1' } });
    expect(admit(awsClusterStaticIdentity, labelled).metadata.labels).toEqual({ own: '1' });
  });

  it('may be allowed in no namespace, in all, or in those of a list and a selector', () => {
    for (const allowedNamespaces of [
      null,
      {},
      { list: null },
      { list: ['a'], selector: { matchLabels: { a: 'b' } } },
    ]) {
      expect(refusals(awsClusterControllerIdentity, controller({ allowedNamespaces }))).toEqual([]);
    }
    const allowedNamespaces = { selector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } };
    for (const [definition, object] of [
      [awsClusterControllerIdentity, controller({ allowedNamespaces })],
      [awsClusterRoleIdentity, role({ sourceIdentityRef, allowedNamespaces })],
      [awsClusterStaticIdentity, user({ secretRef: 'key', allowedNamespaces })],
    ] as const) {
      expect(refusals(definition as typeof awsClusterStaticIdentity, object)).toEqual([
        expect.stringMatching(/^spec.allowedNamespaces.selector: .*"Near" is not a valid label selector operator$/),
      ]);
    }
  });
});

describe('AWSClusterControllerIdentity', () => {
  it('must be named default, and is immutable', () => {
    const old = admit(awsClusterControllerIdentity, controller({ allowedNamespaces: {} }));
    expect(refusals(awsClusterControllerIdentity, controller({}), old)).toEqual([
      'spec: Forbidden: AWSClusterControllerIdentity is immutable',
    ]);
    expect(refusals(awsClusterControllerIdentity, { ...controller({}), metadata: { name: 'other' } })).toEqual([
      'name: Invalid value: "other": AWSClusterControllerIdentity is a singleton and only acceptable name is default',
    ]);
  });
});

describe('AWSClusterRoleIdentity', () => {
  it('requires a source identity, and lasts from a quarter of an hour to twelve hours', () => {
    expect(refusals(awsClusterRoleIdentity, role({ sourceIdentityRef, durationSeconds: 900 }))).toEqual([]);
    expect(refusals(awsClusterRoleIdentity, role({}))).toEqual([
      'spec.sourceIdentityRef: Invalid value: null: field cannot be set to nil',
    ]);
    expect(refusals(awsClusterRoleIdentity, role({ sourceIdentityRef, durationSeconds: 43201 }))[0]).toContain(
      'should be less than or equal to 43200',
    );
  });
});

describe('AWSClusterStaticIdentity', () => {
  it('refuses to change its secret', () => {
    const old = admit(awsClusterStaticIdentity, user({ secretRef: 'key' }));
    expect(refusals(awsClusterStaticIdentity, user({ secretRef: 'other' }), old)).toEqual([
      'spec.secretRef: Invalid value: "other": field cannot be updated',
    ]);
  });
});
