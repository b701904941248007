/** Server-side apply by several appliers in different versions of Cluster API. */
import { describe, expect, it } from 'vitest';
import { createTestApi } from './test-api.ts';

const APPLY = { 'content-type': 'application/apply-patch+yaml' };

type Version = 'v1beta1' | 'v1beta2';
const MIXES: [Version, Version, Version][] = (['v1beta1', 'v1beta2'] as const).flatMap((first) =>
  (['v1beta1', 'v1beta2'] as const).flatMap((other) =>
    (['v1beta1', 'v1beta2'] as const).map((then): [Version, Version, Version] => [first, other, then]),
  ),
);

interface Gate {
  conditionType: string;
  polarity?: string;
}

const cluster = (version: Version, availabilityGates: Gate[]) => ({
  apiVersion: `cluster.x-k8s.io/${version}`,
  kind: 'Cluster',
  metadata: { name: 'red', labels: { a: 'b' } },
  ...(availabilityGates.length > 0 ? { spec: { availabilityGates } } : {}),
});

describe.each(MIXES)(
  'an item of a list, applied in %s, shared in %s, and applied again in %s',
  (first, other, then) => {
    const api = createTestApi();
    const apply = (manager: string, body: ReturnType<typeof cluster>) =>
      api.admin.ask(
        'PATCH',
        `/apis/${body.apiVersion}/namespaces/default/clusters/red?fieldManager=${manager}`,
        body,
        APPLY,
      );
    const negative: Gate = { conditionType: 'Gate', polarity: 'Negative' };
    const gate: Gate = { conditionType: 'Gate' };
    const left: Gate = { conditionType: 'Other' };

    it('loses fields that one applier drops, keeps those of the other, and is removed when no applier has it', async () => {
      const reference = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: 'red' };
      const whole = { ...cluster('v1beta2', []), spec: { infrastructureRef: reference } };
      await api.admin.ask('POST', '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/clusters', whole);
      expect((await apply('one', cluster(first, [negative, left]))).code).toBe(200);
      expect((await apply('two', cluster(other, [gate]))).code).toBe(200);

      const dropped = await apply('one', cluster(then, [gate, left]));
      expect(dropped.code).toBe(200);
      expect(dropped.body.spec.availabilityGates).toEqual([gate, left]);
      expect(JSON.stringify(dropped.body.metadata.managedFields)).not.toContain('f:polarity');

      const abandoned = await apply('one', cluster(then, []));
      expect(abandoned.body.spec.availabilityGates).toEqual([gate]);
      const gone = await apply('two', cluster(other, []));
      expect(gone.body.spec?.availabilityGates ?? []).toEqual([]);
      expect(gone.body.metadata.labels).toMatchObject({ a: 'b' });
    });
  },
);
