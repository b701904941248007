import { describe, expect, it } from 'vitest';
import type { Machine } from '../../kinds/index.ts';
import type { KubeObject } from '../../kube-api/object.ts';
import { withDeletion, withPropagated } from './propagation.ts';

const machine = (annotations: Record<string, string>, ours: readonly string[]): KubeObject => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: {
    name: 'm',
    labels: { pool: 'a' },
    annotations,
    managedFields: [
      {
        manager: 'windlass',
        operation: 'Update',
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:metadata': { 'f:annotations': Object.fromEntries(ours.map((key) => [`f:${key}`, {}])) } },
      },
    ],
  },
});

describe('withPropagated', () => {
  it('removes what was propagated before, and keeps what others wrote', () => {
    const before = machine({ old: '1', mine: 'x' }, ['old']);

    expect(withPropagated(before, { labels: { pool: 'b' }, annotations: { new: '2' } }).metadata).toMatchObject({
      labels: { pool: 'b' },
      annotations: { mine: 'x', new: '2' },
    });
    expect(withPropagated(before, {}).metadata.annotations).toEqual({ mine: 'x' });
  });

  it('keeps what another manager has set to the same value', () => {
    const object = machine({ shared: '1', old: '1' }, ['shared', 'old']);
    const theirs = {
      manager: 'argocd-controller',
      operation: 'Apply' as const,
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      fieldsType: 'FieldsV1' as const,
      fieldsV1: { 'f:metadata': { 'f:annotations': { 'f:shared': {} } } },
    };
    object.metadata.managedFields?.push(theirs);

    expect(withPropagated(object, {}).metadata.annotations).toEqual({ shared: '1' });
  });

  it('keeps what controllers record for themselves', () => {
    const notes = { 'windlass.dev/launch': '{}', 'cluster.x-k8s.io/cloned-from-name': 'template' };

    expect(withPropagated(machine(notes, Object.keys(notes)), {}).metadata.annotations).toEqual(notes);
  });

  it('removes only what the previous metadata contained, if it is given', () => {
    const object = machine({ own: '1', given: '2' }, ['own', 'given']);

    expect(withPropagated(object, {}, { annotations: { given: '2' } }).metadata.annotations).toEqual({ own: '1' });
  });

  it('leaves no empty maps', () => {
    const { annotations, ...rest } = withPropagated(machine({ old: '1' }, ['old']), {}).metadata;

    expect(annotations).toBeUndefined();
    expect(rest.labels).toEqual({ pool: 'a' });
  });
});

describe('withDeletion', () => {
  const machine = { spec: { clusterName: 'red', deletion: { nodeDrainTimeoutSeconds: 5 } }, metadata: {} } as Machine;
  const deletionOf = (wanted: Machine['spec']['deletion']) => withDeletion(machine, wanted).spec.deletion;

  it('copies the timeouts, and the default if none is set', () => {
    expect(deletionOf({ nodeVolumeDetachTimeoutSeconds: 7 })).toEqual({
      nodeDeletionTimeoutSeconds: 10,
      nodeVolumeDetachTimeoutSeconds: 7,
    });
    expect(deletionOf(undefined)).toEqual({ nodeDeletionTimeoutSeconds: 10 });
  });
});
