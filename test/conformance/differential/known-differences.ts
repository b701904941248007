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
];
