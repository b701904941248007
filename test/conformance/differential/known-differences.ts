import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../../../shared/kube-api/json.ts';
import { type KnownDifference, MESSAGE, text } from './known-difference.ts';
import { isUncalled } from './uncalled-webhooks.ts';
import { URL_DIFFERENCES } from './url-differences.ts';

const isAt = (path: string, ...members: readonly string[]): boolean => members.includes(path);

/**
 * Whether our watch merges events: it reports the same final states of the same objects, and only states that theirs
 * reports.
 */
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

/** Node decodes the bytes of headers as Latin-1. */
const inAscii = (header: string): string =>
  Buffer.from(header, 'latin1')
    .toString('utf8')
    .replace(/[^ -~]/g, '?');

const DESCRIPTION = /columnDefinitions\[\d+\]\.description$/;

/** Messages of Go's decoders, parsers and types about a body, or a document in it, that cannot be decoded. */
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

/** The object that results from a patch, which upstream shows as one quoted string. */
const PATCHED = /patch: Invalid value: "(?:[^"\\]|\\.)*": |^Invalid value: "\{(?:[^"\\]|\\.)*": /;

const withoutPatched = (message: unknown): string =>
  text(message).replace(PATCHED, (shown) => shown.replace(/".*/s, ''));

/** The message of a refusal without the managed fields of the object that it shows. */
const withoutManagers = (message: unknown): string =>
  text(message).replace(/,"managedFields":\[.*\](?=\}: must be empty)/, '');

const STORAGE_ERROR = /StorageError: .* AdditionalErrorMsg: /;

const isOfAccessor = (cause: unknown): boolean => isObject(cause) && text(cause.message).includes(' accessor error: ');

export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  ...URL_DIFFERENCES,
  {
    here: 'Windlass has its own descriptions of table columns and schema fields',
    upstream: 'Those of its Go types',
    because: 'The texts must not be copied; only people read them',
    covers: ({ path, theirs }) => DESCRIPTION.test(path) && typeof theirs === 'string',
  },
  {
    here: 'Answers are JSON or YAML; the refusal of another format names these two',
    upstream: 'Protobuf as well',
    because: 'Every client accepts JSON; bodies of built-in kinds may be protobuf',
    covers: ({ path, theirs }) =>
      path === 'body.message' && /application\/vnd\.kubernetes\.protobuf/.test(text(theirs)),
  },
  {
    here: "Errors about a body that cannot be decoded have Windlass's own text, without the body",
    upstream: "That of Go's decoders, sometimes with the body",
    because: 'The parsers differ. The code and the reason are the same; a body may contain a secret',
    covers: ({ path, theirs, ours }) => MESSAGE.test(path) && OF_GO.test(text(theirs)) && text(ours) !== '',
  },
  {
    here: 'When the result of a patch is refused, the error does not show the object',
    upstream: 'Shows all of it',
    because: 'It may contain a secret, and clients log the error',
    covers: ({ path, theirs, ours }) =>
      MESSAGE.test(path) && withoutPatched(theirs) !== theirs && withoutPatched(theirs) === ours,
  },
  {
    here: 'A body with a different uid is refused without storage details',
    upstream: 'With the key in etcd and the code of its error',
    because: 'There is no etcd; the rest of the sentence is the same',
    covers: ({ path, theirs, ours }) =>
      path === 'body.message' && STORAGE_ERROR.test(text(theirs)) && text(theirs).replace(STORAGE_ERROR, '') === ours,
  },
  {
    here: "The error of a webhook that cannot be called, or whose answer is unusable, has Windlass's own text after `failed to call webhook:` or `conversion webhook for … failed:`",
    upstream: 'The text of Go and its libraries, with parts of the answer',
    because: "A foreign server's answer may quote anything",
    covers: ({ path, theirs, ours }) => MESSAGE.test(path) && isUncalled(text(theirs), text(ours)),
  },
  {
    here: 'Server-side apply of a missing object that a mutating webhook renames creates it under the new name, and is refused with 409 if that name is taken',
    upstream: 'It is stored under the requested name, with the new one in its metadata',
    because: 'An object is found under its own name',
    covers: ({ where, path, theirs, ours }) =>
      path === 'code' &&
      where.includes(': a mutating one renames what is created › ') &&
      /^20[01]$/.test(text(theirs)) &&
      /^409 .* already exists$/.test(text(ours)),
  },
  {
    here: 'An invalid request gets 400, 409 or 422',
    upstream: 'Sometimes 500, for example for a resourceVersion that is not a number',
    because: 'A 500 means a server error, and triggers alarms',
    covers: ({ path, theirs, ours }) => path === 'code' && /^500 /.test(text(theirs)) && /^4/.test(text(ours)),
  },
  {
    here: 'Discovery is read-only: other methods get 405',
    upstream: 'Groups of custom resources accept every method',
    because: 'Clients should learn that nothing was written',
    covers: ({ path, asked, theirs, ours }) =>
      path === 'code' && /^\/apis(\/[^/]+){0,2}$/.test(asked) && theirs === '200' && text(ours).startsWith('405 '),
  },
  {
    here: 'An object can be created only at the path of its collection; other paths get 405',
    upstream: 'Custom resources also at a path with a name, which is ignored',
    because: 'Permission to create one name would be permission to create any',
    covers: ({ where, path, theirs, ours }) =>
      path === 'code' &&
      where.endsWith('POST') &&
      /^(201|409) /.test(`${text(theirs)} `) &&
      text(ours).startsWith('405 create'),
  },
  {
    here: 'Reviews have no managedFields',
    upstream: 'Access reviews have them',
    because: 'They are not stored, so their fields have no owners',
    covers: ({ path, asked, theirs, ours }) =>
      /accessreviews(\?|$)/.test(asked) &&
      (path === 'body.metadata.managedFields' || (MESSAGE.test(path) && withoutManagers(theirs) === ours)),
  },
  {
    here: 'Server-side apply of `/scale` sets the replicas of custom resources, too',
    upstream: '500: it cannot read what is stored',
    because: 'There is no reason to refuse it',
    covers: ({ path, asked, theirs, ours }) =>
      path === 'code' &&
      asked.includes('/scale?') &&
      /^500 .*convert CR to an invalid group\/version: autoscaling\/v1$/.test(text(theirs)) &&
      ours === '200',
  },
  {
    here: 'managedFields have the time of the first write through `/scale`',
    upstream: 'Without a time if another manager lost the replicas',
    because: 'The time is known',
    covers: ({ path, theirs, ours }) =>
      /managedFields\[\d+\]\.time$/.test(path) && theirs === undefined && ours === '<time>',
  },
  {
    here: 'A client that scales owns the replicas, even if they were removed before',
    upstream: 'After a removal, they never have an owner again',
    because: "Another client's apply would undo the scaling without a conflict",
    covers: ({ where, path }) => where.includes(': has removed replicas › ') && path === 'body.metadata.managedFields',
  },
  {
    here: 'A list of `resourceVersionMatch=Exact` returns the newest version or 410',
    upstream: 'Also versions of the last minutes',
    because: 'Old versions are not kept',
    covers: ({ path, asked, theirs, ours }) =>
      path === 'code' &&
      asked.includes('resourceVersionMatch=Exact') &&
      theirs === '200' &&
      ours === '410 The resourceVersion for the provided list is too old.',
  },
  {
    here: '`limit` also applies to `resourceVersion=0`',
    upstream: 'Ignored there',
    because: 'Reading a page costs only a page. Clients must support both',
    covers: ({ path, asked }) =>
      /[?&]limit=\d+&resourceVersion=0$/.test(asked) &&
      isAt(path, 'body.items', 'body.metadata.continue', 'body.metadata.remainingItemCount'),
  },
  {
    here: 'Pages do not contain the number of remaining objects (`remainingItemCount`)',
    upstream: 'They do, unless there is a selector',
    because: 'DynamoDB would have to read all of them to count them; the field is optional',
    covers: ({ path, theirs, ours }) =>
      path === 'body.metadata.remainingItemCount' && typeof theirs === 'number' && ours === undefined,
  },
  {
    here: 'A watch that reconnects, or reads after two changes of an object, shows only the result; an object that was replaced under its name is ADDED, with another uid',
    upstream: 'Each change; a replaced object is DELETED first',
    because:
      'Changes are found by reading the objects: a log of them would double the cost of every write. Controllers depend on the state, not on the steps to it',
    covers: ({ path, asked, theirs, ours }) =>
      path === 'body' && asked.includes('watch=true') && isJoined(theirs, ours),
  },
  {
    here: 'A watch with a selector that resumes from a version shows an object that has since stopped matching as DELETED, with the labels that matched and its other current contents, and one that was replaced under its name with its uid and labels only; so does any watch for an object of more than 64 KB, and for the oldest if it has sent more than 4 MB. If the labels have changed more than eight times since that version, the object was removed before it and replaced after it, or the states of a large object since then have more than 3 MB together, the DELETED may be superfluous',
    upstream: 'As it was when it last matched; never superfluous',
    because:
      'Only the parts of old versions that selectors need are kept, up to a limit, and a small function has no memory for everything that it has sent',
    covers: ({ path, asked }) =>
      asked.includes('watch=true') &&
      asked.includes('labelSelector=') &&
      /^body\[\d+\]\.object\.metadata\.managedFields$/.test(path),
  },
  {
    here: 'A ServiceAccount has no `/token`: it is only stored and read',
    upstream: 'A token for the account',
    because: 'Callers are IAM principals; nothing here would accept such a token',
    covers: ({ path, theirs, ours }) =>
      /\.subresources$/.test(path) && ours === undefined && JSON.stringify(theirs).includes('"TokenRequest"'),
  },
  {
    here: 'A body of a custom resource that is declared as protobuf, but is not, is refused with 400',
    upstream: 'The connection is cut',
    because: 'The client should learn what was wrong',
    covers: ({ path, theirs, ours }) => path === 'code' && /^0 /.test(text(theirs)) && /^400 /.test(text(ours)),
  },
  {
    here: 'A warning shows a question mark for each non-ASCII character',
    upstream: 'The bytes of its UTF-8',
    because: 'API Gateway supports only ASCII in headers',
    covers: ({ path, theirs, ours }) =>
      path === 'headers.warning' && text(ours).includes('?') && inAscii(text(theirs)) === ours,
  },
  {
    here: 'A body with several YAML documents is refused',
    upstream: 'All but the first are ignored',
    because: 'A client would believe that all of them were written',
    covers: ({ path, ours }) => path === 'code' && text(ours).includes('MULTIPLE_DOCS'),
  },
  {
    here: 'Bodies may be nested 1,000 levels deep; deeper ones get 400',
    upstream: '10,000',
    because: 'Bodies are processed recursively',
    covers: ({ path, ours }) => path === 'code' && /^400 .*: exceeded max depth$/.test(text(ours)),
  },
  {
    here: 'A number beyond 32 bits is refused where the schema says `int32`',
    upstream: 'Accepted in custom resources, and then no controller can read any object of the kind',
    because: 'One invalid object must not block all others',
    covers: ({ path, theirs, ours }) =>
      path === 'code' && theirs === '201' && / in body must be of type int32: "\d+"$/.test(text(ours)),
  },
  {
    here: 'Replicas of a wrong type result in one cause',
    upstream: 'A second one, from the accessor that `/scale` would use',
    because: 'It repeats the first',
    covers: ({ path, theirs, ours }) =>
      path === 'body.details.causes' &&
      Array.isArray(theirs) &&
      theirs.some(isOfAccessor) &&
      JSON.stringify(theirs.filter((cause) => !isOfAccessor(cause))) === JSON.stringify(ours),
  },
  {
    here: 'Metadata in a request to `/status`, which is ignored, gives the client no ownership of fields',
    upstream: 'The client owns those labels and finalizers in managedFields, without having set them',
    because: 'Ownership of fields that a client did not set causes inexplicable conflicts',
    covers: ({ where, path }) =>
      where.includes(': has a status, whose writes ignore metadata › ') &&
      /^body\.metadata\.(managedFields|resourceVersion)/.test(path),
  },
  {
    here: 'A malformed status, in a body whose status is ignored, changes nothing',
    upstream: 'managedFields are lost',
    because: 'Ignored data must not change anything',
    covers: ({ path, theirs, ours }) =>
      path === 'body.metadata.managedFields' && theirs === undefined && Array.isArray(ours),
  },
];
