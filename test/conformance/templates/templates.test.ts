import { DescribeInstancesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KINDS } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { readManifests } from '../../../shared/plan/addons/manifests.ts';
import { mapConcurrently } from '../../../shared/store/concurrency.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';
import { live, type Outcome } from './life.ts';
import { makeLists } from './look.ts';
import { CLASSES, CLUSTER_NAME, program, renderTemplates, type Template, type Variables } from './render.ts';
import { makeSurroundings } from './surroundings.ts';
import { type Row, TABLE } from './table.ts';

/** As many at once as keep two cores busy. */
const AT_ONCE = 8;

/** Some templates name zones of this region. */
const REGION = 'us-west-2';

const VARIABLES = {
  AWS_REGION: REGION,
  AWS_SSH_KEY_NAME: 'default',
  AWS_CONTROL_PLANE_MACHINE_TYPE: 't3.large',
  AWS_NODE_MACHINE_TYPE: 't3.large',
  AWS_AVAILABILITY_ZONE: 'us-west-2a',
  AWS_AVAILABILITY_ZONE_1: 'us-west-2a',
  AWS_AVAILABILITY_ZONE_2: 'us-west-2b',
  AWS_S3_BUCKET_NAME: 'cluster-api-provider-aws-templates',
  CONTROL_PLANE_MACHINE_COUNT: '1',
  WORKER_MACHINE_COUNT: '1',
  KUBERNETES_VERSION: 'v1.35.0',
  KUBERNETES_AWS_CCM_VERSION: 'v1.32.5',
  // A variable of the machine, which Ignition's metadata agent fills in.
  COREOS_EC2_HOSTNAME: '\u0024{COREOS_EC2_HOSTNAME}',
  CAPI_IMAGES_REGISTRY: 'registry.example.com',
  E2E_IMAGE_TAG: 'e2e',
  MULTI_TENANCY_SIMPLE_IDENTITY_NAME: 'simple',
  MULTI_TENANCY_JUMP_IDENTITY_NAME: 'jump',
  MULTI_TENANCY_NESTED_IDENTITY_NAME: 'nested',
  MULTI_TENANCY_SIMPLE_ROLE_ARN: 'arn:aws:iam::000000000000:role/simple',
  MULTI_TENANCY_JUMP_ROLE_ARN: 'arn:aws:iam::000000000000:role/jump',
  MULTI_TENANCY_NESTED_ROLE_ARN: 'arn:aws:iam::000000000000:role/nested',
  DOCKER_PRELOAD_IMAGES: '[]',
  DOCKER_POD_CIDRS: '192.168.0.0/16',
  DOCKER_SERVICE_CIDRS: '10.128.0.0/12',
  DOCKER_SERVICE_DOMAIN: 'cluster.local',
};

describe.skipIf(!program)('the cluster templates of upstream', () => {
  let laptop: TestLaptop;
  let ec2: EC2Client;
  let templates: ReadonlyMap<string, Template>;
  let all: Promise<unknown>;
  const rows = TABLE.filter(({ result }) => ['up', 'upgraded', 'no boot'].includes(result));
  /** Each test waits for its own, so that a busy computer takes long and fails nothing. */
  const outcomes = new Map(rows.map(({ template }) => [template, Promise.withResolvers<Outcome>()]));
  const own = Object.fromEntries(
    TABLE.flatMap((row): [string, Variables][] =>
      'variables' in row && row.variables ? [[row.template, row.variables]] : [],
    ),
  );

  /** Its objects as they are applied, in a cluster of that name. */
  const objectsOf = (row: Row, cluster: string): KubeObject[] => {
    const names = [...('classes' in row ? (row.classes ?? []) : []), row.template];
    const amend = ('amend' in row && row.amend) || ((text: string) => text);
    const texts = names.map(
      (name) => [name, amend(templates.get(name)?.text.replaceAll(CLUSTER_NAME, cluster) ?? '')] as const,
    );
    return readManifests(new Map(texts)) as KubeObject[];
  };

  beforeAll(async () => {
    laptop = await startTestLaptop();
    const { awsUrl: endpoint, credentials } = laptop.access;
    ec2 = new EC2Client({ region: REGION, endpoint, credentials });
    const variables = { ...VARIABLES, ...(await makeSurroundings(ec2, VARIABLES.KUBERNETES_VERSION)) };
    templates = new Map(renderTemplates(variables, own).map((template) => [template.name, template]));
    const watched = { laptop, lists: makeLists(laptop) };
    all = mapConcurrently([...rows.entries()], AT_ONCE, async ([index, row]) => {
      const cluster = `t${index}`;
      const says = row.result === 'no boot' ? row.says : undefined;
      const version = row.result === 'upgraded' ? VARIABLES.KUBERNETES_VERSION : undefined;
      const outcome = live(watched, cluster, objectsOf(row, cluster), { says, version });
      outcomes.get(row.template)?.resolve(outcome);
      // Its own test reports a failure; the next template is tried all the same.
      await outcome.catch(() => {});
      await outcomes.get(row.template)?.promise.catch(() => {});
    });
  }, LIMIT);
  afterAll(async () => {
    ec2?.destroy();
    await laptop?.stop();
  }, LIMIT);

  it('are all in the table', () => {
    const published = [...templates.keys()].filter((name) => !name.startsWith(CLASSES));
    expect(published.sort()).toEqual(TABLE.map(({ template }) => template).sort());
  });

  it.each(rows)('$result, and gone after deletion: $template', { timeout: 2 * LIMIT }, async ({ template, result }) => {
    expect(templates.get(template)?.missing).toEqual([]);
    expect(await outcomes.get(template)?.promise).toBe(result);
  });

  it('leave no instance behind', async () => {
    await all;
    const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({}));
    const instances = Reservations.flatMap(({ Instances = [] }) => Instances);
    expect(instances.length).toBeGreaterThan(rows.length);
    expect(instances.filter(({ State }) => State?.Name !== 'terminated')).toEqual([]);
  });

  const lacking = TABLE.flatMap((row) => ('lacks' in row ? [row] : []));

  it.each(lacking)('is $result, for it needs $lacks: $template', ({ template, lacks, classes = [] }) => {
    const text = [template, ...classes].map((name) => templates.get(name)?.text).join('\n---\n');
    expect(text).toMatch(new RegExp(`^ *kind: ${lacks}$`, 'm'));
    // Upstream without that provider refuses it, too.
    expect(KINDS.filter(({ kind }) => kind === lacks)).toEqual([]);
  });

  it.each(TABLE.filter(({ result }) => result === 'empty'))('is published empty: $template', ({ template }) => {
    expect(templates.get(template)?.text.trim()).toBe('');
  });
});
