/**
 * Records every call of the functions in the lifecycles of clusters, and checks them with a simulation of IAM and the
 * synthesized roles: no call is denied, no grant is unused, and the functions cannot change resources that belong to no
 * cluster.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { synth } from '../../../infra/cli/commands/synth.ts';
import { functionArn } from '../../../infra/local/engines/lambda/user-function.ts';
import { HOME } from '../../../infra/local/home.ts';
import type { Event } from '../../../shared/kinds/index.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { makeGist } from '../../permissions/gist.ts';
import { judge, type ResourcePolicies, type Verdict } from '../../permissions/judge.ts';
import { type Question, questionsOf } from '../../permissions/requests.ts';
import { keyPoliciesOf, type Role, rolesOf } from '../../permissions/roles.ts';
import { spokeRole } from '../../permissions/spoke.ts';
import { withoutOurTags } from '../../permissions/stranger.ts';
import { makeUsage } from '../../permissions/usage.ts';
import { CUSTOMER_KEYS } from './customer-keys.ts';
import { UNTAGGED, UNUSED } from './exceptions.ts';
import { type MadeCall, type RecordedLaptop, startRecordedLaptop } from './recording.ts';
import { FUNCTIONS } from './stories/extension.ts';
import { tellAll } from './stories/tell-all.ts';
import { UNTOLD, untold } from './told.ts';

interface Asked {
  role: Role;
  question: Question;
  /** AWS reports that the resource does not exist, whether or not the role has permission. */
  isGone: boolean;
}

interface Judged extends Asked {
  verdict: Verdict;
}

let laptop: RecordedLaptop;
/** Successful calls that changed something. */
const changes: MadeCall[] = [];
let asked: Judged[];
let roles: Role[];
let policies: ResourcePolicies;
let events: Event[];
/** The ARNs of the stack's keys. */
let keys: ReadonlySet<string>;

const gistOf = makeGist();

/** Removes duplicates of equal calls. */
const distinct = <T extends Asked>(all: readonly T[]): T[] => {
  const found = new Map<string, T>();
  for (const one of all) {
    const gist = gistOf(one.role, one.question);
    const before = found.get(gist);
    found.set(gist, { ...one, isGone: one.isGone && (before?.isGone ?? true) });
  }
  return [...found.values()];
};

const questionsOfAll = async (): Promise<Asked[]> => {
  const all: Asked[] = [];
  for (const call of laptop.calls) {
    const role = roles.find(({ functionName }) => functionName === call.functionName);
    if (role === undefined) throw new Error(`${call.functionName} has no role`);
    const gone = call.touched.filter(({ exists }) => !exists).map(({ arn }) => arn);
    const questions = await questionsOf(call);
    if (call.code === undefined && questions[0]?.mutates) changes.push(call);
    all.push(...questions.map((question) => ({ role, question, isGone: gone.includes(question.resource) })));
  }
  return distinct(all);
};

const judgeAll = async (all: readonly Asked[]): Promise<Judged[]> => {
  const judged: Judged[] = [];
  for (const one of all) judged.push({ ...one, verdict: await judge(one.role, one.question, policies) });
  return judged;
};

/** Synthesized with the settings that grant permissions which an installation does not need by default. */
const outdir = mkdtempSync(join(tmpdir(), 'windlass-iam-'));

beforeAll(async () => {
  const extensionFunctions = FUNCTIONS.map(({ name }) => functionArn(HOME, name)).join(',');
  await synth({ outdir, quiet: true, context: { extensionFunctions } });
  laptop = await startRecordedLaptop({ outdir, functions: FUNCTIONS });
  const { identities, target } = laptop.runtime;
  roles = rolesOf(outdir, identities, target);
  const keyPolicies = keyPoliciesOf(outdir, identities, target);
  keys = new Set(keyPolicies.keys());
  policies = new Map([...keyPolicies, ...CUSTOMER_KEYS]);
  await tellAll(laptop);
  events = await laptop.list<Event>('/api/v1/namespaces/default/events');
  asked = await judgeAll(await questionsOfAll());
}, 2 * LIMIT);
afterAll(async () => {
  await laptop?.stop();
  rmSync(outdir, { recursive: true, force: true });
}, LIMIT);

const lineOf = ({ role, question }: Asked): string =>
  `${role.functionName} ${question.action} ${question.resource} ${JSON.stringify(question.context)}`;

/** Removes ids, which differ between runs. Marks launches from a template, because the template has the tag. */
const kindOf = ({ question: { action, resource, context } }: Asked): string =>
  `${action} ${resource
    .split(':')
    .slice(2)
    .join(':')
    .replace(/[^/]*$/, '')}${'ec2:LaunchTemplate' in context ? '?ec2:LaunchTemplate' : ''}`;

it('the roles of the stack deny no call', () => {
  const denied = asked.filter(({ isGone, verdict }) => !isGone && !verdict.allowed);
  expect(denied.map(lineOf)).toEqual([]);
});

/**
 * Calls to the table, the workflows, the functions and the keys of the stack, and to the roles that its functions
 * assume.
 */
const isOfStack = ({ question: { action, resource } }: Asked): boolean =>
  /^(dynamodb|states|lambda|sts):/.test(action) || keys.has(resource);

it('the role of docs/spoke-role.yaml denies no call in an account of clusters', async () => {
  const { accountId } = laptop.runtime.target;
  const role = spokeRole(accountId);
  const denied: string[] = [];
  for (const one of asked) {
    if (one.isGone || isOfStack(one)) continue;
    if (!(await judge(role, one.question, policies)).allowed) denied.push(lineOf(one));
  }
  expect(denied).toEqual([]);
});

it('every grant is used by a call, except for listed exceptions', () => {
  const usage = makeUsage(roles);
  for (const { question, verdict } of asked) usage.used(verdict.by, question);
  const unused = usage.unused();
  const reasonOf = ({ functionName, what }: (typeof unused)[number]) =>
    UNUSED.find((one) => one.functions.test(functionName) && one.what.test(what));
  const listed = unused.filter((one) => reasonOf(one) === undefined);
  expect(listed.map(({ functionName, what }) => `${functionName} ${what}`)).toEqual([]);
  const needless = UNUSED.filter((one) => !one.sometimes && !unused.some((grant) => reasonOf(grant) === one));
  expect(needless).toEqual([]);
});

it('no resource without one of our tags can be changed, except for listed exceptions', async () => {
  const open = new Set<string>();
  const changes = asked.filter(({ question }) => question.mutates);
  const strangers = changes.map((one) => ({ ...one, question: withoutOurTags(one.question) }));
  for (const one of await judgeAll(distinct(strangers))) if (one.verdict.allowed) open.add(kindOf(one));
  const reasonOf = (kind: string) =>
    UNTAGGED.find(({ action, resource }) => {
      const [name = '', arn = ''] = kind.split(' ');
      return action.test(name) && resource.test(arn);
    });
  expect([...open].filter((kind) => reasonOf(kind) === undefined).sort()).toEqual([]);
  expect(UNTAGGED.filter((reason) => ![...open].some((kind) => reasonOf(kind) === reason))).toEqual([]);
});

it('every change is reported by an event on the object that caused it, except for listed exceptions', () => {
  // Changes of this function for a Service or a node are reported in the workload cluster instead (test/services,
  // test/routes).
  const here = changes.filter(({ functionName, service }) => {
    const isOfService = functionName?.endsWith('-cluster-workload') && /^(ec2|elasticloadbalancing)$/.test(service);
    return !isOfService;
  });
  const silent = untold(here, events);
  const isListed = (line: string) => UNTOLD.some(({ actions }) => actions.test(line.split(' ')[0] ?? ''));
  expect(silent.filter((line) => !isListed(line)).sort()).toEqual([]);
  const needless = UNTOLD.filter(({ actions }) => !silent.some((line) => actions.test(line.split(' ')[0] ?? '')));
  expect(needless).toEqual([]);
});
