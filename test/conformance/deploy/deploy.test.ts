import { writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMIT, PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import { fillAccount } from '../aws/account.ts';
import { programOf } from '../aws/emulator.ts';
import { type EmptyAccount, startAccount } from './account.ts';
import { blocksOf, settingsOf, tableCommandsOf } from './document.ts';
import { programsOf } from './programs.ts';
import { type Reader, startReader, type Typed } from './reader.ts';

const REGION = 'eu-central-1';

const program = programOf('ministack');

/** Blocks that no emulator supports, by their first command, and the reason. All other blocks are executed. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'kubectl wait --for=condition=ControlPlaneInitialized':
    'ministack boots no machines: the quickstart suite gets the kubeconfig of the local mode',
};

const isLeftOut = (commands: string): boolean => Object.keys(LEFT_OUT).some((start) => commands.startsWith(start));

// The tests run in the order of the document.
describe.skipIf(!program)('docs/deploy.md', () => {
  const blocks = blocksOf().filter(({ commands }) => !isLeftOut(commands));
  let account: EmptyAccount;
  let reader: Reader;

  const type = (commands: string): Promise<Typed> => reader.type(commands);
  const must = async (commands: string): Promise<string> => {
    const { code, text } = await type(commands);
    if (code !== 0) throw new Error(`ended with ${code}:\n${commands}\n${text.slice(-4000)}`);
    return text;
  };
  /** Executes the next block, which must be under this heading. `change` adapts its commands. */
  const next = async (heading: string, change = (commands: string) => commands): Promise<Typed> => {
    const block = blocks.shift();
    expect(block?.heading).toBe(heading);
    return type(change(block?.commands ?? ''));
  };
  const passes = async (heading: string, change?: (commands: string) => string): Promise<string> => {
    const { code, text } = await next(heading, change);
    expect({ code, text: code === 0 ? '' : text.slice(-4000) }).toEqual({ code: 0, text: '' });
    return text;
  };
  /** In place of those in cdk.json, which is the checkout's own. */
  const SETTINGS = settingsOf('3. Deploy');
  const withSettings = (settings: string) => (commands: string) => {
    expect(commands).toContain('npm run deploy');
    return commands.replace('npm run deploy', `$& -- ${settings}`);
  };
  const ask = async (command: string): Promise<unknown> =>
    JSON.parse(await must(`env -u AWS_PAGER aws ${command} --output json`));

  beforeAll(async () => {
    account = await startAccount(program ?? '', REGION);
    const home = await mkdtemp(join(tmpdir(), 'windlass-deploy-'));
    const [credentials, ca] = [join(home, 'credentials'), join(home, 'ca.pem')];
    writeFileSync(credentials, '[platform]\naws_access_key_id = test\naws_secret_access_key = test\n');
    writeFileSync(ca, account.proxy.caPem);
    const environment = {
      AWS_ENDPOINT_URL: account.url,
      AWS_SHARED_CREDENTIALS_FILE: credentials,
      AWS_CONFIG_FILE: '/dev/null',
    };
    reader = startReader({ environment, programs: programsOf({ proxy: account.proxy.url, ca }) });
  }, LIMIT);
  afterAll(async () => {
    reader?.close();
    await account?.close();
  }, LIMIT);

  it(
    'bootstraps the account for the CDK',
    async () => {
      expect(await passes('1. Credentials')).toContain('bootstrapped');
      expect(reader.standInCalls()).toEqual(['npm ci']);
    },
    LIMIT,
  );

  it(
    'creates a role that the account may assume',
    async () => {
      await passes('2. A role for administrators');
      const { Role } = (await ask('iam get-role --role-name WindlassAdmin')) as {
        Role: { Arn: string; AssumeRolePolicyDocument: { Statement: { Principal: { AWS: string } }[] } };
      };
      expect(Role.Arn).toBe('arn:aws:iam::000000000000:role/WindlassAdmin');
      const principals = Role.AssumeRolePolicyDocument.Statement.map(({ Principal }) => Principal.AWS);
      expect(principals).toEqual(['arn:aws:iam::000000000000:root']);
    },
    LIMIT,
  );

  interface Stack {
    StackStatus: string;
    EnableTerminationProtection: boolean;
  }
  interface Resource {
    ResourceType: string;
    PhysicalResourceId: string;
  }
  const stack = async (): Promise<Stack | undefined> =>
    ((await ask('cloudformation describe-stacks --stack-name Windlass')) as { Stacks: Stack[] }).Stacks[0];

  const resource = async (type: string): Promise<string> => {
    const { StackResources } = (await ask('cloudformation describe-stack-resources --stack-name Windlass')) as {
      StackResources: Resource[];
    };
    return StackResources.find(({ ResourceType }) => ResourceType === type)?.PhysicalResourceId ?? '';
  };

  it(
    'deploys the stack, protected and tagged, and prints the next steps',
    async () => {
      const text = await passes('3. Deploy', withSettings(SETTINGS));
      const [kubeconfig = ''] = blocks.find(({ heading }) => heading === '5. kubectl')?.commands.split('\n') ?? [];
      expect(text).toContain(kubeconfig);
      expect(await stack()).toMatchObject({ StackStatus: 'CREATE_COMPLETE', EnableTerminationProtection: true });
      const { Tags } = (await ask(`kms list-resource-tags --key-id ${await resource('AWS::KMS::Key')}`)) as {
        Tags: unknown[];
      };
      expect(Tags).toContainEqual({ TagKey: 'team', TagValue: 'platform' });
      const { Subscriptions } = (await ask('sns list-subscriptions')) as {
        Subscriptions: { Protocol: string; Endpoint: string }[];
      };
      expect(Subscriptions).toMatchObject([{ Protocol: 'email', Endpoint: 'ops@example.com' }]);
    },
    LIMIT,
  );

  it(
    'calls clusterawsadm to create the roles of the machines',
    async () => {
      await passes('4. What clusters need in the account');
      expect(reader.standInCalls()).toContain('clusterawsadm bootstrap iam create-cloudformation-stack');
      await fillAccount(account.url);
    },
    LIMIT,
  );

  it(
    'gives kubectl access with the role, at AWS’s addresses',
    async () => {
      expect((await passes('5. kubectl')).trim().split('\n').at(-1)).toBe('yes');
      expect(await must('kubectl auth whoami')).toContain('arn:aws:iam::000000000000:role/WindlassAdmin');
    },
    LIMIT,
  );

  it(
    'shows the effects of a cluster, and applies it',
    async () => {
      const planning = 'npm run windlass -- plan -f examples/quickstart.yaml';
      const text = await passes('6. A cluster', (commands) => {
        expect(commands).toContain(planning);
        return (
          commands
            // The test's proxy is in HTTPS_PROXY, which kubectl uses and `windlass plan` does not.
            .replace(planning, 'kubectl apply -f examples/quickstart.yaml --dry-run=server')
            // A user would end the watch after a while.
            .replace(/^kubectl .* --watch$/gm, 'timeout 5 $& || test $? = 124')
        );
      });
      expect(text.match(/created \(server dry run\)/g)).toHaveLength(7);
      expect(text.match(/^\S+ created$/gm)).toHaveLength(7);
    },
    LIMIT,
  );

  it('divides the concurrent executions of the account', async () => {
    await passes('Concurrency', withSettings(`${SETTINGS} ${settingsOf('Concurrency')}`));
    expect(await stack()).toMatchObject({ StackStatus: expect.stringMatching(/_COMPLETE$/) as unknown });
  });

  it('limits the contents of a namespace', async () => {
    await must('kubectl create namespace team-a');
    expect(await passes('Quotas')).toContain('count/clusters.cluster.x-k8s.io');
  });

  it(
    'is deployed again with the settings of the first deployment, and keeps its objects',
    async () => {
      await passes('Upgrading', withSettings(SETTINGS));
      expect(reader.standInCalls()).toContain('git pull --rebase --autostash');
      expect(await must('kubectl get clusters -o name')).toContain('cluster.cluster.x-k8s.io/quickstart');
    },
    LIMIT,
  );

  const until = async (what: string, look: () => Promise<boolean>): Promise<void> => {
    const end = Date.now() + PATIENCE_SECONDS * 1000;
    while (!(await look())) {
      if (Date.now() > end)
        throw new Error(`not within ${PATIENCE_SECONDS} s: ${what}\n${await must('kubectl get events')}`);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  };

  it(
    'creates the network and the first machine of the cluster',
    async () => {
      await until('an instance', async () =>
        (await must('kubectl get awsmachines -o yaml')).includes('instanceID: i-'),
      );
    },
    LIMIT,
  );

  const AWAY = 'Removing Windlass';
  const COMPLETE: unknown = expect.stringMatching(/^(CREATE|UPDATE)_COMPLETE$/);

  it(
    'cannot delete the stack while it is protected',
    async () => {
      const { code, text } = await type('aws cloudformation delete-stack --stack-name Windlass');
      expect(text).toContain('TerminationProtection');
      expect(code).not.toBe(0);
      expect(await stack()).toMatchObject({ StackStatus: COMPLETE });
    },
    LIMIT,
  );

  it(
    'cannot delete the stack while there are clusters, names them, and leaves the stack unchanged',
    async () => {
      const [, destruction] = blocks;
      expect(destruction?.heading).toBe(AWAY);
      const { code, text } = await type(destruction?.commands ?? '');
      expect(text).toContain('default/quickstart');
      expect(code).toBe(1);
      expect(await stack()).toMatchObject({ StackStatus: COMPLETE, EnableTerminationProtection: false });
    },
    LIMIT,
  );

  it(
    'deletes the clusters',
    async () => {
      expect(await passes(AWAY)).toContain('No resources found');
    },
    LIMIT,
  );

  let [table, key] = ['', ''];
  it(
    'then deletes the stack, except for the table and its key',
    async () => {
      table = await resource('AWS::DynamoDB::Table');
      key = await resource('AWS::KMS::Key');
      // Only the last line is left to execute: the preceding step has already removed the protection.
      await passes(AWAY, (commands) => commands.split('\n').at(-1) ?? '');
      expect((await type('aws cloudformation describe-stacks --stack-name Windlass')).text).toContain('does not exist');
    },
    LIMIT,
  );

  it(
    'deletes the remaining table and key',
    async () => {
      const real = (command: string): string =>
        command.replace('--table-name NAME', `--table-name ${table}`).replace('--key-id ID', `--key-id ${key}`);
      for (const command of tableCommandsOf().filter((one) => /NAME|ID/.test(one))) await must(real(command));
      expect(await ask('dynamodb list-tables')).toEqual({ TableNames: [] });
      expect(await ask(`kms describe-key --key-id ${key}`)).toMatchObject({
        KeyMetadata: { KeyState: 'PendingDeletion' },
      });
    },
    LIMIT,
  );

  it('has been executed to the end', () => {
    expect(blocks).toEqual([]);
  });
});
