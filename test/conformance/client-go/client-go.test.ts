import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ManagementApi, startManagementApi, writeKubeconfig } from '../management-api.ts';
import { run } from '../quickstart/windlass.ts';

/**
 * Uses client-go and controller-runtime, the libraries of real controllers. `npm run conformance` builds the program.
 */
const PROGRAM = process.env.WINDLASS_CLIENT_GO;

/** Watches end after two seconds and the history is short, so that informers must resume watches and list again. */
const WATCH = { pollMilliseconds: 50, maxSeconds: 2, keepAliveMilliseconds: 200 };
const KEEP_EVENTS = 50;

describe.skipIf(!PROGRAM)('client-go', () => {
  const kubeconfig = join(mkdtempSync(join(tmpdir(), 'windlass-client-go-')), 'kubeconfig');
  let server: ManagementApi;
  beforeAll(async () => {
    server = await startManagementApi({ watch: WATCH, keepEvents: KEEP_EVENTS });
    writeKubeconfig(kubeconfig, server.url);
  });
  afterAll(() => server?.stop());

  /** Runs a scenario of the program, which checks its own observations, and returns the requests that it has made. */
  const play = async (scenario: string): Promise<string[]> => {
    const before = server.requests.length;
    const { code, stderr } = await run(String(PROGRAM), [kubeconfig, scenario]);
    // client-go logs warnings. Those that contain the plan of a dry run are expected.
    const unexpected = stderr.split('\n').filter((line) => line !== '' && !line.includes('"Warning: plan: '));
    expect({ code, unexpected }).toEqual({ code: 0, unexpected: [] });
    return server.requests.slice(before);
  };
  const watches = (requests: string[]) => requests.filter((request) => request.includes('watch=true'));

  it.each([
    ['discovers kinds, their REST mappings and both forms of OpenAPI', 'discovery'],
    ['creates, reads and updates, and loses a race', 'objects'],
    ['sends each kind of patch, also to the status', 'patches'],
    ['applies for two managers, who conflict', 'apply'],
    ['pages through lists and selects', 'lists'],
    ['meets each refusal as the error that it knows', 'refusals'],
    ['deletes what is held back, what is owned and what matches', 'deletion'],
    ['creates, patches and applies built-in kinds by typed clients, in protobuf', 'typed'],
    ['creates events by a recorder, which count what is told again', 'events'],
    ['scales by the client that finds the scale subresource itself', 'scale'],
  ])('%s', async (_sentence, scenario) => {
    await play(scenario);
  });

  it('follows with an informer that streams its first list, and resumes its watch', async () => {
    const requests = await play('informer');
    const following = watches(requests).filter((request) => request.includes('suite%3Dinformer'));
    expect(following[0]).toContain('sendInitialEvents=true');
    expect(following.length).toBeGreaterThan(2);
  });

  it('restarts an informer after the server has dropped its version', async () => {
    const requests = watches(await play('informer-gone'));
    expect(requests.filter((request) => request.includes('sendInitialEvents=true'))).toHaveLength(2);
  });

  it('watches one object through several watches, and misses no change', async () => {
    expect(watches(await play('watch-again')).length).toBeGreaterThan(2);
  });

  it('watches and writes with a complete controller of controller-runtime', async () => {
    await play('controller-runtime');
  });
});
