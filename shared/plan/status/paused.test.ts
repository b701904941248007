import { expect, it } from 'vitest';
import type { Cluster } from '../../kinds/index.ts';
import type { KubeObject } from '../../kube-api/object.ts';
import { pausedClaim } from './paused.ts';

const PAUSED = { 'cluster.x-k8s.io/paused': '' };

const object = (kind: string, annotations?: Record<string, string>): KubeObject =>
  ({ kind, metadata: { name: 'a', ...(annotations ? { annotations } : {}) } }) as unknown as KubeObject;

const cluster = (paused?: boolean, annotations?: Record<string, string>): Cluster =>
  ({ ...object('Cluster', annotations), spec: { ...(paused === undefined ? {} : { paused }) } }) as Cluster;

it.each<[string, Parameters<typeof pausedClaim>, string | undefined]>([
  ['nothing is paused', [cluster(), object('Machine')], undefined],
  ['the Cluster is resumed', [cluster(false), object('Machine', { other: '' })], undefined],
  ['there is no Cluster', [undefined, object('Machine')], undefined],
  ['the Cluster is paused', [cluster(true), object('Machine')], 'Cluster spec.paused is set to true'],
  [
    'the object itself is paused',
    [undefined, object('Machine', PAUSED)],
    'Machine has the cluster.x-k8s.io/paused annotation',
  ],
  [
    'several objects are paused',
    [cluster(true, PAUSED), object('Machine'), object('AWSMachine', PAUSED)],
    'Cluster spec.paused is set to true, Cluster has the cluster.x-k8s.io/paused annotation, AWSMachine has the cluster.x-k8s.io/paused annotation',
  ],
])('the condition Paused says why: %s', (_, args, message) => {
  expect(pausedClaim(...args)).toEqual(
    message === undefined
      ? { type: 'Paused', status: 'False', reason: 'NotPaused' }
      : { type: 'Paused', status: 'True', reason: 'Paused', message },
  );
});
