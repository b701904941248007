import { describe, expect, it } from 'vitest';
import { gizmo } from '../../../shared/kube-api/test-kinds.ts';
import { PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import { hasKubectl } from './kubectl.ts';
import { useKubectl } from './use-kubectl.ts';

describe.skipIf(!hasKubectl() && process.env.CI !== 'true')('kubectl and the API machinery', () => {
  const suite = useKubectl();
  const { ok } = suite;

  /** Creates a gizmo and a ConfigMap that it owns. */
  const family = async (name: string): Promise<void> => {
    await ok('create -f -', gizmo(name));
    const uid = await ok(`get gizmo ${name} -o jsonpath={.metadata.uid}`);
    const owner = { apiVersion: 'toys.windlass.dev/v1beta2', kind: 'Gizmo', name, uid, blockOwnerDeletion: true };
    const metadata = { name: `${name}-part`, namespace: 'default', ownerReferences: [owner] };
    await ok('create -f -', { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  };
  const parts = () => ok('get configmaps -o name');

  it('explains fields with the OpenAPI v2 document', async () => {
    expect(await ok('explain gizmo.spec --output=plaintext-openapiv2')).toMatch(/version\t<string> -required-/);
  });

  it('reads CustomResourceDefinitions but cannot write them', async () => {
    expect(await ok('get crds')).toMatch(/^NAME +CREATED AT\ngizmos\.toys\.windlass\.dev +1970-01-01T00:00:00Z\n$/);
    expect(await ok('wait --for=condition=Established crd/gizmos.toys.windlass.dev')).toContain('condition met');
    const { code, stderr } = await suite.kubectl.run(['delete', 'crd', 'gizmos.toys.windlass.dev']);
    expect(code).toBe(1);
    expect(stderr).toContain('can only be read');
  });

  it.each([
    ['background', false],
    ['foreground', false],
    ['orphan', true],
  ])('deletes with --cascade=%s', async (policy, stays) => {
    await family(policy);
    await ok(`delete gizmo ${policy} --cascade=${policy} --timeout=${PATIENCE_SECONDS}s`);
    expect((await parts()).includes(`configmap/${policy}-part`)).toBe(stays);
  });

  it('deletes all objects that match', async () => {
    await family('first');
    await ok('label gizmo first batch=one');
    await ok('delete gizmos -l batch=one');
    expect(await parts()).not.toContain('first-part');
  });

  it('shows events', async () => {
    const involvedObject = {
      apiVersion: 'toys.windlass.dev/v1beta2',
      kind: 'Gizmo',
      name: 'shown',
      namespace: 'default',
      uid: 'u-1',
    };
    const times = { firstTimestamp: '2026-01-01T00:00:00Z', lastTimestamp: '2026-01-01T00:00:00Z' };
    const told = { type: 'Normal', reason: 'Built', message: 'all parts are there', count: 1, ...times };
    await ok('create -f -', {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'shown.1' },
      involvedObject,
      ...told,
    });
    expect(await ok('events --for gizmo/shown')).toContain('all parts are there');
    expect(await ok('get events --field-selector involvedObject.name=nobody -o name')).toBe('');
  });
});
