import { describe, expect, it } from 'vitest';
import { gizmo } from '../../../shared/kube-api/test-kinds.ts';
import { PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import { until } from '../quickstart/windlass.ts';
import { hasKubectl } from './kubectl.ts';
import { useKubectl } from './use-kubectl.ts';

/**
 * Tests the default of newer kubectl versions: one request streams the existing objects first, and then the changes.
 */
describe.skipIf(!hasKubectl() && process.env.CI !== 'true')('kubectl that streams its first list', () => {
  const suite = useKubectl({ variables: { KUBE_FEATURE_WatchListClient: 'true' } });
  const run = (line: string, input?: object) => suite.kubectl.run(line.split(' '), input && JSON.stringify(input));
  const watches = () => suite.server.requests.filter((request) => request.includes('watch=true'));
  const streamed = () => watches().filter((request) => request.includes('sendInitialEvents=true'));
  const plain = () => watches().filter((request) => !request.includes('sendInitialEvents=true'));

  it('waits for a condition, longer than a watch lasts', async () => {
    await run('create -f -', gizmo('one'));
    const waiting = run(`wait --for=condition=Ready gizmo/one --timeout=${PATIENCE_SECONDS}s`);
    await until('the watch is taken up again', () => plain().length > 0);
    const status = { conditions: [{ type: 'Ready', status: 'True' }] };
    await suite.kubectl.run([
      ...'patch gizmo one --subresource=status --type=merge -p'.split(' '),
      JSON.stringify({ status }),
    ]);
    expect(await waiting).toEqual({ code: 0, stdout: 'gizmo.toys.windlass.dev/one condition met\n', stderr: '' });
    expect(streamed()).toHaveLength(1);
  });

  it('waits for a deletion', async () => {
    const before = streamed().length;
    await run('create -f -', gizmo('held', {}, { finalizers: ['toys.windlass.dev/hold'] }));
    const deleting = run(`delete gizmo held --timeout=${PATIENCE_SECONDS}s`);
    await until('the deletion is watched', () => streamed().length > before);
    await run('patch gizmo held --type=merge -p {"metadata":{"finalizers":null}}');
    expect(await deleting).toMatchObject({ code: 0, stderr: '' });
    expect(streamed().length).toBe(before + 1);
  });
});
