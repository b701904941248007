/** Handlers of EC2's events that crash: recorded findings lead to a pass, whether or not EventBridge tries again. */
import { describe, expect, it } from 'vitest';
import { touchUnfinished } from '../../functions/drift/unfinished.ts';
import {
  healthEvent,
  makeAccount,
  NAMESPACE,
  spotEvent,
  stateEvent,
  type TestAccount,
} from '../../functions/events/test-account.ts';
import { kinds } from '../../shared/kinds/index.ts';
import { silentLog } from '../../shared/log.ts';
import { findCondition } from '../../shared/plan/status/conditions.ts';
import type { ClusterRef } from '../../shared/work/payloads.ts';
import { type Executioner, isObjectWrite } from '../cluster-infrastructure/faults.ts';
import { deathsThatMatter, nobody, untilDeath } from './points.ts';

const withdrawn = { eventTypeCategory: 'scheduledChange', statusCode: 'closed' };

/** Events about three machines, one after the other. */
const EVENTS = [
  stateEvent('i-a', 'terminated'),
  spotEvent('i-b'),
  healthEvent(['i-b', 'i-c']),
  healthEvent(['i-c'], withdrawn),
];

/** The parts of a machine that a pass must see. */
const stateOf = async ({ objects }: TestAccount): Promise<string> => {
  const machines = await objects.list(kinds.machine, NAMESPACE);
  const infrastructures = await objects.list(kinds.awsMachine, NAMESPACE);
  return JSON.stringify([
    machines.map(({ metadata }) => metadata.annotations),
    infrastructures.map(({ status }) => status?.instanceState),
  ]);
};

/** The last touch, with the state that it followed. */
const sweepOnce = async (account: TestAccount, touch: (cluster: ClusterRef) => Promise<void>) => {
  const { pledges, clock } = account;
  await touchUnfinished(
    { work: { due: async () => [] }, pledges, clock, log: silentLog, touch, affected: async () => [] } as never,
    { faults: [] } as never,
  );
};

const story = (isTriedAgain: boolean) => async (executioner: Executioner) => {
  const account = await makeAccount();
  for (const name of ['a', 'b', 'c']) await account.addMachine(name);
  let seen = '';
  const touch = async () => {
    seen = await stateOf(account);
  };
  const tell = (by: Executioner) => {
    const objects = by.guard(account.objects, isObjectWrite);
    const pledges = by.guard(account.pledges, (method) => method !== 'open');
    const toucher = by.guard({ touch }, () => true);
    return async (event: unknown) => {
      await account.handle(event, { objects, pledges, touch: () => toucher.touch() });
    };
  };
  const before = await stateOf(account);
  const first = tell(executioner);
  const again = tell(nobody());
  for (const event of EVENTS) {
    await untilDeath(first(event));
    if (isTriedAgain) await again(event);
  }
  account.clock.advance(16 * 60);
  await sweepOnce(account, touch);
  const after = await stateOf(account);
  const machines = await account.objects.list(kinds.machine, NAMESPACE);
  const conditions = machines.map(({ metadata, status }) => [
    metadata.name,
    ...['InfrastructureReady', 'windlass.dev/InstanceAtRisk'].map((type) => {
      const { status: is, reason, message } = findCondition(status?.conditions, type) ?? {};
      return [type, is, reason, message].join(' ');
    }),
  ]);
  const said = [...new Set((await account.events()).map(({ reason }) => reason))].sort();
  return {
    isSeen: after === before || seen === after,
    open: (await account.pledges.open(new Date('2030-01-01T00:00:00Z'))).length,
    ...(isTriedAgain ? { conditions, after, said } : {}),
  };
};

describe.each([true, false])('a handler of EC2 events that dies (retried: %s)', (isTriedAgain) => {
  it('loses none of the findings that it has recorded', async () => {
    const { count, end, failures } = await deathsThatMatter(8, story(isTriedAgain));
    expect(end).toMatchObject({ isSeen: true, open: 0 });
    expect(failures).toEqual([]);
    expect(count).toBeGreaterThan(15);
  });
});
