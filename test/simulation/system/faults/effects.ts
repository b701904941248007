/** Classifies the requests of functions as effects or reads. */
import type { ClientRequest } from 'node:http';
import { scopeOf } from '../../../../infra/local/engines/wire/call.ts';

/** A request of a function. */
export interface Request {
  /** Such as `dynamodb:UpdateItem`, `ec2:RunInstances` or `workload:PATCH`. */
  readonly name: string;
  /** Whether it changes anything. */
  readonly isEffect: boolean;
  /** Whether it goes to AWS. Others go to the API server of a workload cluster. */
  readonly isAws: boolean;
}

const NOWHERE = new URL('http://localhost');

const LOOKS = /^(Describe|Get|Head|List|Query|Scan|BatchGet|Decrypt|GenerateDataKey|AssumeRole|Lookup)/;
const DRY_RUN = /(^|&)DryRun=true(&|$)/;

/**
 * The operation of a request to S3, which only its method and its URL show: as the SDK names it (`PutObject`), or the
 * method with the part of the bucket (`PUT policy`).
 */
const bucketOperation = (method: string, { pathname, searchParams }: URL): string => {
  const [part = /^\/[^/]+\/./.test(pathname) ? 'object' : 'bucket'] = searchParams.keys();
  return searchParams.get('x-id') ?? `${method} ${part}`;
};

/** The operation of a request that names it neither in a header nor in its body. `path` may have a query. */
export const restOperation = (service: string, method: string, path: string): string =>
  service === 's3' ? bucketOperation(method, new URL(path, NOWHERE)) : `${method} ${path}`;

const operationOf = (service: string, request: ClientRequest, body: string): string => {
  const target = request.getHeader('x-amz-target')?.toString();
  if (target !== undefined) return target.split('.').at(-1) ?? '';
  return new URLSearchParams(body).get('Action') ?? restOperation(service, request.method, request.path);
};

export const requestOf = (request: ClientRequest, body: string): Request => {
  const service = scopeOf(NOWHERE, request.getHeader('authorization')?.toString())?.service;
  if (service === undefined)
    return { name: `workload:${request.method}`, isEffect: !['GET', 'HEAD'].includes(request.method), isAws: false };
  const operation = operationOf(service, request, body);
  const isEffect = !LOOKS.test(operation) && !/^(GET|HEAD) /.test(operation) && !DRY_RUN.test(body);
  return { name: `${service}:${operation}`, isEffect, isAws: true };
};
