/** Tests the laptop with a trail: changes that are made outside Windlass are repaired immediately, without a sweep. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuthorizeSecurityGroupIngressCommand, DescribeSecurityGroupsCommand } from '@aws-sdk/client-ec2';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { synth } from '../../../infra/cli/commands/synth.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';

let laptop: TestLaptop;

beforeAll(async () => {
  const outdir = mkdtempSync(join(tmpdir(), 'windlass-trail-'));
  // The sweep runs only once an hour, so that it cannot repair the changes.
  await synth({ outdir, quiet: true, context: { apiCallEvents: 'true', sweepMinutes: '60' } });
  laptop = await startTestLaptop(undefined, { outdir });
}, LIMIT);
afterAll(() => laptop?.stop());

const small = (object: KubeObject): KubeObject =>
  object.kind === 'KubeadmControlPlane' || object.kind === 'MachineDeployment'
    ? ({ ...object, spec: { ...(object as { spec?: object }).spec, replicas: 1 } } as KubeObject)
    : object;

const nodeGroup = async () => {
  const Filters = [{ Name: 'group-name', Values: ['quickstart-node'] }];
  return (await laptop.ec2.send(new DescribeSecurityGroupsCommand({ Filters }))).SecurityGroups?.[0];
};

it('removes a rule that was added outside Windlass', { timeout: LIMIT }, async () => {
  expect(await laptop.applyFile('examples/quickstart.yaml', small)).toEqual([]);
  await laptop.until('the cluster is Available', async () =>
    (await laptop.cluster('quickstart'))?.status?.conditions?.some(
      ({ type, status }) => type === 'Available' && status === 'True',
    ),
  );
  const GroupId = (await nodeGroup())?.GroupId;
  const rule = { IpProtocol: 'tcp', FromPort: 22, ToPort: 22, IpRanges: [{ CidrIp: '0.0.0.0/0' }] };
  await laptop.ec2.send(new AuthorizeSecurityGroupIngressCommand({ GroupId, IpPermissions: [rule] }));
  await laptop.until(
    'the rule is gone',
    async () => !(await nodeGroup())?.IpPermissions?.some(({ FromPort }) => FromPort === 22),
  );
  await laptop.until('the repair is told', async () => {
    const events = await laptop.list<KubeObject & { reason?: string }>('/api/v1/namespaces/default/events');
    return events.some(({ reason }) => reason === 'DriftRepaired');
  });
});
