import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDynamoDbLocal } from '../../../infra/cli/conformance/dynamodb-local.ts';
import type { RunningProgram } from '../../../infra/cli/conformance/processes.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { isAtRest } from '../../end-to-end/at-rest.ts';
import { CORE, startTestLaptop } from '../../end-to-end/laptop.ts';
import { accountLog, transitionsIn, unitsOf } from './bills.ts';
import { startRelay } from './relay.ts';

const JAR = process.env.WINDLASS_DYNAMODB_LOCAL;

describe.skipIf(!JAR)('DynamoDB Local', { timeout: LIMIT }, () => {
  let database: RunningProgram;
  beforeAll(async () => {
    database = await startDynamoDbLocal(JAR ?? '');
  }, LIMIT);
  afterAll(() => database?.stop());

  it('supports a complete laptop: a cluster is created and deleted, and the consumed units agree with the meter', async () => {
    const relay = await startRelay(database.url, [], ['dynamodb']);
    const account = accountLog();
    const laptop = await startTestLaptop({ onCall: account.take }, { otherDynamoDb: relay.url });
    try {
      expect(await laptop.applyFile('examples/quickstart.yaml')).toEqual([]);
      const isComplete = async () => {
        const { controlPlane, workers } = (await laptop.cluster('quickstart'))?.status ?? {};
        return controlPlane?.availableReplicas === 3 && workers?.availableReplicas === 3;
      };
      await laptop.until('all machines are there', isComplete);
      await laptop.api.send('DELETE', `${CORE}/clusters/quickstart`);
      await laptop.until('it is gone', async () => !(await laptop.cluster('quickstart')));
      await laptop.until('nothing runs', async () => isAtRest(laptop));

      const usage = laptop.meter.usage();
      const amazons = unitsOf(relay.calls);
      expect(usage.readUnits).toBeCloseTo(amazons.reads, 3);
      // DynamoDB Local's count includes the indexes, which the meter counts separately.
      expect(Math.abs((usage.writeUnits ?? 0) - amazons.writes)).toBeLessThan(0.01 * amazons.writes);
      expect(amazons.writes).toBeGreaterThan(500);
      expect(usage.secretRequests).toBe(account.count('secretsmanager'));
      expect(usage.freeCalls).toBe(account.countWithout('dynamodb', 'states', 'lambda', 'kms', 'secretsmanager'));
      expect(usage.transitions).toBe(await transitionsIn(laptop));
    } finally {
      await laptop.stop();
      await relay.close();
    }
  });
});
