/** Calls of extensions that are Lambda functions: the event is the request, with the name of the handler in `handler`. */
import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { tryJson } from '../decode/json.ts';
import { UnansweredError } from '../plan/hooks/error.ts';
import type { CallExtension, Deadline } from './transport.ts';

/** The SDK retries throttling and errors of Lambda itself, within the deadline. */
const WORDS: Readonly<Record<string, string>> = {
  AccessDeniedException:
    'Windlass may not invoke the function: list its ARN in the setting extensionFunctions of the stack',
  ResourceNotFoundException: 'there is no such function',
  RequestTooLargeException: 'the request is larger than Lambda takes',
};

const failed = (why: string): UnansweredError => new UnansweredError(`lambda call failed: ${why}`);

const faultOf = (error: unknown): string => {
  const name = error instanceof Error ? error.name : 'Error';
  return WORDS[name] ? `${WORDS[name]} (${name})` : name;
};

const REGION_AT = 3;

/** `clientOf` returns the client of a region. */
export const makeLambdaCall =
  (clientOf: (region: string) => LambdaClient, deadline: Deadline): CallExtension =>
  async ({ config, hook, handler, request, timeoutSeconds }) => {
    const arn = config.spec.clientConfig.url ?? '';
    const abortSignal = deadline(timeoutSeconds * 1000);
    const event = { ...request, hook, ...(handler === undefined ? {} : { handler }) };
    const command = new InvokeCommand({
      FunctionName: arn,
      InvocationType: 'RequestResponse',
      Payload: Buffer.from(JSON.stringify(event)),
    });
    const answer = await clientOf(arn.split(':')[REGION_AT] ?? '')
      .send(command, { abortSignal })
      .catch((error: unknown) => {
        throw failed(abortSignal.aborted ? 'request timeout expired' : faultOf(error));
      });
    if (answer.FunctionError) throw failed(`the function failed (${answer.FunctionError})`);
    const body = tryJson(Buffer.from(answer.Payload ?? []).toString('utf8'));
    if (body === undefined) throw failed('failed to decode response');
    return body;
  };
