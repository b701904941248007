import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gizmo } from '../../../shared/kube-api/test-kinds.ts';
import { createKubectl, type Kubectl } from './kubectl.ts';
import { startServer } from './server.ts';

/**
 * kubectl 1.20, which reads OpenAPI v2 as protobuf in order to validate, to explain, and to check whether dry runs are
 * supported.
 */
const PROGRAM = process.env.WINDLASS_OLD_KUBECTL;

describe.skipIf(!PROGRAM)('kubectl 1.20', () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  let kubectl: Kubectl;
  beforeAll(async () => {
    server = await startServer('/k8s');
    kubectl = await createKubectl(server.url, PROGRAM);
  });
  afterAll(async () => {
    await kubectl?.dispose();
    await server?.stop();
  });

  const run = (line: string, input?: object) => kubectl.run(line.split(' '), input && JSON.stringify(input));

  it('explains kinds', async () => {
    expect((await run('explain gizmo.spec')).stdout).toMatch(/version\t<string> -required-/);
  });

  it('applies, and does not touch what has not changed', async () => {
    expect((await run('apply -f -', gizmo('old'))).stdout).toContain('created');
    expect((await run('apply -f -', gizmo('old'))).stdout).toContain('unchanged');
    expect((await run('apply -f -', gizmo('old', { size: 2 }))).stdout).toContain('configured');
  });

  it('refuses unknown fields itself', async () => {
    const { stderr } = await run('apply -f -', gizmo('wrong', { bogus: 1 } as never));
    expect(stderr).toContain('unknown field "bogus"');
  });

  it('shows differences with a dry run', async () => {
    await run('apply -f -', gizmo('other'));
    const { code, stdout } = await run('diff -f -', gizmo('other', { size: 7 }));
    expect(code).toBe(1);
    expect(stdout).toContain('+  size: 7');
  });

  it('gets, watches and deletes', async () => {
    expect((await run('get gizmos')).stdout).toMatch(/^NAME/);
    expect((await run('delete gizmo old')).stdout).toContain('deleted');
  });
});
