import { describe, expect, it } from 'vitest';
import { functionsByName } from '../../../shared/kube-api/cel/check/environment.ts';
import { type CelType, showType } from '../../../shared/kube-api/cel/check/types.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { differences } from './compare.ts';
import { EDGES } from './corpus/edges.ts';
import { KUBERNETES } from './corpus/kubernetes.ts';
import { LIBRARIES } from './corpus/libraries.ts';
import { OPERATORS } from './corpus/operators.ts';
import { questionsAbout } from './corpus/questions.ts';
import { SCHEMAS } from './corpus/schemas.ts';
import { CONVERSIONS, TEXTS } from './corpus/texts.ts';
import { randomQuestions } from './generate.ts';
import { askUpstream, program } from './judge.ts';

const RANDOM = 1500;
const AT_ONCE = 500;

/** `npm run conformance` sets a different first seed for each commit. */
const FIRST = Number(process.env.WINDLASS_FIRST_SEED ?? 1);

/** The name of a type in Go, or its shorter name in messages. */
const goName = (type: CelType): string => {
  const names: Partial<Record<CelType['kind'], string>> = {
    duration: 'google.protobuf.Duration',
    timestamp: 'google.protobuf.Timestamp',
    null: 'null_type',
  };
  const [name = showType(type)] = [names[type.kind]];
  if (type.parameters.length > 0) return `${type.name}(${type.parameters.map(goName).join(', ')})`;
  return type.kind === 'parameter' ? `<${type.name}>` : name;
};

describe.skipIf(!program)('Cluster API’s own evaluation of rules in CEL', () => {
  it.each([
    ['operators', OPERATORS],
    ['conversions and texts', [...CONVERSIONS, ...TEXTS]],
    ['macros, lists and times', LIBRARIES],
    ["Kubernetes' own types", KUBERNETES],
    ['edges of the libraries', EDGES],
  ])('equals Windlass’s: %s', { timeout: LIMIT }, (_, expressions) => {
    expect(differences(expressions.flatMap(questionsAbout))).toEqual([]);
  });

  it('equals Windlass’s: schemas, transitions, messages and costs', { timeout: LIMIT }, () => {
    expect(differences(SCHEMAS)).toEqual([]);
  });

  const seeds = Array.from({ length: RANDOM / AT_ONCE }, (_, index) => FIRST + index);

  it.each(seeds)(
    `equals Windlass’s: ${AT_ONCE} random expressions, WINDLASS_FIRST_SEED=%i`,
    { timeout: LIMIT },
    (seed) => {
      const questions = randomQuestions(seed, AT_ONCE);
      expect(questions.length).toBeGreaterThan(AT_ONCE);
      expect(differences(questions)).toEqual([]);
    },
  );

  it('has the same functions', () => {
    const { functions } = askUpstream([]);
    // Functions that an expression cannot call by name.
    const internal = new Set(['__not_strictly_false__', '_in_', 'in']);
    const theirs = Object.entries(functions).flatMap(([name, overloads]) =>
      internal.has(name)
        ? []
        : overloads.map(({ id, member, takes, gives }) => `${name} ${id} ${member} ${takes} ${gives}`),
    );
    const ours = [...functionsByName()].flatMap(([name, overloads]) =>
      overloads.map(
        ({ id, isMethod, takes, gives }) => `${name} ${id} ${isMethod} ${takes.map(goName)} ${goName(gives)}`,
      ),
    );
    expect(ours.toSorted()).toEqual(theirs.toSorted());
  });
});
