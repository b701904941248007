import { GetFunctionConfigurationCommand, type InvokeCommand } from '@aws-sdk/client-lambda';
import { beforeEach, expect, it } from 'vitest';
import { ENV } from '../../../shared/config.ts';
import { sweepParts } from './sweep.ts';

const COUNTS = { due: 0, stalled: 0, found: 0, touched: 0, collected: 0, troubled: 0, isSuspicious: false };

let events: unknown[];
beforeEach(() => {
  events = [];
});

/** Lambda with a function that is deployed for `shards` parts; the part `failing` throws. */
const lambda = (shards: string | undefined, failing?: number) => ({
  send: async (command: unknown): Promise<never> => {
    if (command instanceof GetFunctionConfigurationCommand)
      return { Environment: { Variables: shards ? { [ENV.sweepShards]: shards } : {} } } as never;
    const { Payload } = (command as InvokeCommand).input;
    const event = JSON.parse(Buffer.from(Payload as Uint8Array).toString());
    events.push(event);
    const isFailing = failing !== undefined && event.shard === failing;
    const answer = isFailing
      ? { errorMessage: 'no answer from here' }
      : { ...COUNTS, considered: 2, fleetMetrics: { phases: { Running: 2 } } };
    const FunctionError = isFailing ? 'Unhandled' : undefined;
    return { Payload: Buffer.from(JSON.stringify(answer)), FunctionError } as never;
  },
});

it('sweeps each part in its own execution, and adds up the results', async () => {
  const result = await sweepParts(lambda('3'), 'Windlass-drift');
  expect(events).toEqual([{ shard: 0 }, { shard: 1 }, { shard: 2 }]);
  expect(result).toMatchObject({ considered: 6, fleetMetrics: { phases: { Running: 6 } } });
});

it.each(['1', undefined])('does not name a part if there is only one (%s)', async (shards) => {
  expect(await sweepParts(lambda(shards), 'Windlass-drift')).toMatchObject({ considered: 2 });
  expect(events).toEqual([{}]);
});

it('fails if one part fails, after all others are swept', async () => {
  await expect(sweepParts(lambda('3', 0), 'Windlass-drift')).rejects.toThrow('the sweep failed: no answer from here');
  expect(events).toHaveLength(3);
});
