/** Counts what requests to DynamoDB are billed for: what the table itself says, and what its indexes add. */
import type { ServiceUnit } from '../../../shared/providers/aws/plan/cost/units.ts';
import type { WireRequest, WireResponse } from '../engines/wire/call.ts';
import { targetOf } from '../engines/wire/json-protocol.ts';
import type { Forward } from '../engines/wire/server.ts';
import { makeIndexWrites, type TableWrite } from './index-writes.ts';

export type Count = (unit: ServiceUnit, quantity: number) => void;

const WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem']);
const READS = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan']);

interface Capacity {
  CapacityUnits?: number;
  Table?: { CapacityUnits?: number };
}

const ASK = Buffer.from('{"ReturnConsumedCapacity":"INDEXES",');
const FIELD = '"ConsumedCapacity":';

const ASKS = Buffer.from('"ReturnConsumedCapacity"');

/** The same request, with consumption requested. Not parsed: there are thousands. */
const asking = (request: WireRequest): WireRequest => {
  if (request.body.includes(ASKS)) return request;
  const body = Buffer.concat([ASK, request.body.subarray(1)]);
  return { ...request, body, headers: { ...request.headers, 'content-length': String(body.length) } };
};

/** The value that begins at `from`, in which no text has a bracket. */
const valueAt = (body: string, from: number): unknown => {
  let depth = 0;
  for (let at = from; at < body.length; at += 1) {
    const letter = body[at];
    if (letter === '{' || letter === '[') depth += 1;
    if (letter === '}' || letter === ']') depth -= 1;
    if (depth === 0) return JSON.parse(body.slice(from, at + 1));
  }
  throw new Error('DynamoDB has answered with half a document');
};

/** The consumption in an answer. The name of the field cannot occur in an item: there its quotes are escaped. */
const capacitiesOf = ({ body }: WireResponse): Capacity[] => {
  const text = typeof body === 'string' ? body : Buffer.from(body).toString();
  const at = text.lastIndexOf(FIELD);
  if (at < 0) return [];
  return [valueAt(text, at + FIELD.length)].flat() as Capacity[];
};

const OK = 200;

/** A forward to DynamoDB that counts. Requests other than those for items cost nothing. */
export const meteredTable = (forward: Forward, count: Count): Forward => {
  /** By table: each has its own keys. */
  const indexes = new Map<string, ReturnType<typeof makeIndexWrites>>();
  const indexesOf = (table: string) => {
    const found = indexes.get(table) ?? makeIndexWrites();
    indexes.set(table, found);
    return found;
  };

  const countWrite = (operation: string, request: WireRequest, answer: WireResponse): void => {
    // A write that its condition refuses costs as much as the item that it met, which is not known here.
    if (answer.status !== OK) {
      count('writeUnits', 1);
      return;
    }
    const write = JSON.parse(request.body.toString()) as TableWrite & { TableName: string };
    const [{ CapacityUnits = 0, Table } = {}] = capacitiesOf(answer);
    count('writeUnits', (Table?.CapacityUnits ?? CapacityUnits) + indexesOf(write.TableName).count(operation, write));
  };

  return async (request) => {
    const operation = targetOf(request);
    const isWrite = WRITES.has(operation);
    if (!isWrite && !READS.has(operation)) return forward(request);
    const answer = await forward(asking(request));
    if (isWrite) countWrite(operation, request, answer);
    else for (const { CapacityUnits = 0 } of capacitiesOf(answer)) count('readUnits', CapacityUnits);
    return answer;
  };
};
