import { GetConsoleOutputCommand } from '@aws-sdk/client-ec2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  AWSCluster,
  AWSMachineTemplate,
  Event,
  KubeadmControlPlane,
  MachineDeployment,
} from '../../../shared/kinds/index.ts';
import { SKIP_ANNOTATION } from '../../../shared/kinds/rules/aws/wishes.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import {
  CORE,
  conditionOf,
  INFRASTRUCTURE,
  renamed,
  startTestLaptop,
  type TestLaptop,
} from '../../end-to-end/laptop.ts';

const QUICKSTART = 'examples/quickstart.yaml';
const EVENTS = '/api/v1/namespaces/default/events';
let laptop: TestLaptop;
beforeAll(async () => {
  laptop = await startTestLaptop();
}, LIMIT);
afterAll(() => laptop?.stop());

/** The quickstart under another name, with one machine of each role to make the test fast. */
const small =
  (name: string, change: (object: KubeObject) => KubeObject = (object) => object) =>
  (object: KubeObject): KubeObject => {
    const copy = renamed(name)(object) as KubeObject & { spec: { replicas?: number } };
    if (copy.kind === 'KubeadmControlPlane' || copy.kind === 'MachineDeployment') copy.spec.replicas = 1;
    return change(copy);
  };

const available = (name: string) =>
  laptop.until(
    `${name} is Available`,
    async () => conditionOf(await laptop.cluster(name), 'Available')?.status === 'True',
  );

// This runs first: quotas are cached for ten seconds, and clusters of other tests would have cached the original limit.
describe('a quota that is used up', { timeout: LIMIT }, () => {
  it('is reported without a storm of calls, and the clusters succeed once there is room', async () => {
    const { account } = laptop;
    const before = account.settings.quotas.vpcs;
    account.settings.quotas.vpcs = 0;
    const started = laptop.runtime.executions().length;
    const bold = (object: KubeObject): KubeObject => {
      if (object.kind !== 'AWSCluster') return object;
      // A cluster without a region is created in the region of the stack.
      const { region: _, ...spec } = (object as AWSCluster).spec;
      const annotations = { [SKIP_ANNOTATION]: 'quotas' };
      return { ...object, metadata: { ...object.metadata, annotations }, ...{ spec } };
    };
    try {
      await laptop.applyFile(QUICKSTART, small('poor'));
      await laptop.applyFile(QUICKSTART, small('bold', bold));
      const named = (cluster: string, code: string) =>
        laptop.until(`the quota of ${cluster} is named`, async () => {
          const awsCluster = await laptop.get<AWSCluster>(`${INFRASTRUCTURE}/awsclusters/${cluster}`);
          const ready = awsCluster?.status?.conditions?.find(({ type }) => type === 'VpcReady');
          return ready?.status === 'False' && ready.message?.includes(code);
        });
      // The first is found before anything is created. For the second this check is skipped, so that the call itself
      // fails.
      const codes = ['L-F678F1CE', 'VpcLimitExceeded'] as const;
      await Promise.all([named('poor', codes[0]), named('bold', codes[1])]);
      const eventsOf = async (code: string) =>
        (await laptop.list<Event>(EVENTS)).filter(({ message }) => message?.includes(code));
      for (const code of codes) {
        // The event is written after the condition.
        await laptop.until(`${code} is told`, async () => (await eventsOf(code)).length > 0);
        expect(await eventsOf(code)).toHaveLength(1);
      }
      expect(laptop.runtime.executions().length - started).toBeLessThan(50);
    } finally {
      account.settings.quotas.vpcs = before;
    }
    await Promise.all(['poor', 'bold'].map(available));
  });
});

describe('apply', { timeout: LIMIT }, () => {
  it.each([
    {
      reason: 'an even number of control plane machines',
      change: (object: KubeObject) => {
        if (object.kind === 'KubeadmControlPlane') (object as KubeadmControlPlane).spec.replicas = 2;
        return object;
      },
      message: /spec\.replicas: .*cannot be an even number when etcd is stacked/,
    },
    {
      reason: 'a version without a minor',
      change: (object: KubeObject) => {
        if (object.kind === 'KubeadmControlPlane') (object as KubeadmControlPlane).spec.version = 'v1';
        return object;
      },
      message: /spec\.version: .*v1/,
    },
    {
      reason: 'an unknown field',
      change: (object: KubeObject) => {
        if (object.kind === 'MachineDeployment') Object.assign((object as MachineDeployment).spec, { replica: 3 });
        return object;
      },
      message: /unknown field "spec\.replica"/,
    },
    {
      reason: 'a name that is too long',
      change: (object: KubeObject) =>
        object.kind === 'Cluster' ? { ...object, metadata: { ...object.metadata, name: 'x'.repeat(64) } } : object,
      message: /metadata\.name: .*must be no more than 63/,
    },
  ])('refuses $reason, and names the field', async ({ change, message }) => {
    const refusals = await laptop.applyFile(QUICKSTART, small('refused', change));
    expect(refusals).toHaveLength(1);
    expect(refusals[0]).toMatch(message);
  });
});

describe('a missing object', { timeout: LIMIT }, () => {
  it('is named in a condition and one event, and the cluster continues as soon as it exists', async () => {
    const isTemplate = ({ kind, metadata }: KubeObject) =>
      kind === 'AWSMachineTemplate' && metadata.name.includes('-md-');
    let template: KubeObject | undefined;
    await laptop.applyFile(
      QUICKSTART,
      small('late', (object) => {
        // Also tests that machines fetch their bootstrap data from the other store.
        if (object.kind === 'AWSMachineTemplate') {
          const { spec } = (object as AWSMachineTemplate).spec.template;
          spec.cloudInit = { secureSecretsBackend: 'ssm-parameter-store' };
        }
        if (!isTemplate(object)) return object;
        template = object;
        return { ...object, metadata: { ...object.metadata, name: 'another' } };
      }),
    );
    const text = await laptop.until('the deployment says what is missing', async () => {
      const deployment = await laptop.get<MachineDeployment>(`${CORE}/machinedeployments/late-md-0`);
      return conditionOf(deployment, 'ScalingUp')?.message?.match(/AWSMachineTemplate .*/)?.[0];
    });
    expect(text).toContain('AWSMachineTemplate default/late-md-0 does not exist');

    await laptop.api.send('POST', `${INFRASTRUCTURE}/awsmachinetemplates`, template as AWSMachineTemplate);
    await available('late');
    const stored = (await laptop.list<Event>(EVENTS)).filter(
      ({ reason, involvedObject }) =>
        reason === 'SuccessfulCreateBootstrapSecret' && involvedObject?.name?.startsWith('late-'),
    );
    expect(stored.map(({ message }) => message)).toEqual(
      Array.from({ length: 2 }, () => expect.stringMatching(/^Stored the bootstrap data as \/cluster\.x-k8s\.io\//)),
    );
  });
});

describe('a machine whose user data is wrong', { timeout: LIMIT }, () => {
  it('never becomes a node, and its console shows why', async () => {
    await laptop.applyFile(
      QUICKSTART,
      small('sabotaged', (object) => {
        // The cluster does not know this token.
        if (object.kind !== 'KubeadmConfigTemplate') return object;
        const template = object as KubeObject & {
          spec: { template: { spec: { joinConfiguration: Record<string, unknown> } } };
        };
        template.spec.template.spec.joinConfiguration.discovery = {
          bootstrapToken: { token: 'aaaaaa.bbbbbbbbbbbbbbbb' },
        };
        return object;
      }),
    );
    const worker = await laptop.until('the worker runs without a node', async () => {
      const machines = await laptop.machines('sabotaged');
      const found = machines.find(({ metadata }) => metadata.name.includes('-md-'));
      return found?.status?.phase === 'Provisioned' && found;
    });
    const id = worker.spec.providerID?.split('/').at(-1) ?? '';
    const log = await laptop.until('the console says why', async () => {
      const text = laptop.console(id).join('\n');
      return /token/i.test(text) && text;
    });
    expect(log).not.toContain('aaaaaa.bbbbbbbbbbbbbbbb');
    const { Output } = await laptop.ec2.send(new GetConsoleOutputCommand({ InstanceId: id }));
    expect(Buffer.from(Output ?? '', 'base64').toString()).toContain('cloud-init');
  });
});
