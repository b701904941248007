import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../../../shared/kube-api/json.ts';
import type { Finding } from './scenario.ts';

/** A difference that stays, with its reason: a row of docs/compatibility.md, word for word. */
export interface KnownDifference {
  here: string;
  upstream: string;
  because: string;
  covers(finding: Finding): boolean;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Words of Go's decoders, parsers and types. */
const OF_GO =
  /json|yaml|unmarshal|strconv|looking for|Object 'Kind' is missing|unexpected end|invalid character|proto|cannot be handled/i;

const isAt = (path: string, ...members: readonly string[]): boolean => members.includes(path);

/** Whether a watch shows of the same objects the same last states, and nothing that the other does not show. */
const isJoined = (theirs: unknown, ours: unknown): boolean => {
  if (!Array.isArray(theirs) || !Array.isArray(ours) || ours.length >= theirs.length) return false;
  const [lastOfTheirs, lastOfOurs] = [lastStates(theirs), lastStates(ours)];
  const isShown = (event: unknown): boolean =>
    theirs.some((other) => isDeepStrictEqual(objectOf(other), objectOf(event)));
  return ours.every(isShown) && isDeepStrictEqual(lastOfOurs, lastOfTheirs);
};

const objectOf = (event: unknown): JsonObject | undefined =>
  isObject(event) && isObject(event.object) ? event.object : undefined;

const lastStates = (events: readonly unknown[]): ReadonlyMap<unknown, unknown> =>
  new Map(
    events.map((event) => {
      const metadata = objectOf(event)?.metadata;
      return [isObject(metadata) ? metadata.name : undefined, objectOf(event)];
    }),
  );

const DESCRIPTION = /columnDefinitions\[\d+\]\.description$/;

export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    here: 'Columns of tables and fields of schemas are described in words of our own',
    upstream: 'In those of its Go types',
    because: 'The texts are not ours to copy; nothing but people reads them',
    covers: ({ path, theirs }) => DESCRIPTION.test(path) && typeof theirs === 'string',
  },
  {
    here: 'Answers are JSON or YAML; a refusal of another form names these two',
    upstream: 'Protobuf as well',
    because: 'Every client takes JSON; bodies of built-in kinds may be protobuf',
    covers: ({ path, theirs }) =>
      path === 'body.message' && /application\/vnd\.kubernetes\.protobuf/.test(text(theirs)),
  },
  {
    here: 'What is wrong with a body that cannot be decoded is said in words of our own, without the body',
    upstream: "In those of Go's decoders, with the body in places",
    because: 'The parsers are others. The code and the reason are the same; a body may hold a secret',
    covers: ({ path, theirs, ours }) =>
      path === 'body.message' && OF_GO.test(text(theirs)) && typeof ours === 'string' && ours !== '',
  },
  {
    here: 'A request that is at fault is answered with 400, 409 or 422',
    upstream: 'With 500 in places, such as for a resourceVersion that is no number',
    because: 'A 500 says that the server is at fault, and alarms go by it',
    covers: ({ path, theirs, ours }) => path === 'code' && /^500 /.test(text(theirs)) && /^4/.test(text(ours)),
  },
  {
    here: 'A list of `resourceVersionMatch=Exact` shows the newest version or is 410',
    upstream: "The last minutes' versions too",
    because: 'The past is not kept',
    covers: ({ path, asked, theirs, ours }) =>
      path === 'code' &&
      asked.includes('resourceVersionMatch=Exact') &&
      theirs === '200' &&
      ours === '410 The resourceVersion for the provided list is too old.',
  },
  {
    here: '`limit` is kept also where any version will do (`resourceVersion=0`)',
    upstream: 'Passed over there',
    because: 'A page costs a page. Clients have to be ready for both',
    covers: ({ path, asked }) =>
      /[?&]limit=\d+&resourceVersion=0$/.test(asked) &&
      isAt(path, 'body.items', 'body.metadata.continue', 'body.metadata.remainingItemCount'),
  },
  {
    here: 'Pages do not say how many objects come after them (`remainingItemCount`)',
    upstream: 'Unless there is a selector',
    because: 'DynamoDB would have to read all of them to count them; the field is optional',
    covers: ({ path, theirs, ours }) =>
      path === 'body.metadata.remainingItemCount' && typeof theirs === 'number' && ours === undefined,
  },
  {
    here: 'A watch that was away, or looks after two changes of an object, shows what came of them',
    upstream: 'Each change',
    because:
      'Changes are found by reading the objects: a log of them would double the cost of every write. Controllers go by the state, not by the way to it',
    covers: ({ path, asked, theirs, ours }) =>
      path === 'body' && asked.includes('watch=true') && isJoined(theirs, ours),
  },
];
