import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { CORE, makeTestCluster, type TestCluster } from '../../../functions/preview/test-cluster.ts';
import { systemClock } from '../../../shared/clock.ts';
import type {
  AWSCluster,
  AWSMachinePool,
  AWSMachineTemplate,
  KubeadmControlPlane,
  MachineDeployment,
} from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { systemRandom } from '../../../shared/random.ts';
import { type Account, createAccount } from '../../local/account.ts';
import { startAws } from '../../local/aws.ts';
import { createDataPlane } from '../../local/engines/elbv2/data-plane.ts';
import { addKey } from '../../local/engines/kms/state.ts';
import { accountFacts } from '../api/account-facts.ts';
import { ApiError, statusOf } from '../api/client.ts';
import type { Context } from '../api/kubeconfig-client.ts';
import { type Manifest, readManifests } from '../apply/manifest.ts';
import { ROOT } from '../paths.ts';
import { costChangeText } from './cost.ts';
import { planManifests } from './plan.ts';
import { planText } from './print.ts';

let cluster: TestCluster;
let context: Context;
beforeAll(async () => {
  cluster = await makeTestCluster();
  const send: Context['api']['send'] = async (method, path, body) => {
    const answer = await cluster.send(method, path, body as object | undefined);
    if (answer.code > 299) throw new ApiError(statusOf({ code: answer.code, text: JSON.stringify(answer.body) }));
    return answer.body;
  };
  context = { api: { send, close: () => {} }, namespace: 'default' };
});

const quickstart = (change: (object: KubeObject) => void): Manifest[] =>
  readManifests(join(ROOT, 'examples', 'quickstart.yaml')).map(({ file, object }) => {
    change(object);
    return { file, object };
  });

const upgraded = (object: KubeObject): void => {
  if (object.kind === 'KubeadmControlPlane') (object as KubeadmControlPlane).spec.version = 'v1.34.2';
  if (object.kind === 'MachineDeployment') (object as MachineDeployment).spec.template.spec.version = 'v1.34.2';
};

describe('a plan of manifests', () => {
  it('covers all manifests together, and equals the one in docs/plan.md', async () => {
    const manifests = quickstart(upgraded).filter(({ object }) => /ControlPlane$|Deployment$/.test(object.kind));
    const text = planText(await planManifests(context, manifests, cluster.clock));

    expect(readFileSync(join(ROOT, 'docs', 'plan.md'), 'utf8')).toContain(text.trimEnd());
    const versions = (await cluster.machines()).map(({ spec }) => spec.version);
    expect(new Set(versions)).toEqual(new Set(['v1.34.0']));
  });

  it('shows new objects as created, whatever version the manifests use', async () => {
    const text = JSON.stringify(quickstart(() => {}).map(({ object }) => object)).replaceAll('quickstart', 'another');
    const manifests = (JSON.parse(text) as KubeObject[]).map((object) => ({ file: 'another.yaml', object }));
    const found = await planManifests(context, manifests, cluster.clock);

    expect(found.refused).toEqual([]);
    expect(found.objects.map(({ outcome }) => outcome)).toEqual(manifests.map(() => 'created'));
    expect(planText(found)).toContain(
      [
        'Cluster default/another:',
        '  creates VPC 10.0.0.0/16 with a public and a private subnet in up to 3 availability zones, an internet gateway, NAT gateways, route tables, security groups and a load balancer',
        '  KubeadmControlPlane another-control-plane creates 3 Machines, all at once',
        '  MachineDeployment another-md-0 creates 3 Machines, all at once',
        '  costs about 520 USD a month more (AWS list prices of us-east-1, 2026-07-20)',
      ].join('\n'),
    );
  });

  it('omits refused objects, and says why', async () => {
    const even = (object: KubeObject): void => {
      if (object.kind === 'KubeadmControlPlane') (object as KubeadmControlPlane).spec.replicas = 2;
      if (object.kind === 'MachineDeployment') (object as MachineDeployment).spec.replicas = 4;
    };
    const found = await planManifests(context, quickstart(even), cluster.clock);

    expect(found.refused).toEqual([expect.stringMatching(/spec\.replicas: .*cannot be an even number/)]);
    expect(found.clusters).toMatchObject([{ owners: [{ owner: { kind: 'MachineDeployment' } }] }]);
    const { body } = await cluster.send('GET', `${CORE}/machinedeployments/quickstart-md-0`);
    expect(body.spec.replicas).toBe(3);
  });
});

describe('the cost in a plan', () => {
  const costsOf = async (change: (object: KubeObject) => void, more: Manifest[] = []) =>
    (await planManifests(context, [...more, ...quickstart(change)], cluster.clock)).costs;

  const scaled =
    (replicas: number) =>
    (object: KubeObject): void => {
      if (object.kind === 'MachineDeployment') (object as MachineDeployment).spec.replicas = replicas;
    };

  it.each([
    [5, 127.87],
    [1, -127.87],
    [3, 0],
  ])('of a change to %i workers is that of the instances and their volumes', async (replicas, usdPerMonth) => {
    const costs = await costsOf(scaled(replicas));
    expect(costs.map((one) => one.usdPerMonth)).toEqual(usdPerMonth === 0 ? [] : [usdPerMonth]);
  });

  it('of a rollout is the difference between the old and the new template', async () => {
    const [template] = quickstart(() => {}).filter(
      ({ object }) => object.kind === 'AWSMachineTemplate' && object.metadata.name === 'quickstart-md-0',
    );
    if (template === undefined) throw new Error('no template');
    const larger = structuredClone(template.object) as AWSMachineTemplate;
    larger.metadata.name = 'larger';
    larger.spec.template.spec.instanceType = 't3.xlarge';
    const renamed = (object: KubeObject): void => {
      if (object.kind === 'MachineDeployment')
        (object as MachineDeployment).spec.template.spec.infrastructureRef.name = 'larger';
    };
    const costs = await costsOf(renamed, [{ file: 'larger.yaml', object: larger }]);
    expect(costs).toEqual([
      {
        cluster: 'default/quickstart',
        usdPerMonth: 182.21,
        isPartial: false,
        sources: ['AWS list prices of us-east-1, 2026-07-20'],
      },
    ]);
  });

  it('is shown as less if it decreases, and mentions types without a known price', () => {
    const change = { cluster: 'default/a', usdPerMonth: -127.87, isPartial: false, sources: ['your prices'] };
    expect(costChangeText(change)).toBe('costs about 128 USD a month less (your prices)');
    expect(costChangeText({ ...change, usdPerMonth: 5, isPartial: true })).toBe(
      'costs about 5.00 USD a month more, not counting what has no known price (your prices)',
    );
    expect(costChangeText({ ...change, usdPerMonth: 0 })).toBe('');
    expect(costChangeText({ ...change, usdPerMonth: 0, isPartial: true })).toMatch(/^changes the cost .* not known/);
  });
});

describe('the plan of a MachinePool', () => {
  const pooled = (change: (object: KubeObject) => void): Manifest[] =>
    readManifests(join(ROOT, 'examples', 'machine-pool.yaml'))
      .filter(({ object }) => object.metadata.name === 'pooled-workers')
      .map(({ file, object }) => {
        const text = JSON.stringify(object).replaceAll('"clusterName":"pooled"', '"clusterName":"quickstart"');
        const own = JSON.parse(text) as KubeObject;
        change(own);
        return { file, object: own };
      });

  const placed = (object: KubeObject): void => {
    if (object.kind !== 'AWSMachinePool') return;
    const { spec } = object as AWSMachinePool;
    if (spec) spec.subnets = [{ id: 'subnet-0123456789abcdef0' }];
  };

  it('shows what a new pool creates and costs, as in docs/plan.md', async () => {
    const text = planText(await planManifests(context, pooled(placed), cluster.clock));
    expect(text).toContain('costs about 121 USD a month more');
    expect(readFileSync(join(ROOT, 'docs', 'plan.md'), 'utf8')).toContain(text.trimEnd());
  });
});

describe('the pre-flight of a plan', () => {
  const renamed = (): Manifest[] => {
    const text = JSON.stringify(quickstart(() => {}).map(({ object }) => object)).replaceAll('quickstart', 'third');
    return (JSON.parse(text) as KubeObject[]).map((object) => ({ file: 'third.yaml', object }));
  };

  const planned = async (change: (account: Account) => void, manifests = renamed()) => {
    const account = createAccount({ clock: systemClock, random: systemRandom });
    change(account);
    const aws = await startAws({ account, dataPlane: createDataPlane(), bindListeners: false });
    try {
      const options = { endpoint: aws.url, region: account.region, credentials: account.credentials };
      return await planManifests(context, manifests, cluster.clock, (region) => accountFacts(options, region));
    } finally {
      await aws.close();
    }
  };

  it('says that the account has everything that a new cluster needs', async () => {
    const text = planText(await planned(() => {}));
    expect(text).toContain('Pre-flight checks of Cluster default/third: the account has what it needs\n');
  });

  it('lists what the account lacks, with the names of quotas and fields', async () => {
    const found = await planned(({ settings }) => {
      settings.quotas.addresses = 2;
      settings.missingInstanceProfiles.push('nodes.cluster-api-provider-aws.sigs.k8s.io');
    });
    expect(found.refused).toEqual([]);
    expect(found.preflight[0]?.missing).toEqual([
      expect.stringMatching(/^quota "EC2-VPC Elastic IPs" \(L-0263D0A3\) is 2, 0 of it used, and the cluster needs 3/),
      expect.stringContaining('nodes.cluster-api-provider-aws.sigs.k8s.io'),
    ]);
  });

  const pooled = (change: (object: KubeObject) => void = () => {}): Manifest[] =>
    readManifests(join(ROOT, 'examples', 'machine-pool.yaml')).map(({ file, object }) => {
      change(object);
      return { file, object };
    });

  it('lists what the account and the objects lack for a pool, with the names of fields', async () => {
    const fine = await planned(() => {}, pooled());
    expect(fine.preflight).toEqual([{ cluster: 'default/pooled', missing: [], unseen: [] }]);

    // Hashes look random, so they cannot be compressed.
    const hash = (at: number) => createHash('sha512').update(`${at}`).digest('base64');
    const files = [0, 100, 200].map((from) => ({
      path: `/etc/${from}`,
      content: Array.from({ length: 100 }, (_, at) => hash(from + at)).join('\n'),
    }));
    const wrong = pooled((object) => {
      const { spec } = object as AWSMachinePool;
      if (object.kind === 'KubeadmConfig') Object.assign(spec ?? {}, { files });
      if (object.kind !== 'AWSMachinePool' || !spec) return;
      spec.subnets = [{ id: 'subnet-0123456789abcdef0' }];
      spec.awsLaunchTemplate.instanceType = 't9.huge';
      spec.awsLaunchTemplate.iamInstanceProfile = 'mine';
      spec.awsLaunchTemplate.ami = { id: 'ami-0123456789abcdef0' };
    });
    const found = await planned(({ settings }) => {
      settings.autoScalingGroups = 0;
      settings.missingInstanceProfiles.push('mine');
    }, wrong);
    expect(found.refused).toEqual([]);
    expect(found.preflight[0]?.missing).toEqual([
      expect.stringMatching(/^the region may have 0 Auto Scaling groups, 0 exist, and the cluster needs 1: raise/),
      'AWSMachinePool pooled-workers spec.awsLaunchTemplate.instanceType: EC2 has no instance type t9.huge in the region',
      expect.stringMatching(
        /^AWSMachinePool pooled-workers spec\.awsLaunchTemplate\.ami\.id: there is no image with ami-/,
      ),
      expect.stringMatching(/^AWSMachinePool pooled-workers spec\.awsLaunchTemplate\.iamInstanceProfile: there is no/),
      expect.stringMatching(/spec\.subnets\[0\]\.id: EC2 has no subnet subnet-0123456789abcdef0 in the region/),
      expect.stringMatching(
        /^KubeadmConfig pooled-workers spec\.files: their contents have \d+ bytes, .* 16384 at most/,
      ),
    ]);
  });

  it('names the key of a volume if Auto Scaling may not use it', async () => {
    let arn = '';
    const withKey = (account: Account) => {
      const key = addKey(account.kms(), 'of the user');
      arn = key.arn;
      account.settings.defaultVolumeKey = arn;
      return key;
    };
    const { preflight } = await planned(withKey, pooled());
    expect(preflight[0]?.missing).toEqual([
      expect.stringMatching(
        /^AWSMachinePool pooled-workers spec\.awsLaunchTemplate\.rootVolume: the account's key for volumes: arn:aws:iam::\d+:role\/aws-service-role\/autoscaling\.amazonaws\.com\/AWSServiceRoleForAutoScaling may not kms:CreateGrant, /,
      ),
    ]);
    expect(preflight[0]?.missing[0]).toContain(` with key ${arn}, `);

    const grantee =
      'arn:aws:iam::000000000000:role/aws-service-role/autoscaling.amazonaws.com/AWSServiceRoleForAutoScaling';
    const operations =
      'CreateGrant,Decrypt,DescribeKey,GenerateDataKeyWithoutPlaintext,ReEncryptFrom,ReEncryptTo'.split(',');
    const granted = await planned((account) => {
      account.kms().grants.set(withKey(account).id, [{ id: 'g', grantee, operations }]);
    }, pooled());
    expect(granted.preflight).toEqual([{ cluster: 'default/pooled', missing: [], unseen: [] }]);

    const withoutRole = await planned((account) => {
      withKey(account);
      account.settings.lacksAutoScalingRole = true;
    }, pooled());
    expect(withoutRole.preflight[0]?.missing).toEqual([
      expect.stringContaining('does not exist; create it with `aws iam'),
    ]);
  });

  it('reports why a check was not possible', async () => {
    const withoutCredentials = () => {
      throw new Error('Could not load credentials from any providers');
    };
    const found = await planManifests(context, renamed(), cluster.clock, withoutCredentials);
    expect(planText(found)).toContain('  not checked: the account: Could not load credentials from any providers\n');
    const byRole = renamed().map(({ file, object }) => {
      const identityRef = { kind: 'AWSClusterRoleIdentity', name: 'spoke' };
      if (object.kind !== 'AWSCluster') return { file, object };
      const { spec, ...rest } = object as AWSCluster;
      return { file, object: { ...rest, spec: { ...spec, identityRef } } as AWSCluster };
    });
    expect((await planManifests(context, byRole, cluster.clock, withoutCredentials)).preflight[0]?.unseen).toEqual([
      'the account of AWSClusterRoleIdentity spoke, which only Windlass can access',
    ]);
  });
});
