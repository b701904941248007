/** Previews of deletions that release machines, or that the passes undo. */
import { beforeEach, describe, expect, it } from 'vitest';
import { CORE, makeTestCluster } from './test-cluster.ts';

let send: Awaited<ReturnType<typeof makeTestCluster>>['send'];
beforeEach(async () => {
  ({ send } = await makeTestCluster());
});

const warningsOf = async (path: string): Promise<string> => {
  const { code, warnings } = await send('DELETE', path);
  expect(code).toBe(200);
  return warnings.join('\n');
};

const setName = async (): Promise<string> => (await send('GET', `${CORE}/machinesets`)).body.items[0].metadata.name;

describe('the preview of a deletion', () => {
  it('of a deployment or a set whose machines are released deletes none of them', async () => {
    const orphan = '?dryRun=All&propagationPolicy=Orphan';
    expect(await warningsOf(`${CORE}/machinedeployments/quickstart-md-0?dryRun=All`)).toMatch(/deletes \d+ Machines/);
    expect(await warningsOf(`${CORE}/machinedeployments/quickstart-md-0${orphan}`)).not.toContain('deletes');
    expect(await warningsOf(`${CORE}/machinesets/${await setName()}${orphan}`)).not.toContain('deletes');
  });

  it('of the set of a deployment shows that its machines are created again', async () => {
    const warnings = await warningsOf(`${CORE}/machinesets/${await setName()}?dryRun=All`);
    expect(warnings).toContain('MachineDeployment quickstart-md-0 replaces 3 Machines, all at once');
    expect(warnings).toContain('creates MachineSet quickstart-md-0-');
  });
});
