import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assume } from '../access/people.ts';
import { npmStart, run, type Started, stop, whenAvailable } from '../quickstart/windlass.ts';

/** What the autoscaler's provider for Cluster API asks of the API, by the libraries that it is made of. */
const PROGRAM = process.env.WINDLASS_CLIENT_GO;

describe.skipIf(!PROGRAM)('an autoscaler of client-go', () => {
  let home: string;
  let windlass: Started;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'windlass-autoscaler-'));
    windlass = npmStart(['--port', '6458', '--apply', 'examples/quickstart.yaml'], home);
    await whenAvailable(windlass);
  }, 130_000);
  afterAll(async () => {
    await stop(windlass);
    await rm(home, { recursive: true, force: true });
  }, 30_000);

  it('scales a MachineDeployment up, and down by the machine that it marks', async () => {
    const { kubeconfig } = await assume(home, 'WindlassAdmin');
    const { code, stderr } = await run(String(PROGRAM), [kubeconfig, 'autoscaler']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  }, 200_000);
});
