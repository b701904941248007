import { afterAll, beforeAll, expect, it } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';
import { startTestDatabase, type TestDatabase } from '../../../shared/store/test-table.ts';
import { context, makeWorld, node } from './test-world.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

it.each([
  { what: 'reports the health of its components', isStandalone: false, reported: true },
  { what: 'does not report this health if no control plane object manages it', isStandalone: true, reported: false },
])('the node of a control plane machine $what', async ({ isStandalone, reported }) => {
  const w = await makeWorld(database, { isStandalone });
  await w.objects.mutate(kinds.machine, w.input.machine, ({ metadata, ...machine }) => ({
    ...machine,
    metadata: { ...metadata, labels: { ...metadata.labels, 'cluster.x-k8s.io/control-plane': '' } },
  }));
  w.state.nodes = [node('True')];
  await w.steps.confirmNode(w.input, context);
  expect((await w.condition('NodeReady'))?.status).toBe('True');
  expect((await w.condition('APIServerPodHealthy')) !== undefined).toBe(reported);
});
