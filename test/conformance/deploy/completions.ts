/** Features of a deployed stack that ministack does not support, and how the suite works around that. */
import { type Completion, textOf } from '../aws/completions/completion.ts';
import { valueIn } from '../aws/raw.ts';
import { forMinistack } from './template.ts';

export type Gap = Omit<Completion, 'shownBy'>;

const HASHED = /^(x-amz-checksum-|x-amz-sdk-checksum|content-md5|x-amz-content-sha256)/;

/** Changes the template when the CDK uploads it. */
const TEMPLATE: Gap = {
  gap: 'Create an alarm over metric math, or a streaming integration',
  instead: 'The suite passes the first metric of each of these alarms, and integrations that do not stream',
  service: 's3',
  complete: (forward) => (request) => {
    const isTemplate = request.method === 'PUT' && /\/[0-9a-f]{64}\.json$/.test(request.url.pathname);
    if (!isTemplate) return forward(request);
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !HASHED.test(name)));
    return forward({ ...request, headers, body: Buffer.from(forMinistack(textOf(request.body))) });
  },
};

/** Answers the authorizer, which requests the identity behind a token in JSON. */
const CALLER: Gap = {
  gap: 'Answer GetCallerIdentity in JSON',
  instead: 'The suite converts the answer to JSON',
  service: 'sts',
  complete: (forward) => async (request) => {
    const answer = await forward(request);
    const isAsked = request.headers.accept === 'application/json' && answer.status === 200;
    if (!isAsked || request.url.searchParams.get('Action') !== 'GetCallerIdentity') return answer;
    const xml = textOf(answer.body);
    const [Account, Arn, UserId] = ['Account', 'Arn', 'UserId'].map((name) => valueIn(xml, name));
    const body = { GetCallerIdentityResponse: { GetCallerIdentityResult: { Account, Arn, UserId } } };
    return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  },
};

type Item = Record<string, unknown>;

/** Completes the items of an index that contains only keys, with attributes from the table. */
const LOCAL_INDEX: Gap = {
  gap: 'Fetch attributes from the table that a local index does not have (`Select: ALL_ATTRIBUTES` is ignored)',
  instead: 'The suite reads the items separately',
  service: 'dynamodb',
  complete: (forward) => async (request) => {
    const answer = await forward(request);
    if (!String(request.headers['x-amz-target']).endsWith('.Query') || answer.status !== 200) return answer;
    const { TableName, IndexName, Select } = JSON.parse(textOf(request.body)) as Record<string, string>;
    if (IndexName === undefined || Select !== 'ALL_ATTRIBUTES') return answer;
    const found = JSON.parse(textOf(answer.body)) as { Items: Item[] };
    const headers = { ...request.headers, 'x-amz-target': 'DynamoDB_20120810.GetItem' };
    const whole = async ({ pk, sk }: Item): Promise<Item> => {
      const body = Buffer.from(JSON.stringify({ TableName, Key: { pk, sk }, ConsistentRead: true }));
      return (JSON.parse(textOf((await forward({ ...request, headers, body })).body)) as { Item: Item }).Item;
    };
    const Items = await Promise.all(found.Items.map(whole));
    return { ...answer, body: JSON.stringify({ ...found, Items }) };
  },
};

const PLENTY = 100;

/** Returns higher quotas than a cluster needs. */
const QUOTAS: Gap = {
  gap: 'Return quotas (there is no Service Quotas)',
  instead: `The suite returns ${PLENTY} for each`,
  service: 'servicequotas',
  complete: () => async (request) => {
    const { ServiceCode, QuotaCode } = JSON.parse(textOf(request.body)) as Record<string, string>;
    const Quota = { ServiceCode, QuotaCode, Value: PLENTY };
    const headers = { 'content-type': 'application/x-amz-json-1.1' };
    return { status: 200, headers, body: JSON.stringify({ Quota }) };
  },
};

export const GAPS: readonly Gap[] = [TEMPLATE, CALLER, LOCAL_INDEX, QUOTAS];
