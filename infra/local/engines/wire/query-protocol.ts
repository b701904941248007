/** The two query protocols: EC2's own, and the one of ELBv2 and STS. */
import type { WireRequest, WireResponse } from './call.ts';
import type { AwsFault } from './fault.ts';
import type { Protocol } from './protocol.ts';
import { readQuery } from './query-input.ts';
import { escapeXml, writeMembers } from './xml-output.ts';

const PROLOGUE = '<?xml version="1.0" encoding="UTF-8"?>';

const formOf = (request: WireRequest): URLSearchParams =>
  request.method === 'GET' ? request.url.searchParams : new URLSearchParams(request.body.toString('utf8'));

const xml = (status: number, body: string): WireResponse => ({
  status,
  headers: { 'content-type': 'text/xml;charset=UTF-8' },
  body: PROLOGUE + body,
});

const json = (status: number, body: object): WireResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const faultElements = (fault: AwsFault, type: string): string =>
  `<Error>${type}<Code>${escapeXml(fault.code)}</Code><Message>${escapeXml(fault.message)}</Message></Error>`;

/** The protocol of EC2. */
export const ec2Query: Protocol = {
  unknownOperation: 'InvalidAction',
  operationName: (_service, request) => formOf(request).get('Action') ?? '',
  readInput: (_service, operation, request) => readQuery(operation.input, formOf(request), true),
  writeOutput: (service, operation, output, request) => {
    const name = `${operation.name}Response`;
    const inner = `<requestId>${request.requestId}</requestId>${writeMembers(operation.output, output)}`;
    return xml(200, `<${name} xmlns="${service.xmlNamespace}">${inner}</${name}>`);
  },
  writeFault: (_service, fault, request) =>
    xml(
      fault.status,
      `<Response><Errors>${faultElements(fault, '')}</Errors><RequestID>${request.requestId}</RequestID></Response>`,
    ),
};

const wantsJson = (request: WireRequest): boolean => (request.headers.accept ?? '').includes('application/json');
const typeOf = (fault: AwsFault): string => (fault.status < 500 ? 'Sender' : 'Receiver');

/**
 * The protocol of ELBv2 and STS. A client that accepts JSON gets JSON, as from STS: verifiers of EKS-style tokens
 * request it.
 */
export const awsQuery: Protocol = {
  unknownOperation: 'InvalidAction',
  operationName: (_service, request) => formOf(request).get('Action') ?? '',
  readInput: (_service, operation, request) => readQuery(operation.input, formOf(request), false),
  writeOutput: (service, { name, output: schema }, output, request) => {
    if (wantsJson(request))
      return json(200, {
        [`${name}Response`]: { [`${name}Result`]: output, ResponseMetadata: { RequestId: request.requestId } },
      });
    const result = `<${name}Result>${writeMembers(schema, output)}</${name}Result>`;
    const metadata = `<ResponseMetadata><RequestId>${request.requestId}</RequestId></ResponseMetadata>`;
    return xml(200, `<${name}Response xmlns="${service.xmlNamespace}">${result}${metadata}</${name}Response>`);
  },
  writeFault: (service, fault, request) => {
    if (wantsJson(request))
      return json(fault.status, {
        Error: { Code: fault.code, Message: fault.message, Type: typeOf(fault) },
        RequestId: request.requestId,
      });
    const error = faultElements(fault, `<Type>${typeOf(fault)}</Type>`);
    const id = `<RequestId>${request.requestId}</RequestId>`;
    return xml(fault.status, `<ErrorResponse xmlns="${service.xmlNamespace}">${error}${id}</ErrorResponse>`);
  },
};
