import { LifecycleState } from '@aws-sdk/client-auto-scaling';
import { expect, it } from 'vitest';
import { presentInstances } from './instances.ts';

/** States of instances that have left the group, are leaving it, or wait in its warm pool. */
const ABSENT: readonly string[] = [
  ...[LifecycleState.DETACHED, LifecycleState.DETACHING, LifecycleState.QUARANTINED, LifecycleState.TERMINATED],
  ...Object.values(LifecycleState).filter((state) => /^(Terminating|Warmed)/.test(state)),
];

it.each(Object.values(LifecycleState))(
  'an instance in the state %s is a machine of the pool, or has left it',
  (state) => {
    const instance = { id: 'i-1', zone: 'a', type: 't3.large', state, version: 1 };
    expect(presentInstances({ instances: [instance] })).toHaveLength(ABSENT.includes(state) ? 0 : 1);
  },
);
