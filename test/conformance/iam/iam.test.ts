/**
 * Every call that the functions make while clusters live and die, put to a simulation of IAM with the roles as they are
 * synthesized: nothing that is called is denied, nothing that is granted goes unused, and what belongs to no cluster is
 * out of reach.
 */
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Event } from '../../../shared/kinds/index.ts';
import { judge, type ResourcePolicies } from '../../permissions/judge.ts';
import { type Question, questionsOf } from '../../permissions/requests.ts';
import { keyPoliciesOf, type Role, rolesOf } from '../../permissions/roles.ts';
import { withoutOurTags } from '../../permissions/stranger.ts';
import { makeUsage } from '../../permissions/usage.ts';
import { UNTAGGED, UNUSED } from './exceptions.ts';
import { change, createAll, deleteAll } from './life.ts';
import { type RecordedLaptop, startRecordedLaptop } from './recording.ts';
import { isTold, UNTOLD } from './told.ts';

interface Asked {
  role: Role;
  question: Question;
  /** AWS says that it does not exist, whatever the role may do. */
  isGone: boolean;
}

let laptop: RecordedLaptop;
let asked: Asked[];
let roles: Role[];
let policies: ResourcePolicies;
let events: Event[];

const questionsOfAll = async (): Promise<Asked[]> => {
  const different = new Map<string, Asked>();
  for (const call of laptop.calls) {
    const role = roles.find(({ functionName }) => functionName === call.functionName);
    if (role === undefined) throw new Error(`${call.functionName} has no role`);
    const gone = call.touched.filter(({ exists }) => !exists).map(({ arn }) => arn);
    for (const question of await questionsOf(call))
      different.set(JSON.stringify([role.functionName, question]), {
        role,
        question,
        isGone: gone.includes(question.resource),
      });
  }
  return [...different.values()];
};

beforeAll(async () => {
  laptop = await startRecordedLaptop();
  const { identities, target } = laptop.runtime;
  roles = rolesOf(inject('outdir'), identities, target);
  policies = keyPoliciesOf(inject('outdir'), identities, target);
  await createAll(laptop);
  await change(laptop);
  await deleteAll(laptop);
  events = await laptop.list<Event>('/api/v1/namespaces/default/events');
  asked = await questionsOfAll();
}, 900_000);
afterAll(() => laptop?.stop());

const lineOf = ({ role, question }: Asked): string =>
  `${role.functionName} ${question.action} ${question.resource} ${JSON.stringify(question.context)}`;

/** Ids differ from start to start. */
const kindOf = ({ question: { action, resource } }: Asked): string =>
  `${action} ${resource
    .split(':')
    .slice(2)
    .join(':')
    .replace(/[^/]*$/, '')}`;

it('denies no call', async () => {
  const denied: string[] = [];
  for (const one of asked.filter(({ isGone }) => !isGone))
    if (!(await judge(one.role, one.question, policies)).allowed) denied.push(lineOf(one));
  expect(denied).toEqual([]);
});

it('grants nothing that no call uses, but what is listed with a reason', async () => {
  const usage = makeUsage(roles);
  for (const { role, question } of asked) usage.used((await judge(role, question, policies)).by, question);
  const unused = usage.unused();
  const reasonOf = ({ functionName, what }: (typeof unused)[number]) =>
    UNUSED.find((one) => one.functions.test(functionName) && one.what.test(what));
  const listed = unused.filter((one) => reasonOf(one) === undefined);
  expect(listed.map(({ functionName, what }) => `${functionName} ${what}`)).toEqual([]);
  const needless = UNUSED.filter((one) => !one.sometimes && !unused.some((grant) => reasonOf(grant) === one));
  expect(needless).toEqual([]);
});

it('changes nothing that carries none of our tags, but what is listed with a reason', async () => {
  const open = new Set<string>();
  for (const one of asked.filter(({ question }) => question.mutates))
    if ((await judge(one.role, withoutOurTags(one.question), policies)).allowed) open.add(kindOf(one));
  const reasonOf = (kind: string) =>
    UNTAGGED.find(({ action, resource }) => {
      const [name = '', arn = ''] = kind.split(' ');
      return action.test(name) && resource.test(arn);
    });
  expect([...open].filter((kind) => reasonOf(kind) === undefined).sort()).toEqual([]);
  expect(UNTAGGED.filter((reason) => ![...open].some((kind) => reasonOf(kind) === reason))).toEqual([]);
});

it('tells of every kind of change by an event, but what is listed with a reason', () => {
  const reasons = events.map(({ reason = '' }) => reason);
  const changes = new Set(asked.filter(({ question }) => question.mutates).map(({ question }) => question.action));
  const silent = [...changes].filter((action) => !isTold(action, reasons));
  expect(silent.filter((action) => !UNTOLD.some(({ actions }) => actions.test(action))).sort()).toEqual([]);
  expect(UNTOLD.filter(({ actions }) => !silent.some((action) => actions.test(action)))).toEqual([]);
});
