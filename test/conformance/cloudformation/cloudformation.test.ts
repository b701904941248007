/** Checks the template with cfn-lint, which knows the schemas of all resource types and of IAM policies. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { ROOT } from '../../../infra/cli/paths.ts';
import { synthesizeFixture } from '../../../infra/fixture-stack.ts';
import { resourcesOf } from '../../template/definitions.ts';

const program = process.env.WINDLASS_CFN_LINT;

/** A `DependsOn` in addition to a reference. The CDK writes both on purpose. */
const SUPERFLUOUS_DEPENDENCY = 'W3005';

/** Exit codes that report findings: sums of 2 (errors), 4 (warnings) and 8 (information). */
const FINDINGS = [2, 4, 6, 8, 10, 12, 14];

interface Finding {
  Rule: { Id: string };
  Message: string;
  Location: { Path: readonly (string | number)[] };
}

/** The findings of cfn-lint in a template that is deployed in these regions, one line each. */
const findingsIn = async (template: string, regions: readonly string[]): Promise<string[]> => {
  const args = ['--format', 'json', '--ignore-checks', SUPERFLUOUS_DEPENDENCY, '--regions', ...regions];
  const run = promisify(execFile)(program ?? '', ['--template', template, ...args], { maxBuffer: 2 ** 26 });
  const stdout = await run.then(
    (ended) => ended.stdout,
    (error: { code?: unknown; stdout?: string }) => {
      if (!FINDINGS.includes(Number(error.code))) throw error;
      return error.stdout ?? '';
    },
  );
  const found = JSON.parse(stdout) as Finding[];
  return found.map(({ Rule, Message, Location }) => `${Rule.Id} ${Location.Path.join('/')}: ${Message}`);
};

const templateOf = (outdir: string): string => {
  const [file] = readdirSync(outdir).filter((name) => name.endsWith('.template.json'));
  if (file === undefined) throw new Error(`${outdir} has no template`);
  return join(outdir, file);
};

/** Regions of the partitions aws, aws-us-gov and aws-cn. */
const REGIONS = ['us-east-1', 'eu-central-1', 'us-gov-west-1', 'cn-north-1'];
const NEAR = 'us-east-1';

const KEY = `arn:aws:kms:${NEAR}:000000000000:key/01234567-89ab-cdef-0123-456789abcdef`;
const NETWORK = { functionSubnets: 'subnet-0123456789abcdef0', functionSecurityGroups: 'sg-0123456789abcdef0' };

/** Settings that add resources or properties. Settings that exclude each other are in different groups. */
const CHOICES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'resources of its own': {
    ...NETWORK,
    name: 'blue',
    tags: 'team=platform,cost-centre=42',
    sweepShards: 7,
    apiCallEvents: 'true',
    hosts: 'true',
    lambdaConcurrency: 1000,
    namespaceQuota: 'count/secrets=500',
    apiSourceRanges: '192.0.2.0/24',
    extensionFunctions: `arn:aws:lambda:${NEAR}:000000000000:function:hooks:live`,
    alarmEmail: 'ops@example.com,lead@example.com',
    exportBucket: 'objects-of-windlass',
    removeTable: 'true',
    gatewayLogRole: 'false',
  },
  'resources of the organization': {
    ...NETWORK,
    allFunctionsInVpc: 'true',
    useFipsEndpoints: 'true',
    permissionsBoundary: 'Limits',
    rolePath: '/platform/',
    roleNamePrefix: 'platform-',
    logKeyArn: KEY,
    auditRetentionDays: 365,
    alarmTopicArn: `arn:aws:sns:${NEAR}:000000000000:operators`,
    tableName: 'Restored',
    sealKeyArn: KEY,
    exportBucket: 'objects-of-windlass',
    exportKeyArn: KEY,
    watchMegabytes: 0,
  },
};

describe.skipIf(program === undefined)('cfn-lint', () => {
  it('finds nothing in the template, in a region of each partition', async () => {
    expect(await findingsIn(templateOf(inject('outdir')), REGIONS)).toEqual([]);
  });

  it.each(Object.entries(CHOICES))('finds nothing in a template with %s', async (_, context) => {
    expect(await findingsIn(templateOf(synthesizeFixture({ context, region: NEAR })), [NEAR])).toEqual([]);
  });

  it('finds nothing in the role for the accounts of clusters', async () => {
    expect(await findingsIn(join(ROOT, 'docs', 'spoke-role.yaml'), REGIONS)).toEqual([]);
  });

  it('finds a property that the table does not have', async () => {
    const [[name, table] = ['', {}]] = resourcesOf(inject('outdir'), 'AWS::DynamoDB::Table');
    const resource = { Type: 'AWS::DynamoDB::Table', Properties: { ...table, PointInTimeRecovery: true } };
    const file = join(mkdtempSync(join(tmpdir(), 'windlass-cfn-lint-')), 'misspelt.json');
    writeFileSync(file, JSON.stringify({ Resources: { [name]: resource } }));
    expect(await findingsIn(file, [NEAR])).toEqual([expect.stringMatching(/^E3002 .*PointInTimeRecovery/)]);
  });
});
