import type { Happening } from './run.ts';
import { breakMachine, deleteMachine, type Shape, type World } from './world.ts';

const template = (version: string): Happening => ({
  says: `spec.template.spec.version becomes ${version}`,
  do: ({ deployment }) => {
    deployment.spec.template.spec.version = version;
  },
});
const scale = (replicas: number): Happening => ({
  says: `spec.replicas becomes ${replicas}`,
  do: ({ deployment }) => {
    deployment.spec.replicas = replicas;
  },
});
const paused = (value: boolean): Happening => ({
  says: `spec.paused becomes ${value}`,
  do: ({ deployment }) => {
    deployment.spec.paused = value;
  },
});
const rolloutAfter = (): Happening => ({
  says: 'spec.rollout.after becomes now',
  do: ({ deployment, now }) => {
    deployment.spec.rollout = { ...deployment.spec.rollout, after: now.toISOString() };
  },
});
const named = ({ labels }: World, label: string): string =>
  [...labels].find(([, given]) => given === label)?.[0] ?? label;
const deleted = (...machines: string[]): Happening => ({
  says: `someone deletes ${machines.join(' and ')}`,
  do: (world) => {
    for (const machine of machines) deleteMachine(world, named(world, machine));
  },
});
const broken = (...machines: string[]): Happening => ({
  says: `${machines.join(' and ')} break${machines.length === 1 ? 's' : ''}`,
  do: (world) => {
    for (const machine of machines) breakMachine(world, named(world, machine));
  },
});
const chosen = (machine: string): Happening => ({
  says: `someone annotates ${machine} with cluster.x-k8s.io/delete-machine`,
  do: (world) => {
    world.machines = world.machines.map((candidate) =>
      candidate.metadata.name === named(world, machine)
        ? {
            ...candidate,
            metadata: { ...candidate.metadata, annotations: { 'cluster.x-k8s.io/delete-machine': '' } },
          }
        : candidate,
    );
  },
});
const inPlace = (): Happening => ({
  says: 'spec.template: a label, minReadySeconds and a drain timeout change',
  do: ({ deployment }) => {
    deployment.spec.template.metadata = { labels: { pool: 'workers', tier: 'gold' } };
    deployment.spec.template.spec.minReadySeconds = 5;
    deployment.spec.template.spec.deletion = { nodeDrainTimeoutSeconds: 60 };
  },
});
const soon = (steps: number, happening: Happening): Happening => ({ ...happening, after: steps });

const shape = (replicas: number, maxSurge: number | string, maxUnavailable: number | string): Shape => ({
  replicas,
  maxSurge,
  maxUnavailable,
});
const onDelete = (replicas: number): Shape => ({ replicas, strategy: 'OnDelete' });
const V135 = template('v1.35.0');

/** By name: the settings of a deployment, and its changes and disturbances. Its machines become available first. */
export const STORIES: Readonly<Record<string, { shape: Shape; happenings: readonly Happening[] }>> = {
  'one more, none less': { shape: shape(3, 1, 0), happenings: [V135] },
  'none more, one less': { shape: shape(3, 0, 1), happenings: [V135] },
  'one more, one less': { shape: shape(3, 1, 1), happenings: [V135] },
  'all at once': { shape: shape(6, 10, 0), happenings: [V135] },
  'all away at once': { shape: shape(6, 0, 10), happenings: [V135] },
  'three more, one less': { shape: shape(6, 3, 1), happenings: [V135] },
  'one more, three less': { shape: shape(6, 1, 3), happenings: [V135] },
  'shares that round to something': { shape: shape(10, '25%', '25%'), happenings: [V135] },
  'shares that round to nothing': { shape: shape(2, '0%', '10%'), happenings: [V135] },
  'a single machine': { shape: shape(1, 1, 0), happenings: [V135] },
  'a single machine that goes first': { shape: shape(1, 0, 1), happenings: [V135] },
  'no machine at all': { shape: shape(0, 1, 0), happenings: [V135, scale(2)] },
  'a change in the middle': { shape: shape(6, 3, 1), happenings: [V135, soon(8, template('v1.36.0'))] },
  'back to the old template in the middle': { shape: shape(6, 3, 1), happenings: [V135, soon(8, template('v1.34.0'))] },
  'two changes in the middle': {
    shape: shape(4, 1, 0),
    happenings: [V135, soon(5, template('v1.36.0')), soon(5, template('v1.37.0'))],
  },
  'up in the middle': { shape: shape(6, 3, 1), happenings: [V135, soon(8, scale(12))] },
  'down in the middle': { shape: shape(12, 3, 1), happenings: [V135, soon(12, scale(6))] },
  'to zero in the middle': { shape: shape(4, 1, 0), happenings: [V135, soon(6, scale(0))] },
  'up without a rollout': { shape: shape(2, 1, 0), happenings: [scale(5)] },
  'down without a rollout': { shape: shape(5, 1, 0), happenings: [scale(2)] },
  'down with a chosen machine': { shape: shape(3, 1, 0), happenings: [chosen('m3'), scale(2)] },
  'down with the newest first': {
    shape: { ...shape(3, 1, 0), order: 'Newest' },
    happenings: [scale(5), scale(3)],
  },
  'down with the oldest first': {
    shape: { ...shape(3, 1, 0), order: 'Oldest' },
    happenings: [scale(5), scale(3)],
  },
  'a machine is deleted': { shape: shape(3, 1, 0), happenings: [deleted('m2')] },
  'an old machine is deleted in the middle': { shape: shape(4, 1, 0), happenings: [V135, soon(5, deleted('m4'))] },
  'a new machine is deleted in the middle': { shape: shape(4, 1, 0), happenings: [V135, soon(5, deleted('m5'))] },
  'an old machine is broken': { shape: shape(3, 1, 0), happenings: [broken('m2'), V135] },
  'old machines are broken and stand in the way': {
    shape: shape(3, 1, 0),
    happenings: [broken('m1', 'm2'), V135],
  },
  'new machines do not come up': {
    shape: shape(4, 1, 1),
    happenings: [
      {
        says: 'spec.template.spec.version becomes v1.35.0, which does not boot',
        do: (world) => {
          V135.do(world);
          world.failingVersion = 'v1.35.0';
        },
      },
    ],
  },
  'new machines do not come up, and the template goes back': {
    shape: shape(4, 1, 1),
    happenings: [
      {
        says: 'spec.template.spec.version becomes v1.35.0, which does not boot',
        do: (world) => {
          V135.do(world);
          world.failingVersion = 'v1.35.0';
        },
      },
      template('v1.34.0'),
    ],
  },
  'labels and timeouts change in place': { shape: shape(3, 1, 0), happenings: [inPlace()] },
  'rollout after': { shape: shape(2, 1, 0), happenings: [rolloutAfter()] },
  'rollout after, twice': { shape: shape(2, 1, 0), happenings: [rolloutAfter(), rolloutAfter()] },
  'paused in the middle': { shape: shape(4, 1, 0), happenings: [V135, soon(5, paused(true)), paused(false)] },
  'paused, and scaled up in the middle': {
    shape: shape(6, 2, 0),
    happenings: [V135, soon(10, paused(true)), scale(12), paused(false)],
  },
  'paused, and scaled down in the middle': {
    shape: shape(8, 2, 0),
    happenings: [V135, soon(12, paused(true)), scale(4), paused(false)],
  },
  'on delete, nothing happens by itself': { shape: onDelete(3), happenings: [V135] },
  'on delete, one by one': { shape: onDelete(3), happenings: [V135, deleted('m1'), deleted('m2'), deleted('m3')] },
  'on delete, up': { shape: onDelete(3), happenings: [V135, scale(5)] },
  'on delete, down': { shape: onDelete(5), happenings: [V135, deleted('m1'), scale(3)] },
  'on delete, a second change': {
    shape: onDelete(3),
    happenings: [V135, deleted('m1'), template('v1.36.0'), deleted('m2', 'm3')],
  },
};
