import type { OpenApiSchema, ValidationRule } from '../../../../shared/kube-api/resource.ts';
import type { Question } from '../judge.ts';
import { withRules } from './questions.ts';

const text: OpenApiSchema = { type: 'string' };
const int: OpenApiSchema = { type: 'integer' };

const object = (properties: Record<string, OpenApiSchema>, ...rules: ValidationRule[]): OpenApiSchema =>
  withRules({ type: 'object', properties }, ...rules);

const listOf = (items: OpenApiSchema, maxItems?: number): OpenApiSchema => ({
  type: 'array',
  items,
  ...(maxItems === undefined ? {} : { maxItems }),
});

const mapOf = (additionalProperties: OpenApiSchema, maxProperties?: number): OpenApiSchema => ({
  type: 'object',
  additionalProperties,
  ...(maxProperties === undefined ? {} : { maxProperties }),
});

const texts: Question[] = [
  {
    title: 'what a failure says',
    schema: object(
      { n: int, m: mapOf(int), 'a.b': text },
      { rule: 'self.n == 1' },
      { rule: 'self.n == 2', message: ' two ' },
      { rule: 'self.n == 3', messageExpression: "'not ' + string(self.n) + '\\n'" },
      { rule: 'self.n == 4', messageExpression: "'a\\nb'", message: 'fallback' },
      {
        rule: 'self.n == 5',
        messageExpression: 'string(1 / (self.n - 9))',
        reason: 'FieldValueForbidden',
        fieldPath: '.n',
      },
      { rule: 'self.n == 6', reason: 'FieldValueRequired', fieldPath: ".m['k']", message: 'key' },
      { rule: 'self.n == 7', reason: 'FieldValueDuplicate', fieldPath: "['a.b']" },
      { rule: 'self.n == 8', reason: 'FieldValueInvalid', fieldPath: '.n' },
      { rule: 'self.n == 10', messageExpression: "''", message: 'empty' },
      { rule: 'self.n == 11', messageExpression: `'${'a'.repeat(900)}'` },
      { rule: ' self.n == 12 ' },
    ),
    value: { n: 9, m: { k: 1 }, 'a.b': 'x' },
  },
  {
    title: 'messages that are wrong',
    schema: object(
      { n: int },
      { rule: 'self.n == 1', messageExpression: 'self.n' },
      { rule: 'self.n == 2', messageExpression: 'self.nothing' },
      { rule: 'self.nothing', messageExpression: 'self.nothing' },
    ),
    value: { n: 1 },
  },
  {
    title: 'texts of rules that are wrong',
    schema: withRules(
      text,
      { rule: ' ' },
      { rule: 'true\n' },
      { rule: 'true\n&& true' },
      { rule: 'true', message: ' ' },
      { rule: 'self == ""', message: 'a\nb' },
      { rule: 'self == "a"', messageExpression: ' ' },
      { rule: 'self == "b"', fieldPath: '.x' },
      { rule: 'self == "c"', fieldPath: ' ' },
    ),
    value: 'x',
  },
];

const places: Question[] = [
  {
    title: 'rules at all depths',
    schema: object({
      list: listOf(withRules(int, { rule: 'self < 3' }), 9),
      map: mapOf(withRules(int, { rule: 'self < 3' }), 9),
      part: object({ deep: withRules(int, { rule: 'self < 3' }) }, { rule: 'self.deep < 2' }),
      'a-b': withRules(text, { rule: 'self == "a"' }),
      '1x': withRules(text, { rule: 'self == "a"' }),
    }),
    value: { list: [1, 5], map: { a: 9, 'b/c': 2 }, part: { deep: 4 }, 'a-b': 'b', '1x': 'b' },
  },
  ...[{ n: 1, l: [1] }, { n: 2 }, {}, undefined].map(
    (old, index): Question => ({
      title: `transitions, ${index}`,
      schema: object(
        { n: withRules(int, { rule: 'self >= oldSelf', message: 'only grows' }), l: listOf(int, 3) },
        { rule: 'has(oldSelf.l) && self.l.size() == oldSelf.l.size()', fieldPath: '.l' },
      ),
      value: { n: 1, l: [1, 2] },
      ...(old === undefined ? {} : { old }),
    }),
  ),
  {
    title: 'transitions within a list',
    schema: object({ l: listOf(withRules(int, { rule: 'self == oldSelf' }), 3) }),
    value: { l: [1] },
  },
  {
    title: 'defaults, examples and enumerations',
    schema: { ...withRules(int, { rule: 'self > 3' }), default: 1 },
    value: 5,
  },
  { title: 'examples', schema: { ...withRules(int, { rule: 'self > 3' }), example: 1 }, value: 5 },
  { title: 'enumerations', schema: { ...withRules(int, { rule: 'self > 3' }), enum: [2, 5] }, value: 5 },
  { title: 'a variable that is a list', schema: withRules(listOf(int, 3), { rule: 'self.size() < 2' }), value: [1] },
  {
    title: 'metadata of a variable',
    schema: object({ n: int }, { rule: 'self.metadata.name == "a"' }),
    value: { n: 1 },
  },
  { title: 'a value of no type', schema: { 'x-kubernetes-int-or-string': true }, value: 'a' },
  {
    title: 'an int or a string',
    schema: withRules({ 'x-kubernetes-int-or-string': true }, { rule: 'type(self) == int ? self < 3 : self == "a"' }),
    value: 7,
  },
];

const ALL = 'self.all(a, self.all(b, a == b))';
const DEEP = 'self.all(a, self.all(b, self.all(c, a == b || b == c)))';

/** Rules whose cost upstream estimates in advance. */
const estimated = [undefined, 1, 10, 50, 100, 500, 1000, 2000, 5000].flatMap((most): Question[] =>
  [undefined, 1, 20, 300].flatMap((length): Question[] => {
    const items: OpenApiSchema = { type: 'string', ...(length === undefined ? {} : { maxLength: length }) };
    const limits = `${most ?? 'any'} of ${length ?? 'any'}`;
    return [
      ...[ALL, DEEP, 'self.all(a, a.contains("x"))', 'self.isSorted()', 'self.all(a, a.matches("^[a-z]+$"))'].map(
        (rule): Question => ({
          title: `${rule} in a list of ${limits}`,
          schema: object({ l: withRules(listOf(items, most), { rule }) }),
          value: { l: [] },
        }),
      ),
      {
        title: `an item's rule in a list of ${limits}`,
        schema: listOf(withRules(items, { rule: 'self.matches("a+b+c+")' }), most),
        value: [],
      },
      {
        title: `a rule in a map of lists of ${limits}`,
        schema: mapOf(
          listOf(withRules(items, { rule: 'self.contains("a")', messageExpression: 'self + self' }), most),
          most,
        ),
        value: {},
      },
      {
        title: `many rules in a list of ${limits}`,
        schema: object({
          a: withRules(listOf(items, most), { rule: ALL }, { rule: `!${ALL}` }),
          b: withRules(listOf(items, most), { rule: ALL }, { rule: 'self.exists(a, a.find("b+") == "b")' }),
        }),
        value: {},
      },
    ];
  }),
);

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Rules that exceed the cost limit at run time. */
const expensive: Question[] = [
  {
    title: 'one call',
    schema: object({ l: withRules(listOf(int, 1500), { rule: 'self.all(x, self.all(y, x + y >= 0))' }) }),
    value: { l: numbers(1500) },
  },
  {
    title: 'the message of a call',
    schema: object({
      l: withRules(listOf(int, 10), {
        rule: 'self.size() > 20',
        messageExpression: 'string(self.map(a, a + 1).size())',
      }),
    }),
    value: { l: numbers(10) },
  },
  {
    title: 'a budget',
    schema: listOf(withRules(listOf(int, 3000), { rule: `self.all(x, !'${'a'.repeat(1000)}'.contains('b'))` }), 16),
    value: Array.from({ length: 16 }, () => numbers(3000)),
  },
];

/** Complete schemas: where rules may be, what failures report, and which rules are refused because of their cost. */
export const SCHEMAS: readonly Question[] = [...texts, ...places, ...estimated, ...expensive];
