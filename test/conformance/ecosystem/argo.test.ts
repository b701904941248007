import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMIT } from '../../../shared/test-patience.ts';
import { type ManagementApi, startManagementApi, writeKubeconfig } from '../management-api.ts';
import { run } from '../quickstart/windlass.ts';
import { manifestFile, newFolder } from './manifests.ts';

/** The folder of the programs that `npm run conformance` builds. */
const PROGRAMS = process.env.WINDLASS_ECOSYSTEM;

describe.skipIf(!PROGRAMS)("Argo CD's engine", { timeout: LIMIT }, () => {
  const folder = newFolder();
  const kubeconfig = join(folder, 'kubeconfig');
  let server: ManagementApi;
  beforeAll(async () => {
    server = await startManagementApi();
    writeKubeconfig(kubeconfig, server.url);
  });
  afterAll(() => server?.stop());

  it.each([
    ['syncs by patches, finds no difference, heals an edit, and prunes', 'argo'],
    ['does the same by server-side apply', 'argo-server-side'],
  ])('%s', async (_sentence, scenario) => {
    const { code, stderr } = await run(join(String(PROGRAMS), 'suite'), [kubeconfig, scenario, manifestFile(folder)]);
    expect(code, stderr).toBe(0);
  });
});
