import { expect, it } from 'vitest';
import { takeAddresses } from '../../../functions/providers/aws/load-balancer/addresses.ts';
import type { LoadBalancerDependencies } from '../../../functions/providers/aws/load-balancer/dependencies.ts';
import type { AWSCluster } from '../../../shared/kinds/index.ts';
import type { HeldAddress } from '../../../shared/providers/aws/plan/addresses/plan.ts';
import { explore, type Play, type Stage, type StepOf } from './explore.ts';

const START = Date.parse('2030-01-01T00:00:00Z');
/** Longer than a new resource may be invisible. */
const PASSING_MILLISECONDS = 31_000;

interface Held extends HeldAddress {
  isVisible: boolean;
}

const clusterObject = (): AWSCluster =>
  ({ metadata: { name: 'one', namespace: 'default', uid: 'u' }, spec: {} }) as unknown as AWSCluster;

/**
 * Concurrent runs that need the same address for a load balancer, with the real code between EC2 and the AWSCluster.
 */
const runs =
  (count: number, { isUnconditional = false } = {}) =>
  ({ begin }: Stage): Play => {
    let object = clusterObject();
    let version = 0;
    let held: Held[] = [];
    let made = 0;
    let tokens = 0;
    let now = START;
    const at: StepOf = async (_, act) => act();

    const allocate = (tags: HeldAddress['tags'], isVisible: boolean): string => {
      made += 1;
      const allocationId = `eipalloc-${made}`;
      held = [...held, { allocationId, publicIp: `192.0.2.${made}`, tags, isVisible }];
      const show = () => {
        held = held.map((one) => (one.allocationId === allocationId ? { ...one, isVisible: true } : one));
      };
      if (!isVisible) begin('EC2', (step) => step('shows an address', show));
      return allocationId;
    };
    const systemOf = (step: StepOf, isConsistent: boolean): LoadBalancerDependencies => {
      const mutate = async (_: unknown, __: unknown, change: (current: AWSCluster) => AWSCluster | undefined) => {
        for (;;) {
          const seen = await step('reads the AWSCluster', () => ({ object, version }));
          const changed = change(seen.object);
          if (changed === undefined) return seen.object;
          const isWritten = await step('writes the AWSCluster', () => {
            if (seen.version !== version && !isUnconditional) return false;
            object = changed;
            version += 1;
            return true;
          });
          if (isWritten) return changed;
        }
      };
      const addresses = () => ({
        heldAddresses: () => step('describes addresses', () => held.filter(({ isVisible }) => isVisible)),
        allocateAddress: (tags: HeldAddress['tags']) => step('allocates', () => allocate(tags, isConsistent)),
        releaseAddress: (id: string) =>
          step('releases', () => {
            held = held.filter(({ allocationId }) => allocationId !== id);
          }),
        freeInPool: async () => 10,
      });
      const unique = (): string => {
        tokens += 1;
        return String(tokens).padStart(8, '0');
      };
      return {
        addresses,
        objects: { mutate, ensure: async (_: unknown, event: object) => ({ object: event, created: true }) },
        clock: { now: () => new Date(now), sleep: async () => {} },
        random: { uuid: unique },
      } as unknown as LoadBalancerDependencies;
    };
    const run = async (step: StepOf, isConsistent = false): Promise<string[]> => {
      const awsCluster = await step('looks at the AWSCluster', () => object);
      const scope = { awsCluster, name: { namespace: 'default', name: 'one' }, aws: {} };
      const wanted = { addressPool: { id: 'pool', fallsBack: true }, subnetIds: ['subnet'] };
      return takeAddresses(systemOf(step, isConsistent), scope as never, wanted as never);
    };
    for (let index = 0; index < count; index += 1)
      begin('run', async (step) => {
        await run(step);
      });
    return {
      state: () => JSON.stringify([now, object, held.map(({ isVisible, tags }) => [isVisible, tags])]),
      // A run that cannot tell whether an address exists ends, and the workflow tries again.
      mayFail: ['Transient'],
      // A run that is paused until its intent has expired may create another address, which the next run releases.
      judge: () => (held.length > (now === START ? 1 : 2) ? [`${held.length} addresses are held`] : []),
      judgeEnd: async () => {
        now += PASSING_MILLISECONDS;
        held = held.map((one) => ({ ...one, isVisible: true }));
        const ids = await run(at, true);
        return held.length === 1 && ids.length === 1 ? [] : [`${held.length} addresses are held in the end`];
      },
      passTime: () => {
        now += PASSING_MILLISECONDS;
        held = held.map((one) => ({ ...one, isVisible: true }));
      },
    };
  };

it('an address is allocated once, regardless of the order of three runs, of the delay of EC2, and of a crash', async () => {
  const found = await explore(runs(3), { crashes: 1 });
  expect(found.problems).toEqual([]);
  expect(found.ends).toBeGreaterThan(10);
  console.log(`intents: ${found.states} states, at most ${found.depth} steps`);
});

it('catches a build that records intents without a condition', async () => {
  const { problems } = await explore(runs(2, { isUnconditional: true }), { crashes: 0 });
  expect(problems).toContainEqual(expect.stringContaining('2 addresses are held'));
});
