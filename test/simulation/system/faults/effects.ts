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

const LOOKS = /^(Describe|Get|List|Query|Scan|BatchGet|Decrypt|GenerateDataKey|AssumeRole|Lookup)/;
const DRY_RUN = /(^|&)DryRun=true(&|$)/;

const operationOf = (request: ClientRequest, body: string): string => {
  const target = request.getHeader('x-amz-target')?.toString();
  if (target !== undefined) return target.split('.').at(-1) ?? '';
  return new URLSearchParams(body).get('Action') ?? `${request.method} ${request.path}`;
};

export const requestOf = (request: ClientRequest, body: string): Request => {
  const service = scopeOf(NOWHERE, request.getHeader('authorization')?.toString())?.service;
  if (service === undefined)
    return { name: `workload:${request.method}`, isEffect: !['GET', 'HEAD'].includes(request.method), isAws: false };
  const operation = operationOf(request, body);
  const isEffect = !LOOKS.test(operation) && !operation.startsWith('GET ') && !DRY_RUN.test(body);
  return { name: `${service}:${operation}`, isEffect, isAws: true };
};
