/** The quickstart's cluster: it is created, rolled out, damaged and repaired, swept, and deleted. */
import { DescribeInstancesCommand, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import type { AWSMachineTemplate, Machine } from '../../../../shared/kinds/index.ts';
import { CORE, INFRASTRUCTURE } from '../../../end-to-end/laptop.ts';
import type { RecordedLaptop } from '../recording.ts';
import { meddleWithInstances } from './instances.ts';
import { applyAll, isRunning, MERGE, remove, runs, SECRETS, type Story, sweep } from './story.ts';
import { leaveNode } from './workload.ts';

const NAME = 'quickstart';
const DEPLOYMENT = `${CORE}/machinedeployments/${NAME}-md-0`;
const HOOK = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/someone';

const workers = async (laptop: RecordedLaptop): Promise<Machine[]> =>
  (await laptop.machines(NAME)).filter(({ metadata }) => metadata.name.includes('-md-'));

const instanceOf = (machine: Machine | undefined): string => machine?.spec.providerID?.split('/').at(-1) ?? '';

/** Waits until exactly three workers are running and none of them is in `gone`. */
const replaced = (laptop: RecordedLaptop, what: string, gone: readonly (Machine | undefined)[]): Promise<unknown> => {
  const before = gone.map((machine) => machine?.metadata.uid);
  const look = async (): Promise<boolean> => {
    const now = await workers(laptop);
    return now.length === 3 && now.every((one) => isRunning(one) && !before.includes(one.metadata.uid));
  };
  return laptop.until(what, look);
};

/** Rolls the workers out with another instance type, and with an image whose id the template contains. */
const rollOver = async (laptop: RecordedLaptop): Promise<void> => {
  const templates = `${INFRASTRUCTURE}/awsmachinetemplates`;
  const template = await laptop.get<AWSMachineTemplate>(`${templates}/${NAME}-md-0`);
  const before = await workers(laptop);
  const { Reservations = [] } = await laptop.ec2.send(
    new DescribeInstancesCommand({ InstanceIds: [instanceOf(before[0])] }),
  );
  const ami = { id: Reservations[0]?.Instances?.[0]?.ImageId };
  await laptop.api.send('POST', templates, {
    ...template,
    metadata: { name: `${NAME}-md-1`, namespace: 'default' },
    spec: { template: { spec: { ...template?.spec.template.spec, instanceType: 't3.xlarge', ami } } },
  });
  const spec = { template: { spec: { infrastructureRef: { name: `${NAME}-md-1` } } } };
  await laptop.api.send('PATCH', DEPLOYMENT, { spec }, MERGE);
  await replaced(laptop, 'three new workers run, and no old one', before);
};

/** A worker's instance is terminated outside Windlass, which EC2 reports and the sweep detects. Its node remains. */
const lose = async (laptop: RecordedLaptop): Promise<void> => {
  const [worker] = await workers(laptop);
  await laptop.ec2.send(new TerminateInstancesCommand({ InstanceIds: [instanceOf(worker)] }));
  await sweep(laptop);
  await replaced(laptop, 'the lost worker is replaced', [worker]);
  await leaveNode(laptop, NAME, instanceOf(worker));
};

/** A worker is deleted, but a hook blocks its drain for a while. */
const holdBack = async (laptop: RecordedLaptop): Promise<void> => {
  const [worker] = await workers(laptop);
  const path = `${CORE}/machines/${worker?.metadata.name}`;
  const hold = (value: string | null) =>
    laptop.api.send('PATCH', path, { metadata: { annotations: { [HOOK]: value } } }, MERGE);
  await hold('');
  await laptop.api.send('DELETE', path);
  const isHeld = async (): Promise<boolean> => {
    const { conditions = [] } = (await laptop.get<Machine>(path))?.status ?? {};
    return conditions.some(({ type, reason }) => type === 'Deleting' && reason === 'WaitingForPreDrainHook');
  };
  await laptop.until('the drain is held back', isHeld);
  await hold(null);
  await replaced(laptop, 'the deleted worker is replaced', [worker]);
};

/** Users read Secrets through the API, and create some. */
const useSecrets = async ({ api, get }: RecordedLaptop): Promise<void> => {
  if (!(await get(`${SECRETS}/${NAME}-kubeconfig`))) throw new Error('there is no kubeconfig');
  const metadata = { name: 'of-a-person', namespace: 'default' };
  await api.send('POST', SECRETS, { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { key: 'value' } });
};

export const quickstart: Story = {
  name: NAME,
  run: async (laptop) => {
    await applyAll(laptop, 'examples/quickstart.yaml');
    await runs(laptop, NAME, 6);
    await useSecrets(laptop);
    await rollOver(laptop);
    await lose(laptop);
    await holdBack(laptop);
    await meddleWithInstances(laptop, NAME, await workers(laptop));
    await sweep(laptop);
    await laptop.runtime.invoke('Windlass-guard', { RequestType: 'Count' });
    await remove(laptop, NAME);
  },
};
