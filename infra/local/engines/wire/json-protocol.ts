/** AWS JSON 1.0 and 1.1: the operation is in the header `x-amz-target`, the document is the body. */
import type { WireRequest, WireResponse } from './call.ts';
import type { AwsFault } from './fault.ts';
import { type Protocol, readJson, writeJson } from './protocol.ts';

/** The operation that `x-amz-target: <prefix>.<operation>` names, or the empty string. */
export const targetOf = (request: WireRequest): string =>
  String(request.headers['x-amz-target'] ?? '')
    .split('.')
    .at(-1) ?? '';

/** A fault as a JSON document; the type is in the body for the JSON protocols and in a header for REST. */
export const jsonFault = (fault: AwsFault, contentType: string): WireResponse => ({
  status: fault.status,
  headers: { 'content-type': contentType, 'x-amzn-errortype': fault.code },
  body: JSON.stringify({ ...fault.members, __type: fault.code, message: fault.message }),
});

const makeAwsJson = (version: '1.0' | '1.1'): Protocol => {
  const contentType = `application/x-amz-json-${version}`;
  return {
    unknownOperation: 'UnknownOperationException',
    operationName: (_service, request) => targetOf(request),
    readInput: (service, { input }, request) =>
      input.isStructSchema() ? (readJson(service, input, request.body) as object) : {},
    writeOutput: (service, { output: schema }, output) => ({
      status: 200,
      headers: { 'content-type': contentType },
      body: schema.isStructSchema() ? writeJson(service, schema, output) : '{}',
    }),
    writeFault: (_service, fault) => jsonFault(fault, contentType),
  };
};

export const awsJson10 = makeAwsJson('1.0');
export const awsJson11 = makeAwsJson('1.1');
