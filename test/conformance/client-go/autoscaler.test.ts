import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMIT } from '../../../shared/test-patience.ts';
import { assume } from '../access/people.ts';
import { npmStart, run, type Started, stop, whenAvailable } from '../quickstart/windlass.ts';

/** Makes the requests of the autoscaler's provider for Cluster API, with its own libraries. */
const PROGRAM = process.env.WINDLASS_CLIENT_GO;

describe.skipIf(!PROGRAM)('an autoscaler of client-go', { timeout: LIMIT }, () => {
  let windlass: Started;
  beforeAll(async () => {
    windlass = npmStart(['--apply', 'examples/quickstart.yaml']);
    await whenAvailable(windlass);
  }, LIMIT);
  afterAll(() => stop(windlass), LIMIT);

  it('scales a MachineDeployment up, and down by deleting the machine that it marks', async () => {
    const { kubeconfig } = await assume(windlass, 'WindlassAdmin');
    const { code, stderr } = await run(String(PROGRAM), [kubeconfig, 'autoscaler']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});
