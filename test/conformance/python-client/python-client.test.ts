import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMIT } from '../../../shared/test-patience.ts';
import { assume } from '../access/people.ts';
import { type ManagementApi, startManagementApi, writeKubeconfig } from '../management-api.ts';
import { npmStart, run, type Started, stop, whenReady } from '../quickstart/windlass.ts';

/** The Python of a virtual environment with the official client, which `npm run conformance` creates. */
const PYTHON = process.env.WINDLASS_PYTHON;
const SUITE = join(import.meta.dirname, 'suite.py');

/** Runs a scenario, which checks its own observations. */
const play = async (kubeconfig: string, scenario: string): Promise<void> => {
  const { code, stderr } = await run(String(PYTHON), ['-B', '-W', 'ignore', SUITE, kubeconfig, scenario]);
  expect(code, stderr).toBe(0);
};

describe.skipIf(!PYTHON)('the Python client', { timeout: LIMIT }, () => {
  const kubeconfig = join(mkdtempSync(join(tmpdir(), 'windlass-python-')), 'kubeconfig');
  let server: ManagementApi;
  beforeAll(async () => {
    server = await startManagementApi({ watch: { pollMilliseconds: 50, maxSeconds: 2, keepAliveMilliseconds: 200 } });
    writeKubeconfig(kubeconfig, server.url);
  });
  afterAll(() => server?.stop());

  it.each([
    ['discovers kinds and their subresources', 'discovery'],
    ['creates, patches, replaces and deletes what is built in', 'core'],
    ['pages through lists and selects', 'pages'],
    ['asks who it is, can-i, and binds a role', 'access'],
    ['watches, and takes the watch up again from the last version', 'watch'],
    ['creates, replaces and lists custom objects, and meets 404, 409, 422', 'custom'],
    ['patches custom objects and their status', 'patches'],
    ['scales custom objects', 'scale'],
    ['deletes with preconditions, with a policy, and all that match', 'deletion'],
    ['creates, replaces and scales by the dynamic client', 'dynamic'],
    ['applies on the server, and conflicts', 'apply'],
    ['watches by the dynamic client, again and again', 'dynamic-watch'],
  ])('%s', (_sentence, scenario) => play(kubeconfig, scenario));
});

describe.skipIf(!PYTHON)('the Python client with tokens of the AWS CLI', { timeout: LIMIT }, () => {
  let windlass: Started;
  let kubeconfig: string;
  beforeAll(async () => {
    windlass = npmStart();
    await whenReady(windlass);
    ({ kubeconfig } = await assume(windlass, 'WindlassAdmin'));
  }, LIMIT);
  afterAll(() => stop(windlass), LIMIT);

  it.each([
    ['asks who it is, and has access', 'access'],
    ['creates, replaces and lists on the installation', 'custom'],
    ['watches the installation', 'dynamic-watch'],
  ])('%s', (_sentence, scenario) => play(kubeconfig, scenario));
});
