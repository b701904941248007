/** A call to the simulated AWS for later analysis: named and with its input, from any handler. */
import { invokedFunction } from './engines/lambda/names.ts';
import { textsOf } from './engines/s3/xml.ts';
import type { Call } from './engines/wire/call.ts';

export interface RecordedCall {
  requestId: string;
  /** The function that called, by its full name; undefined where another program did, a simulated machine for instance. */
  functionName: string | undefined;
  accessKeyId: string;
  /** The signing name, for example `ec2`, `elasticloadbalancing`, `states`. */
  service: string;
  operation: string;
  region: string;
  input: Readonly<Record<string, unknown>>;
}

/** What S3 calls a request to a bucket, by its method and its subresource. */
const BUCKET_OPERATIONS: Readonly<Record<string, string>> = {
  'PUT ': 'CreateBucket',
  'HEAD ': 'HeadBucket',
  'DELETE ': 'DeleteBucket',
  'GET tagging': 'GetBucketTagging',
  'PUT tagging': 'PutBucketTagging',
  'PUT policy': 'PutBucketPolicy',
};

/** The tags that a bucket is created with. */
const createdWith = (body: string): object => {
  const values = textsOf(body, 'Value');
  const Tags = textsOf(body, 'Key').map((Key, index) => ({ Key, Value: values[index] ?? '' }));
  return Tags.length === 0 ? {} : { Tags };
};

const s3Call = ({ request: { method, url, body } }: Call): Pick<RecordedCall, 'operation' | 'input'> => {
  const [, Bucket = '', ...rest] = decodeURIComponent(url.pathname).split('/');
  const asked = [...url.searchParams.keys()].filter((name) => name !== 'x-id' && !/^x-amz-/i.test(name));
  const request = `${method} ${asked.join(',')}`;
  const operation = url.searchParams.get('x-id') ?? BUCKET_OPERATIONS[request];
  if (operation === undefined) throw new Error(`S3 has no name for ${request} of ${url.pathname}`);
  const Key = rest.join('/');
  const tags = operation === 'CreateBucket' ? createdWith(body.toString('utf8')) : {};
  return { operation, input: Key === '' ? { Bucket, ...tags } : { Bucket, Key } };
};

/** Forwarded calls have no decoded input: then it is read from the body, or for S3 from the path. */
const decoded = (call: Call, input: object): Pick<RecordedCall, 'operation' | 'input'> => {
  if (call.service === 's3') return s3Call(call);
  if (call.service === 'lambda') {
    const FunctionName = invokedFunction(call.request.url);
    return { operation: FunctionName === undefined ? '' : 'Invoke', input: { FunctionName } };
  }
  const isForwarded = call.service === 'dynamodb';
  const members = isForwarded ? (JSON.parse(call.request.body.toString()) as object) : input;
  return { operation: call.operation, input: members as RecordedCall['input'] };
};

/** The call with its input. Throws if a request to S3 has no name here. */
export const recordedCall = (call: Call, input: object): RecordedCall => {
  const { requestId, functionName, accessKeyId, service, region } = call;
  return { requestId, functionName, accessKeyId, service, region, ...decoded(call, input) };
};
