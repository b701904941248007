import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CORE, startTestLaptop } from '../../end-to-end/laptop.ts';
import { startDynamoDbLocal } from './dynamodb-local.ts';
import type { RunningEmulator } from './emulator.ts';

const JAR = process.env.WINDLASS_DYNAMODB_LOCAL;

describe.skipIf(!JAR)('DynamoDB Local', () => {
  let database: RunningEmulator;
  beforeAll(async () => {
    database = await startDynamoDbLocal(JAR ?? '');
  }, 60_000);
  afterAll(() => database?.stop());

  it('carries a whole laptop: a cluster that is created and deleted', async () => {
    const laptop = await startTestLaptop(undefined, { otherDynamoDb: database.url });
    try {
      expect(await laptop.applyFile('examples/quickstart.yaml')).toEqual([]);
      const isComplete = async () => {
        const { controlPlane, workers } = (await laptop.cluster('quickstart'))?.status ?? {};
        return controlPlane?.availableReplicas === 3 && workers?.availableReplicas === 3;
      };
      await laptop.until('all machines are there', isComplete, 200);
      await laptop.api.send('DELETE', `${CORE}/clusters/quickstart`);
      await laptop.until('it is gone', async () => !(await laptop.cluster('quickstart')), 200);
    } finally {
      await laptop.stop();
    }
  }, 600_000);
});
