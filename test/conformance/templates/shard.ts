import { DescribeInstancesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { readManifests } from '../../../shared/plan/addons/manifests.ts';
import { mapConcurrently } from '../../../shared/store/concurrency.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';
import { live, type Outcome } from './life.ts';
import { CLUSTER_NAME, program, renderTemplates, type Template, type Variables } from './render.ts';
import { makeSurroundings } from './surroundings.ts';
import { type Row, TABLE } from './table.ts';
import { REGION, VARIABLES } from './variables.ts';

/** The number of laptops that share the templates. Each runs in its own test file. */
const SHARDS = 2;

/** Enough concurrent clusters to keep the thread that runs a laptop's functions busy. */
const AT_ONCE = 6;

/** The variables that have other values in one template, by the name of the template. */
const OWN = Object.fromEntries(
  TABLE.flatMap((row): [string, Variables][] =>
    'variables' in row && row.variables ? [[row.template, row.variables]] : [],
  ),
);

/**
 * The templates of a shard that create objects. Templates are distributed in turn, because neighbours in the table take
 * similarly long.
 */
const rowsOf = (shard: number): Row[] =>
  TABLE.filter(({ result }) => ['up', 'upgraded', 'no boot'].includes(result)).filter(
    (_, index) => index % SHARDS === shard,
  );

/** The objects of a template as they are applied, for a cluster with this name. */
const objectsOf = (templates: ReadonlyMap<string, Template>, row: Row, cluster: string): KubeObject[] => {
  const names = [...('classes' in row ? (row.classes ?? []) : []), row.template];
  const amend = ('amend' in row && row.amend) || ((text: string) => text);
  const texts = names.map(
    (name) => [name, amend(templates.get(name)?.text.replaceAll(CLUSTER_NAME, cluster) ?? '')] as const,
  );
  return readManifests(new Map(texts)) as KubeObject[];
};

/** Defines the tests of one shard, which run its templates concurrently on one laptop. */
export const describeLives = (shard: number): void => {
  describe.skipIf(!program)('the cluster templates of upstream', () => {
    let laptop: TestLaptop;
    let ec2: EC2Client;
    let templates: ReadonlyMap<string, Template>;
    let all: Promise<unknown>;
    const rows = rowsOf(shard);
    /** Each test waits for its own outcome, so that the time limit of one test does not include the others. */
    const outcomes = new Map(rows.map(({ template }) => [template, Promise.withResolvers<Outcome>()]));

    beforeAll(async () => {
      laptop = await startTestLaptop();
      const { awsUrl: endpoint, credentials } = laptop.access;
      ec2 = new EC2Client({ region: REGION, endpoint, credentials });
      const variables = { ...VARIABLES, ...(await makeSurroundings(ec2, VARIABLES.KUBERNETES_VERSION)) };
      templates = new Map(renderTemplates(variables, OWN).map((template) => [template.name, template]));
      all = mapConcurrently([...rows.entries()], AT_ONCE, async ([index, row]) => {
        const cluster = `t${index}`;
        const says = row.result === 'no boot' ? row.says : undefined;
        const version = row.result === 'upgraded' ? VARIABLES.KUBERNETES_VERSION : undefined;
        const outcome = live(laptop, cluster, objectsOf(templates, row, cluster), { says, version });
        outcomes.get(row.template)?.resolve(outcome);
        // The template's own test reports the failure. The next template is still tried.
        await outcome.catch(() => {});
        await outcomes.get(row.template)?.promise.catch(() => {});
      });
    }, LIMIT);
    afterAll(async () => {
      ec2?.destroy();
      await laptop?.stop();
    }, LIMIT);

    it.each(rows)('have the result "$result" and leave nothing: $template', { timeout: 2 * LIMIT }, async (row) => {
      expect(templates.get(row.template)?.missing).toEqual([]);
      expect(await outcomes.get(row.template)?.promise).toBe(row.result);
    });

    it('leave no instance behind', async () => {
      await all;
      const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({}));
      const instances = Reservations.flatMap(({ Instances = [] }) => Instances);
      expect(instances.length).toBeGreaterThan(rows.length);
      expect(instances.filter(({ State }) => State?.Name !== 'terminated')).toEqual([]);
    });
  });
};
