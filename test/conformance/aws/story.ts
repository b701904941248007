/**
 * The lifecycle of a small cluster, the same on every implementation of AWS, and the contents of the account after each
 * step.
 */
import { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import type { LaptopOptions } from '../../../infra/cli/laptop.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { CORE, type TestLaptop } from '../../end-to-end/laptop.ts';
import { balancerLines } from './balancer-resources.ts';
import { ec2Lines, tagLines } from './resources.ts';

const MERGE = 'application/merge-patch+json';

/** The smallest cluster with all resources: one control plane machine, one worker, three zones. */
const small = (object: KubeObject): KubeObject => {
  if (!['KubeadmControlPlane', 'MachineDeployment'].includes(object.kind)) return object;
  const { spec } = object as { spec?: object };
  return { ...object, spec: { ...spec, replicas: 1 } } as KubeObject;
};

const hasWorkers = (laptop: TestLaptop, workers: number) => async () => {
  const status = (await laptop.cluster('quickstart'))?.status;
  const { availableReplicas, replicas } = status?.workers ?? {};
  return status?.controlPlane?.availableReplicas === 1 && availableReplicas === workers && replicas === workers;
};

/** The cluster's conditions that are not True, for the message of a failure. */
const complaintsOf = async (laptop: TestLaptop): Promise<string> => {
  const conditions = (await laptop.cluster('quickstart'))?.status?.conditions ?? [];
  return conditions
    .flatMap(({ status, type, message }) => (status === 'True' ? [] : [`${type}: ${message}`]))
    .join('\n');
};

const until = async (laptop: TestLaptop, what: string, look: () => Promise<boolean>): Promise<void> => {
  try {
    await laptop.until(what, look);
  } catch (error) {
    throw new Error(`${what}: ${await complaintsOf(laptop)}`, { cause: error });
  }
};

const scaleTo = async (laptop: TestLaptop, replicas: number): Promise<void> => {
  await laptop.api.send('PATCH', `${CORE}/machinedeployments/quickstart-md-0`, { spec: { replicas } }, MERGE);
  await until(laptop, `there are ${replicas} workers`, hasWorkers(laptop, replicas));
};

const resourcesOf = async ({ ec2, access }: TestLaptop): Promise<string[]> => {
  const options = { region: access.region, endpoint: access.awsUrl, credentials: access.credentials };
  return [...(await ec2Lines(ec2)), ...(await balancerLines(new ElasticLoadBalancingV2Client(options)))];
};

/** Records the secrets that the functions create, because machines delete them while they boot. */
export const noteSecrets = () => {
  const lines = new Set<string>();
  const calls: LaptopOptions['calls'] = {
    onRequest: ({ service, operation, request }) => {
      if (service !== 'secretsmanager' || operation !== 'CreateSecret') return;
      const { Name = '', SecretBinary, Tags = [] } = JSON.parse(request.body.toString());
      const what = `secret ${String(Name).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '*')}`;
      lines.add(`${what} binary=${SecretBinary !== undefined}`);
      for (const line of tagLines(what, Tags)) lines.add(line);
    },
  };
  return { calls, lines };
};

export interface Chapter {
  title: string;
  /** The contents of the account after this step. */
  resources: string[];
}

/**
 * Creates a cluster with one worker, scales to two workers and back to one. Rejects with the cluster's conditions if a
 * step fails.
 */
export const tellStory = async (laptop: TestLaptop, secrets: ReadonlySet<string>): Promise<Chapter[]> => {
  const refusals = await laptop.applyFile('examples/quickstart.yaml', small);
  if (refusals.length > 0) throw new Error(refusals.join('\n'));
  await until(laptop, 'all machines are there', hasWorkers(laptop, 1));
  const chapters = [{ title: 'created', resources: [...(await resourcesOf(laptop)), ...secrets] }];
  for (const workers of [2, 1]) {
    await scaleTo(laptop, workers);
    chapters.push({ title: `scaled to ${workers}`, resources: await resourcesOf(laptop) });
  }
  return chapters;
};

/** Deletes the cluster. Rejects with its conditions if it is not deleted. */
export const endStory = async (laptop: TestLaptop): Promise<void> => {
  await laptop.api.send('DELETE', `${CORE}/clusters/quickstart`);
  await until(laptop, 'it is gone', async () => !(await laptop.cluster('quickstart')));
};
