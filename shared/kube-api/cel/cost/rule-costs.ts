import { forbiddenField } from '../../field-error.ts';
import type { FieldError } from '../../resource.ts';
import type { Program } from '../compile.ts';
import { type Declared, mostInRequest } from '../declare.ts';
import { estimateCost } from './estimate.ts';
import { MAX } from './range.ts';

/** The limits for one expression and for all of a schema (k8s.io/apiextensions-apiserver, validation.go). */
const LIMIT = 10_000_000n;
const TOTAL_LIMIT = 100_000_000n;

/** Upstream names at most this many expressions, each of which costs at least a hundredth of the total limit. */
const NAMED = 4;
const NAMED_FROM = TOTAL_LIMIT / 100n;

const multiply = (a: bigint, b: bigint): bigint => (a * b > MAX ? MAX : a * b);

const factorOf = (cost: bigint, limit: bigint): string => {
  const factor = Number(cost) / Number(limit);
  if (factor > 100) return 'more than 100x';
  return factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
};

const tooExpensive = (field: string, what: string, cost: bigint, limit: bigint): FieldError => {
  const hint =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return forbiddenField(field, `${what} exceeds budget by factor of ${factorOf(cost, limit)} (${hint})`);
};

/** The name of the total for the variables of a ClusterClass. */
const OF_VARIABLES = 'estimated rule & messageExpression cost total';

/** Adds up the estimated costs of all expressions of a schema. */
export class CostSum {
  readonly #what: string;
  #total = 0n;
  #expensive: { field: string; cost: bigint }[] = [];

  /** `what` is the name of the total in errors. */
  constructor(what: string = OF_VARIABLES) {
    this.#what = what;
  }

  add(field: string, cost: bigint): void {
    this.#total = this.#total + cost > MAX ? MAX : this.#total + cost;
    if (cost < NAMED_FROM) return;
    this.#expensive = [...this.#expensive, { field, cost }]
      .sort((a, b) => Number(b.cost > a.cost) - Number(b.cost < a.cost))
      .slice(0, NAMED);
  }

  /** `field` is the path of the schema. */
  errors(field: string): FieldError[] {
    if (this.#total <= TOTAL_LIMIT) return [];
    const what = this.#what;
    const why = `contributed to ${what} exceeding cost limit for entire OpenAPIv3 schema`;
    return [
      ...this.#expensive.map((it) => forbiddenField(it.field, why)),
      tooExpensive(field, `x-kubernetes-validations ${what} for entire OpenAPIv3 schema`, this.#total, TOTAL_LIMIT),
    ];
  }
}

/** The maximum number of values of a subschema in one object; undefined if unlimited. */
export type Cardinality = bigint | undefined;

/** The part of a schema that limits the number of its members. */
interface Bounded {
  type?: string | undefined;
  additionalProperties?: unknown;
  maxProperties?: number | undefined;
  maxItems?: number | undefined;
}

const elementsOf = ({ type, additionalProperties, maxProperties, maxItems }: Bounded): Cardinality => {
  if (type === 'array') return maxItems === undefined ? undefined : BigInt(Math.max(maxItems, 0));
  if (type !== 'object' || additionalProperties === undefined) return 1n;
  return maxProperties === undefined ? undefined : BigInt(Math.max(maxProperties, 0));
};

/** The cardinality of the direct members of a schema's values. */
export const cardinalityWithin = (schema: Bounded, of: Cardinality): Cardinality => {
  const elements = elementsOf(schema);
  return of === undefined || elements === undefined ? undefined : multiply(of, elements);
};

/** Adds a rule's estimated cost to the total. Returns an error if the rule alone exceeds the limit. */
export const costsOfRule = (
  { checked }: Program,
  { declared, cardinality, field }: { declared: Declared; cardinality: Cardinality; field: string },
  sum: CostSum,
): FieldError[] => {
  const cost = multiply(estimateCost(checked, declared), cardinality ?? mostInRequest(declared));
  sum.add(field, cost);
  return cost > LIMIT ? [tooExpensive(field, 'estimated rule cost', cost, LIMIT)] : [];
};

/** Does the same for a message expression, which is evaluated once. */
export const costsOfMessage = ({ checked }: Program, declared: Declared, field: string, sum: CostSum): FieldError[] => {
  const cost = estimateCost(checked, declared);
  sum.add(field, cost);
  return cost > LIMIT ? [tooExpensive(field, 'estimated messageExpression cost', cost, LIMIT)] : [];
};
