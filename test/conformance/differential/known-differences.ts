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

/** A header came as bytes. */
const inAscii = (header: string): string =>
  Buffer.from(header, 'latin1')
    .toString('utf8')
    .replace(/[^ -~]/g, '?');

const DESCRIPTION = /columnDefinitions\[\d+\]\.description$/;

/** The sentence of a refusal, or what it says of one field. */
const MESSAGE = /^body\.(message|details\.causes\[\d+\]\.message)$/;

/** Words of Go's decoders, parsers and types, for a body or a document in it that cannot be decoded. */
const OF_GO = new RegExp(
  [
    'json: cannot unmarshal',
    'json parse error',
    'yaml: ',
    'invalid character',
    'unexpected end of JSON input',
    "Object 'Kind' is missing",
    'no kind "\\w*" is registered',
    'no kind is registered for the type v1.Scale',
    'unknown conversion',
    'parsing time',
    'does not appear to be a protobuf message',
    'cannot restore \\w+ from',
  ].join('|'),
);

/** The object that a patch made, which upstream shows as one quoted string. */
const PATCHED = /patch: Invalid value: "(?:[^"\\]|\\.)*": |^Invalid value: "\{(?:[^"\\]|\\.)*": /;

const withoutPatched = (message: unknown): string =>
  text(message).replace(PATCHED, (shown) => shown.replace(/".*/s, ''));

const STORAGE_ERROR = /StorageError: .* AdditionalErrorMsg: /;

const isOfAccessor = (cause: unknown): boolean => isObject(cause) && text(cause.message).includes(' accessor error: ');

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
    covers: ({ path, theirs, ours }) => MESSAGE.test(path) && OF_GO.test(text(theirs)) && text(ours) !== '',
  },
  {
    here: 'The refusal of what a patch made does not show the object',
    upstream: 'Shows it whole',
    because: 'It may hold a secret, and the refusal is logged by who gets it',
    covers: ({ path, theirs, ours }) =>
      MESSAGE.test(path) && withoutPatched(theirs) !== theirs && withoutPatched(theirs) === ours,
  },
  {
    here: 'A body that names another uid is refused without a word of the storage',
    upstream: 'With the key in etcd and the code of its error',
    because: 'There is no etcd; the rest of the sentence is the same',
    covers: ({ path, theirs, ours }) =>
      path === 'body.message' && STORAGE_ERROR.test(text(theirs)) && text(theirs).replace(STORAGE_ERROR, '') === ours,
  },
  {
    here: 'A request that is at fault is answered with 400, 409 or 422',
    upstream: 'With 500 in places, such as for a resourceVersion that is no number',
    because: 'A 500 says that the server is at fault, and alarms go by it',
    covers: ({ path, theirs, ours }) => path === 'code' && /^500 /.test(text(theirs)) && /^4/.test(text(ours)),
  },
  {
    here: 'Discovery is read, and nothing else: 405',
    upstream: 'Groups of custom resources answer to every method',
    because: 'Whoever writes should hear that nothing was written',
    covers: ({ path, asked, theirs, ours }) =>
      path === 'code' && /^\/apis(\/[^/]+){0,2}$/.test(asked) && theirs === '200' && text(ours).startsWith('405 '),
  },
  {
    here: 'An object is created at the address of its collection only: 405',
    upstream: 'Custom resources also at an address with a name, which is passed over',
    because: 'A right to create that is bound to a name would be one to create any',
    covers: ({ where, path, theirs, ours }) =>
      path === 'code' &&
      where.endsWith('POST') &&
      /^(201|409) /.test(`${text(theirs)} `) &&
      text(ours).startsWith('405 create'),
  },
  {
    here: 'Reviews have no managedFields',
    upstream: 'Reviews of access have',
    because: 'They are answered and not kept: nobody owns anything of them',
    covers: ({ path, asked }) => path === 'body.metadata.managedFields' && /accessreviews$/.test(asked),
  },
  {
    here: 'Server-side apply of `/scale` sets the replicas of custom resources, too',
    upstream: '500: it cannot read what is stored',
    because: 'Nothing speaks against it',
    covers: ({ path, asked, theirs, ours }) =>
      path === 'code' &&
      asked.includes('/scale?') &&
      /^500 .*convert CR to an invalid group\/version: autoscaling\/v1$/.test(text(theirs)) &&
      ours === '200',
  },
  {
    here: 'managedFields say when somebody first wrote by way of `/scale`',
    upstream: 'Without a time where another manager lost the replicas',
    because: 'The time is known',
    covers: ({ path, theirs, ours }) =>
      /managedFields\[\d+\]\.time$/.test(path) && theirs === undefined && ours === '<time>',
  },
  {
    here: 'Who scales owns the replicas, also where they were taken away before',
    upstream: 'Then nobody owns them ever after, whoever scales',
    because: 'An apply of somebody else would undo the scaling without a conflict',
    covers: ({ where, path }) =>
      where.includes(': has replicas that were taken away › ') && path === 'body.metadata.managedFields',
  },
  {
    here: 'Bytes of an address that are no UTF-8 are shown as U+FFFD',
    upstream: 'As they are, such as `\\xff`',
    because: 'Addresses are read as text',
    covers: ({ path, theirs, ours }) =>
      MESSAGE.test(path) && text(theirs).includes('\\xff') && text(theirs).replaceAll('\\xff', '\ufffd') === ours,
  },
  {
    here: 'A NUL in a label selector is refused',
    upstream: 'The selector ends there',
    because: 'What follows would be lost in silence, and a collection deleted whole',
    covers: ({ path, asked, theirs, ours }) =>
      path === 'code' && asked.includes('labelSelector=%00') && theirs === '200' && text(ours).startsWith('400 '),
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
    here: 'A watch that was away, or reads after two changes of an object, shows what came of them',
    upstream: 'Each change',
    because:
      'Changes are found by reading the objects: a log of them would double the cost of every write. Controllers go by the state, not by the way to it',
    covers: ({ path, asked, theirs, ours }) =>
      path === 'body' && asked.includes('watch=true') && isJoined(theirs, ours),
  },
  {
    here: 'A watch with a selector that goes on from a version shows an object that has ceased to match since as DELETED, with the labels that matched and otherwise as it is now. After more than eight changes of its labels since that version the DELETED may be one too many',
    upstream: 'As it was when it last matched; never one too many',
    because: 'Only what selectors look at is kept of the past, and not without bounds',
    covers: ({ path, asked }) =>
      asked.includes('watch=true') &&
      asked.includes('labelSelector=') &&
      /^body\[\d+\]\.object\.metadata\.managedFields$/.test(path),
  },
  {
    here: 'A ServiceAccount has no `/token`: it is stored and read',
    upstream: 'A token for the account',
    because: 'Callers are IAM principals; nothing here would take such a token',
    covers: ({ path, theirs, ours }) =>
      /\.subresources$/.test(path) && ours === undefined && JSON.stringify(theirs).includes('"TokenRequest"'),
  },
  {
    here: 'A body of a custom resource that says it is protobuf and is not is refused with 400',
    upstream: 'The connection is cut',
    because: 'The client should learn what was wrong',
    covers: ({ path, theirs, ours }) => path === 'code' && /^0 /.test(text(theirs)) && /^400 /.test(text(ours)),
  },
  {
    here: 'A warning shows a question mark for a character that is not ASCII',
    upstream: 'The bytes of its UTF-8',
    because: 'Headers of API Gateway hold no others',
    covers: ({ path, theirs, ours }) =>
      path === 'headers.warning' && text(ours).includes('?') && inAscii(text(theirs)) === ours,
  },
  {
    here: 'Bodies may be nested 1,000 levels deep, then 400',
    upstream: '10,000',
    because: 'What is read is walked by functions that call themselves',
    covers: ({ path, ours }) => path === 'code' && /^400 .*: exceeded max depth$/.test(text(ours)),
  },
  {
    here: 'A number beyond 32 bits is refused where the schema says `int32`',
    upstream: 'Accepted in custom resources, and then no controller can read any object of the kind',
    because: 'One object must not stop all',
    covers: ({ path, theirs, ours }) =>
      path === 'code' && theirs === '201' && / in body must be of type int32: "\d+"$/.test(text(ours)),
  },
  {
    here: 'Replicas of a wrong type have one cause',
    upstream: 'A second one, of the accessor that `/scale` would use',
    because: 'It says the same again',
    covers: ({ path, theirs, ours }) =>
      path === 'body.details.causes' &&
      Array.isArray(theirs) &&
      theirs.some(isOfAccessor) &&
      JSON.stringify(theirs.filter((cause) => !isOfAccessor(cause))) === JSON.stringify(ours),
  },
  {
    here: 'What a request to `/status` says of metadata, which is not heard, gives the client no fields',
    upstream: 'The client owns those labels and finalizers in managedFields, without having set them',
    because: 'Ownership of what one did not set makes conflicts that nobody can explain',
    covers: ({ where, path }) =>
      where.includes(': has a status that does not hear what is said of metadata › ') &&
      /^body\.metadata\.(managedFields|resourceVersion)/.test(path),
  },
  {
    here: 'A status that is malformed, in a body whose status is not heard, changes nothing',
    upstream: 'managedFields are lost',
    because: 'What is not heard must not change anything',
    covers: ({ path, theirs, ours }) =>
      path === 'body.metadata.managedFields' && theirs === undefined && Array.isArray(ours),
  },
];
