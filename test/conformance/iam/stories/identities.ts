/** Clusters in another account: with a role that the functions assume, and with the access key of a user. */

import type { AWSMachinePool } from '../../../../shared/kinds/index.ts';
import { IDENTITY_ANNOTATION } from '../../../../shared/kinds/rules/aws/wishes.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { SECRET_NAMESPACE } from '../../../../shared/providers/aws/plan/identity/annotations.ts';
import { INFRASTRUCTURE } from '../../../end-to-end/laptop.ts';
import type { RecordedLaptop } from '../recording.ts';
import { makePool, provideConfig } from './pools.ts';
import { applyAll, remove, runs, type Story, sweep } from './story.ts';

/**
 * Forwards late events as EventBridge in the spoke account would. The functions then query the instance's state in that
 * account.
 */
const tellOfInstances = async (laptop: RecordedLaptop, cluster: string): Promise<void> => {
  for (const { spec } of await laptop.machines(cluster)) {
    const detail = { 'instance-id': spec.providerID?.split('/').at(-1), state: 'stopped' };
    const time = new Date().toISOString();
    await laptop.runtime.invoke('Windlass-events', {
      version: '0',
      id: crypto.randomUUID(),
      'detail-type': 'EC2 Instance State-change Notification',
      source: 'aws.ec2',
      account: '111111111111',
      time,
      region: 'us-east-1',
      resources: [],
      detail,
    });
  }
};

/** Creates a pool without instances, with the same identity. */
const addPool = async (laptop: RecordedLaptop, cluster: string): Promise<void> => {
  const pool = `${cluster}-pool`;
  await makePool(laptop, cluster, { name: pool, replicas: 0, spec: {}, bootstrap: await provideConfig(laptop, pool) });
  await laptop.until(`${pool} is complete`, async () => {
    const { status } = (await laptop.get<AWSMachinePool>(`${INFRASTRUCTURE}/awsmachinepools/${pool}`)) ?? {};
    return status?.ready === true;
  });
};

const liveIn = async (laptop: RecordedLaptop, name: string, change: (object: KubeObject) => KubeObject) => {
  await applyAll(laptop, 'examples/spoke.yaml', change);
  await runs(laptop, name, 2);
  await addPool(laptop, name);
  await sweep(laptop);
  await tellOfInstances(laptop, name);
  await remove(laptop, name);
};

const spoke: Story = {
  name: 'spoke',
  run: (laptop) =>
    liveIn(laptop, 'spoke', (object) => {
      if (object.kind !== 'AWSClusterRoleIdentity') return object;
      const annotations = {
        [IDENTITY_ANNOTATION.sourceIdentity]: 'platform-team',
        [IDENTITY_ANNOTATION.sessionTags]: 'team=platform',
      };
      return { ...object, metadata: { ...object.metadata, annotations } };
    }),
};

/**
 * Uses the access key of a user. The key is in a Secret, which every function that calls AWS for the cluster decrypts.
 */
const withUser = (object: KubeObject): KubeObject => {
  const copy = JSON.parse(JSON.stringify(object).replaceAll('spoke', 'user')) as KubeObject;
  if (copy.kind === 'AWSClusterRoleIdentity')
    return {
      ...copy,
      kind: 'AWSClusterStaticIdentity',
      spec: { secretRef: 'user', allowedNamespaces: { list: ['default'] } },
    } as KubeObject;
  if (copy.kind !== 'AWSCluster') return copy;
  const { spec } = copy as unknown as { spec: object };
  return { ...copy, spec: { ...spec, identityRef: { kind: 'AWSClusterStaticIdentity', name: 'user' } } } as KubeObject;
};

const user: Story = {
  name: 'user',
  run: async (laptop) => {
    const { credentials } = laptop.account.spokes.values().next().value ?? {};
    await laptop.api.send('POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: SECRET_NAMESPACE },
    });
    await laptop.api.send('POST', `/api/v1/namespaces/${SECRET_NAMESPACE}/secrets`, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'user', namespace: SECRET_NAMESPACE },
      stringData: { AccessKeyID: credentials?.accessKeyId, SecretAccessKey: credentials?.secretAccessKey },
    });
    await liveIn(laptop, 'user', withUser);
  },
};

export const IDENTITY_STORIES: readonly Story[] = [spoke, user];
