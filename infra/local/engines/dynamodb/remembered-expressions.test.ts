import { createRequire } from 'node:module';
import dynalite from 'dynalite';
import { expect, it, vi } from 'vitest';
import type { WireRequest } from '../wire/call.ts';
import { inProcess } from '../wire/in-process.ts';
import { type ExpressionContext, type ParseExpression, remembering } from './remembered-expressions.ts';

const require = createRequire(import.meta.url);
const parserOf = (name: string) => require(`dynalite/db/${name}Parser`) as { parse: ParseExpression };

interface Request {
  parser: string;
  text: string;
  names?: Record<string, string>;
  values?: Record<string, object>;
}

const contextOf = ({ names, values }: Request): ExpressionContext =>
  ({
    attrNames: names,
    attrVals: values,
    unusedAttrNames: Object.fromEntries(Object.keys(names ?? {}).map((name) => [name, true])),
    unusedAttrVals: Object.fromEntries(Object.keys(values ?? {}).map((name) => [name, true])),
    isReserved: (name: string) => name === 'status',
    compare: (_: string, a: { N: string }, b: { N: string }) => Number(a.N) > Number(b.N),
  }) as unknown as ExpressionContext;

const outcome = (parse: ParseExpression, request: Request) => {
  const context = contextOf(request);
  try {
    const tree = parse(request.text, { context });
    return { tree, unused: [Object.keys(context.unusedAttrNames), Object.keys(context.unusedAttrVals)] };
  } catch (error) {
    return { message: (error as Error).message };
  }
};

const REQUESTS: readonly (Request & { reason: string })[] = [
  {
    reason: 'a condition with a value',
    parser: 'condition',
    text: '#v = :v',
    names: { '#v': 'version' },
    values: { ':v': { N: '1' } },
  },
  {
    reason: 'the same with another value',
    parser: 'condition',
    text: '#v = :v',
    names: { '#v': 'version' },
    values: { ':v': { N: '2' } },
  },
  {
    reason: 'the same with another type',
    parser: 'condition',
    text: '#v = :v',
    names: { '#v': 'version' },
    values: { ':v': { S: '2' } },
  },
  {
    reason: 'the same for another name',
    parser: 'condition',
    text: '#v = :v',
    names: { '#v': 'epoch' },
    values: { ':v': { N: '2' } },
  },
  {
    reason: 'names and values that are not used',
    parser: 'condition',
    text: 'attribute_not_exists(#v)',
    names: { '#v': 'a', '#w': 'b' },
    values: { ':x': { S: '' } },
  },
  { reason: 'a value that is not sent', parser: 'condition', text: 'a = :v' },
  { reason: 'a reserved name', parser: 'condition', text: 'status = :v', values: { ':v': { S: 'x' } } },
  { reason: 'no expression', parser: 'condition', text: 'a = = b' },
  { reason: 'a function', parser: 'condition', text: 'begins_with(a, :v)', values: { ':v': { S: 'x' } } },
  {
    reason: 'a function of the wrong type',
    parser: 'condition',
    text: 'begins_with(a, :v)',
    values: { ':v': { N: '1' } },
  },
  {
    reason: 'bounds in order',
    parser: 'condition',
    text: 'a BETWEEN :a AND :b',
    values: { ':a': { N: '1' }, ':b': { N: '2' } },
  },
  {
    reason: 'bounds out of order',
    parser: 'condition',
    text: 'a BETWEEN :a AND :b',
    values: { ':a': { N: '3' }, ':b': { N: '2' } },
  },
  { reason: 'a type by its name', parser: 'condition', text: 'attribute_type(a, :t)', values: { ':t': { S: 'N' } } },
  {
    reason: 'a type that does not exist',
    parser: 'condition',
    text: 'attribute_type(a, :t)',
    values: { ':t': { S: 'X' } },
  },
  {
    reason: 'parts of documents',
    parser: 'condition',
    text: 'a.b[1] = :v AND size(c) > :n',
    values: { ':v': { M: { x: { S: 'y' } } }, ':n': { N: '0' } },
  },
  {
    reason: 'an update',
    parser: 'update',
    text: 'SET #a = if_not_exists(#a, :zero) + :one REMOVE b',
    names: { '#a': 'count' },
    values: { ':zero': { N: '0' }, ':one': { N: '1' } },
  },
  { reason: 'an update of the wrong type', parser: 'update', text: 'ADD a :v', values: { ':v': { S: 'x' } } },
  { reason: 'two paths that overlap', parser: 'update', text: 'SET a = :v, a.b = :v', values: { ':v': { S: 'x' } } },
  { reason: 'a projection', parser: 'projection', text: 'a, #b.c[0]', names: { '#b': 'status' } },
];

it('parses like dynalite, the first time and every time after that', () => {
  const memories = new Map<string, ParseExpression>();
  for (const round of [1, 2, 3]) {
    for (const request of REQUESTS) {
      const { parse } = parserOf(request.parser);
      const remembered = memories.get(request.parser) ?? remembering(parse);
      memories.set(request.parser, remembered);
      expect(outcome(remembered, request), `${request.reason}, round ${round}`).toEqual(outcome(parse, request));
    }
  }
});

it('parses a text once for all values, and returns trees that can be modified', () => {
  const parse = vi.fn(parserOf('condition').parse);
  const remembered = remembering(parse);
  const ask = (value: object) =>
    outcome(remembered, { parser: 'condition', text: 'a = :v', values: { ':v': value } }).tree as {
      expression: object;
    };

  Object.assign(ask({ S: 'x' }).expression, { type: 'changed' });
  const { expression } = ask({ S: 'y' });

  expect(expression).toEqual({ type: '=', args: [['a'], { S: 'y' }] });
  expect(parse).toHaveBeenCalledTimes(1);
});

it('reports which names and values are used even if an earlier expression in the request uses them, too', () => {
  const remembered = remembering(parserOf('condition').parse);
  const request = { parser: 'condition', text: '#a = :v', names: { '#a': 'a' }, values: { ':v': { S: 'x' } } };
  const second = contextOf(request);
  Object.assign(second, { unusedAttrNames: {}, unusedAttrVals: {} });

  remembered(request.text, { context: second });
  expect(outcome(remembered, request).unused).toEqual([[], []]);
});

it('can replace a parser, because dynalite calls the parser through its export', async () => {
  const parse = vi.spyOn(parserOf('condition'), 'parse');
  const headers = {
    ...{ 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'DynamoDB_20120810.DeleteItem' },
    ...{ authorization: 'AWS4-HMAC-SHA256 Credential=a/b/c/dynamodb/aws4_request, SignedHeaders=a, Signature=a' },
    'x-amz-date': '20300101T000000Z',
  };
  const body = { TableName: 'none', Key: { a: { S: 'a' } }, ConditionExpression: 'attribute_exists(a)' };
  const url = new URL('http://localhost/');
  const request = { method: 'POST', url, headers, body: Buffer.from(JSON.stringify(body)) };

  const { body: answer } = await inProcess(dynalite())(request as unknown as WireRequest);

  expect(String(answer)).toContain('ResourceNotFoundException');
  expect(parse).toHaveBeenCalledWith('attribute_exists(a)', expect.anything());
});
