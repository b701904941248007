/** Follows docs/images.md: an image is copied with the AWS CLI, used, reported as at risk, and lost. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DescribeImagesCommand, DescribeInstancesCommand } from '@aws-sdk/client-ec2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../../infra/cli/paths.ts';
import type { AWSMachine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { conditionOf, INFRASTRUCTURE, startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';
import { accountOf } from './aws-cli.ts';

let laptop: TestLaptop;
beforeAll(async () => {
  laptop = await startTestLaptop();
}, LIMIT);
afterAll(() => laptop?.stop());

const DOCUMENT = readFileSync(join(ROOT, 'docs', 'images.md'), 'utf8');
/** The commands of the block that contains this text. */
const blockWith = (text: string): string =>
  [...DOCUMENT.matchAll(/^```\w*\n(.*?)^```/gms)].find(([, block = '']) => block.includes(text))?.[1] ?? '';

const run = promisify(execFile);
const bash = async (commands: string): Promise<string> =>
  (await run('bash', ['-ec', commands], { env: accountOf(laptop) })).stdout.trim();

/** One control plane machine and no workers, with images of this account. */
const small = (object: KubeObject): KubeObject => {
  const { kind } = object;
  const { spec } = object as { spec?: object };
  if (kind === 'AWSCluster') return { ...object, spec: { ...spec, imageLookupOrg: '000000000000' } } as KubeObject;
  if (kind === 'KubeadmControlPlane') return { ...object, spec: { ...spec, replicas: 1 } } as KubeObject;
  if (kind === 'MachineDeployment') return { ...object, spec: { ...spec, replicas: 0 } } as KubeObject;
  return object;
};

const scale = (replicas: number) => (object: KubeObject) => {
  const { kind } = object;
  const { spec } = object as { spec?: object };
  return kind === 'MachineDeployment' ? ({ ...object, spec: { ...spec, replicas } } as KubeObject) : small(object);
};

const awsMachines = () => laptop.list<AWSMachine>(`${INFRASTRUCTURE}/awsmachines`);
const imagesInUse = async (): Promise<string[]> => {
  const InstanceIds = (await awsMachines()).flatMap(({ spec }) => spec.instanceID ?? []);
  const { Reservations = [] } = await laptop.ec2.send(new DescribeInstancesCommand({ InstanceIds }));
  return Reservations.flatMap(({ Instances = [] }) => Instances.map(({ ImageId = '' }) => ImageId));
};

// The tests run in order: each continues where the previous one ended.
describe('an image of your own', { timeout: LIMIT }, () => {
  let copy = '';

  it('is copied, encrypted, under a name that the default lookup finds', async () => {
    const commands = blockWith('copy-image').replace('VERSION=1.34.2', 'VERSION=1.34.0');
    copy = await bash(`${commands}\necho "$COPY"`);

    const { Images } = await laptop.ec2.send(new DescribeImagesCommand({ Owners: ['self'] }));
    expect(Images).toMatchObject([{ ImageId: copy, State: 'available', Public: false }]);
    expect(Images?.[0]?.BlockDeviceMappings?.[0]?.Ebs?.Encrypted).toBe(true);
  });

  it('is used by the machines of a cluster that names the account', async () => {
    expect(await laptop.applyFile('examples/quickstart.yaml', small)).toEqual([]);
    await laptop.until('the machine is available', async () => {
      const [machine] = await laptop.machines('quickstart');
      return machine && conditionOf(machine, 'Available')?.status === 'True';
    });

    expect(await imagesInUse()).toEqual([copy]);
  });

  it('is not found by new machines once it is disabled, and the machine reports which image and what to do', async () => {
    await bash(blockWith('disable-image').replace('"$COPY"', copy));
    expect(await laptop.applyFile('examples/quickstart.yaml', scale(1))).toEqual([]);

    const message = await laptop.until('a machine says what it lacks', async () => {
      const conditions = (await awsMachines()).flatMap(({ status }) => status?.conditions ?? []);
      return conditions.find(({ type, message: text }) => type === 'InstanceReady' && text?.includes('no image'))
        ?.message;
    });
    expect(message).toMatch(/there is no image with owner 000000000000, name capa-ami-ubuntu-24\.04-\?1\.34\.0-\*/);
    expect(message).toContain(`the previous one, ${copy}, can no longer be launched either; set spec.ami.id`);
  });

  it('is reported by the sweep on the AWSCluster and on the Cluster', async () => {
    await laptop.runtime.invoke('Windlass-drift', {});

    const events = await laptop.list<KubeObject & { reason: string; message: string }>(
      '/api/v1/namespaces/default/events',
    );
    const told = events.filter(({ reason }) => reason === 'ImageAtRisk').map(({ message }) => message);
    expect(told).toEqual([expect.stringContaining(`image ${copy} (capa-ami-ubuntu-24.04-v1.34.0-copy) is disabled`)]);
    const cluster = await laptop.cluster('quickstart');
    expect(cluster && conditionOf(cluster, 'windlass.dev/ImagesAtRisk')).toMatchObject({ status: 'True' });
  });
});
