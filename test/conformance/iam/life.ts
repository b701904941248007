/** What happens to the clusters: made, scaled, rolled over, broken and mended, swept, and deleted. */
import { ImportKeyPairCommand, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { expect } from 'vitest';
import type { AWSMachineTemplate, Machine } from '../../../shared/kinds/index.ts';
import { CORE, INFRASTRUCTURE } from '../../end-to-end/laptop.ts';
import { CLUSTERS } from './clusters.ts';
import { provide, retag } from './machines.ts';
import { meddle } from './meddle.ts';
import type { RecordedLaptop } from './recording.ts';

const PATIENCE_SECONDS = 300;
const MERGE = 'application/merge-patch+json';
const DEPLOYMENT = `${CORE}/machinedeployments/quickstart-md-0`;

const isRunning = ({ status }: Machine): boolean => status?.phase === 'Running';

/** What a machine has come to, with the end of what it said while it booted. */
const storyOf = (laptop: RecordedLaptop, { metadata, spec, status }: Machine): string => {
  const console = laptop.console(spec.providerID?.split('/').at(-1) ?? '').slice(-5);
  return [`${metadata.name} is ${status?.phase}`, ...console].join('\n  ');
};

const runs = async (laptop: RecordedLaptop, name: string, machines: number): Promise<void> => {
  let found: Machine[] = [];
  const look = async (): Promise<boolean> => {
    found = await laptop.machines(name);
    return found.length === machines && found.every(isRunning);
  };
  await laptop.until(`${name} runs with ${machines} machines`, look, PATIENCE_SECONDS).catch((cause) => {
    throw new Error(found.map((one) => storyOf(laptop, one)).join('\n'), { cause });
  });
};

export const createAll = async (laptop: RecordedLaptop): Promise<void> => {
  const PublicKeyMaterial = Buffer.from('ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHN0aWxsLW5vdC1hLWtleQ== admin');
  await laptop.ec2.send(new ImportKeyPairCommand({ KeyName: 'admin', PublicKeyMaterial }));
  provide(laptop);
  for (const { file, change } of CLUSTERS) expect(await laptop.applyFile(file, change)).toEqual([]);
  await Promise.all(CLUSTERS.map(({ name, machines }) => runs(laptop, name, machines)));
};

const workersOf = async (laptop: RecordedLaptop, name: string): Promise<Machine[]> =>
  (await laptop.machines(name)).filter(({ metadata }) => metadata.name.includes('-md-'));

/** The workers are rolled over to another instance type. */
const rollOver = async (laptop: RecordedLaptop): Promise<void> => {
  const templates = `${INFRASTRUCTURE}/awsmachinetemplates`;
  const template = await laptop.get<AWSMachineTemplate>(`${templates}/quickstart-md-0`);
  await laptop.api.send('POST', templates, {
    ...template,
    metadata: { name: 'quickstart-md-1', namespace: 'default' },
    spec: { template: { spec: { ...template?.spec.template.spec, instanceType: 't3.xlarge' } } },
  });
  const before = (await workersOf(laptop, 'quickstart')).map(({ metadata }) => metadata.uid);
  const spec = { template: { spec: { infrastructureRef: { name: 'quickstart-md-1' } } } };
  await laptop.api.send('PATCH', DEPLOYMENT, { spec }, MERGE);
  await laptop.until(
    'three new workers run, and no old one',
    async () => {
      const now = await workersOf(laptop, 'quickstart');
      return now.length === 3 && now.every((one) => isRunning(one) && !before.includes(one.metadata.uid));
    },
    PATIENCE_SECONDS,
  );
};

/** A worker's instance is terminated by somebody; EC2 tells of it, and the sweep finds it. */
const lose = async (laptop: RecordedLaptop): Promise<void> => {
  const [worker] = await workersOf(laptop, 'quickstart');
  const lost = worker?.spec.providerID?.split('/').at(-1) ?? '';
  await laptop.ec2.send(new TerminateInstancesCommand({ InstanceIds: [lost] }));
  await laptop.runtime.invoke('Windlass-drift', {});
  await laptop.until(
    'the lost worker is replaced',
    async () => {
      const now = await workersOf(laptop, 'quickstart');
      return now.length === 3 && now.every((one) => isRunning(one) && one.metadata.uid !== worker?.metadata.uid);
    },
    PATIENCE_SECONDS,
  );
};

/** People read Secrets through the API, and make some. */
const useSecrets = async (laptop: RecordedLaptop): Promise<void> => {
  const secrets = '/api/v1/namespaces/default/secrets';
  expect(await laptop.get(`${secrets}/quickstart-kubeconfig`)).toBeDefined();
  const metadata = { name: 'of-a-person', namespace: 'default' };
  await laptop.api.send('POST', secrets, { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { key: 'value' } });
};

export const change = async (laptop: RecordedLaptop): Promise<void> => {
  await useSecrets(laptop);
  await rollOver(laptop);
  await lose(laptop);
  await retag(laptop);
  await meddle(laptop, PATIENCE_SECONDS);
  await laptop.runtime.invoke('Windlass-drift', {});
  await laptop.runtime.invoke('Windlass-guard', { RequestType: 'Count' });
};

export const deleteAll = async (laptop: RecordedLaptop): Promise<void> => {
  for (const { name } of CLUSTERS) await laptop.api.send('DELETE', `${CORE}/clusters/${name}`);
  await laptop.until(
    'no cluster is left',
    async () => (await laptop.list(`${CORE}/clusters`)).length === 0,
    PATIENCE_SECONDS,
  );
};
