import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMIT } from '../../../shared/test-patience.ts';
import { CORE, startTestLaptop } from '../../end-to-end/laptop.ts';
import { startDynamoDbLocal } from './dynamodb-local.ts';
import type { RunningEmulator } from './emulator.ts';

const JAR = process.env.WINDLASS_DYNAMODB_LOCAL;

describe.skipIf(!JAR)('DynamoDB Local', { timeout: LIMIT }, () => {
  let database: RunningEmulator;
  beforeAll(async () => {
    database = await startDynamoDbLocal(JAR ?? '');
  }, LIMIT);
  afterAll(() => database?.stop());

  it('carries a whole laptop: a cluster that is created and deleted', async () => {
    const laptop = await startTestLaptop(undefined, { otherDynamoDb: database.url });
    try {
      expect(await laptop.applyFile('examples/quickstart.yaml')).toEqual([]);
      const isComplete = async () => {
        const { controlPlane, workers } = (await laptop.cluster('quickstart'))?.status ?? {};
        return controlPlane?.availableReplicas === 3 && workers?.availableReplicas === 3;
      };
      await laptop.until('all machines are there', isComplete);
      await laptop.api.send('DELETE', `${CORE}/clusters/quickstart`);
      await laptop.until('it is gone', async () => !(await laptop.cluster('quickstart')));
    } finally {
      await laptop.stop();
    }
  });
});
