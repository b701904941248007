import { describe, expect, it } from 'vitest';
import { createTestServer } from '../../../../shared/kube-api/server/test-server.ts';
import { anyObjects } from '../../../../shared/workload/any-object.ts';
import { WORKLOAD_KINDS } from './served-kinds.ts';

/** One example of each kind in the manifests of CSI drivers, cloud controller managers and CNI plugins. */
const BROUGHT: [apiVersion: string, kind: string][] = [
  ['storage.k8s.io/v1', 'CSIDriver'],
  ['storage.k8s.io/v1', 'CSINode'],
  ['storage.k8s.io/v1', 'StorageClass'],
  ['scheduling.k8s.io/v1', 'PriorityClass'],
  ['policy/v1', 'PodDisruptionBudget'],
  ['networking.k8s.io/v1', 'NetworkPolicy'],
  ['networking.k8s.io/v1', 'IngressClass'],
  ['admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration'],
  ['admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration'],
  ['apps/v1', 'StatefulSet'],
  ['batch/v1', 'Job'],
];

describe('a simulated workload cluster', () => {
  it.each(BROUGHT)('serves kinds that add-ons contain: %s %s', async (apiVersion, kind) => {
    const { call } = await createTestServer({ resources: WORKLOAD_KINDS });
    const { create, read } = anyObjects(async ({ method, path, body }) => {
      const type = { 'content-type': body?.type ?? 'application/json' };
      const answer = await call(method, path, body && JSON.stringify(body.value), type);
      return { code: answer.code, text: JSON.stringify(answer.body) };
    });
    const object = { apiVersion, kind, metadata: { name: 'one' }, spec: { any: 'thing' } };
    await create(object);
    expect(await read(object)).toMatchObject({ kind, spec: { any: 'thing' } });
  });
});
