import { seededNumbers } from '../../../shared/seeded-random.ts';
import { questionsAbout } from './corpus/questions.ts';
import type { Question } from './judge.ts';

/** Chooses a number from 0 up to but excluding a bound. */
type Choose = (below: number) => number;

type Kind = 'int' | 'double' | 'bool' | 'text' | 'ints' | 'texts' | 'map' | 'dyn';

const KINDS: readonly Kind[] = ['int', 'double', 'bool', 'text', 'ints', 'texts', 'map', 'dyn'];

/**
 * The expressions of each type. A hole is filled with an expression of the type that it names, and `$v` with a variable
 * in scope.
 */
const FORMS: Readonly<Record<Kind, readonly string[]>> = {
  int: [
    '0',
    '1',
    '7',
    '-3',
    'self.n',
    'self.item.n',
    'self.list[0]',
    'self.map.p',
    '{int} + {int}',
    '{int} - {int}',
    '{int} * {int}',
    '{int} / {int}',
    '{int} % {int}',
    'size({text})',
    '{ints}.size()',
    '{texts}.size()',
    '{ints}[{int}]',
    '{bool} ? {int} : {int}',
    'int({double})',
    'int({text})',
    '{ints}.sum()',
    '{ints}.max()',
    '{text}.indexOf({text})',
    '{texts}.indexOf({text})',
    '{map}["p"]',
    '{map}[{text}]',
    'self.?n.orValue({int})',
    'self.map.?zz.orValue({int})',
    '-({int})',
    'dyn({int})',
    'optional.of({int}).value()',
  ],
  double: [
    '0.5',
    '2.0',
    'self.d',
    '{double} + {double}',
    '{double} * {double}',
    '{double} / {double}',
    'double({int})',
    '-({double})',
    '{bool} ? {double} : {double}',
    'self.doubles[{int}]',
  ],
  bool: [
    'true',
    'false',
    'self.b',
    '{int} < {int}',
    '{int} == {int}',
    '{int} != {double}',
    '{double} >= {int}',
    '{text} == {text}',
    '{text} < {text}',
    '{bool} && {bool}',
    '{bool} || {bool}',
    '!({bool})',
    '{int} in {ints}',
    '{text} in {texts}',
    '{text} in {map}',
    '{int} in [1, 2, 7]',
    '{ints} == {ints}',
    '{text}.startsWith({text})',
    '{text}.contains({text})',
    '{text}.matches("[a-c]+")',
    '{text}.matches({text})',
    '{ints}.all(V, {bool:int})',
    '{ints}.exists(V, {bool:int})',
    '{texts}.exists_one(V, {bool:text})',
    '{texts}.all(V, {bool:text})',
    'has(self.s)',
    'has(self.absent)',
    'has(self.item.tags)',
    'sets.contains({ints}, {ints})',
    '{ints}.isSorted()',
    'self.absent == {text}',
    '{dyn} == {dyn}',
    '{dyn} > {dyn}',
    'isQuantity({text})',
    'isIP({text})',
    'self.?absent.hasValue()',
    '{ints}.all(V, W, {bool:int})',
  ],
  text: [
    '""',
    '"a"',
    '"abc"',
    '"Wörld"',
    'self.s',
    'self.long',
    'self.word',
    'self.item.name',
    'self.texts[0]',
    '{text} + {text}',
    'string({int})',
    'string({bool})',
    '{text}.lowerAscii()',
    '{text}.replace({text}, {text})',
    '{text}.substring({int})',
    '{text}.charAt({int})',
    '{texts}.join(",")',
    '{texts}[{int}]',
    '{bool} ? {text} : {text}',
    '"%d-%s".format([{int}, {text}])',
    '{text}.trim()',
    '{text}.find("[a-c]+")',
    'self.?absent.orValue({text})',
    'strings.quote({text})',
  ],
  ints: [
    '[]',
    '[1]',
    '[{int}, {int}]',
    'self.list',
    '{ints} + {ints}',
    '{ints}.filter(V, {bool:int})',
    '{ints}.map(V, {int:int})',
    '{texts}.map(V, {int:text})',
    '{bool} ? {ints} : {ints}',
    '{ints}.sort()',
    '{ints}.distinct()',
    '{ints}.reverse()',
    '{ints}.slice(0, {int})',
    'self.nested[{int}]',
    'self.nested.flatten()',
    '{ints}.map(V, {bool:int}, {int:int})',
    'lists.range(3)',
    '{ints}.transformList(V, W, {int:int})',
  ],
  texts: [
    '["a"]',
    '[{text}, {text}]',
    'self.texts',
    'self.open',
    '{text}.split(",")',
    '{texts} + {texts}',
    '{texts}.filter(V, {bool:text})',
    '{ints}.map(V, {text:int})',
    '{text}.findAll("[a-c]")',
    '{texts}.sort()',
  ],
  map: ['{"a": {int}}', 'self.map', '{{text}: {int}, "p": {int}}', '{bool} ? {map} : {map}'],
  dyn: ['self.x', 'self.y', 'dyn({text})', 'dyn({int})', 'self.mixed[0]', 'self.mixed[1]', '{bool} ? self.x : self.y'],
};

/** Variables in scope, by the type of their values. */
type Reach = readonly { name: string; kind: Kind }[];

const DEPTH = 4;

/** One in this many holes gets the wrong type, which results in rules that must be refused. */
const WRONG_ONE_IN = 40;

class Generator {
  readonly #choose: Choose;
  #variables = 0;

  constructor(choose: Choose) {
    this.#choose = choose;
  }

  expression(kind: Kind, depth: number, reach: Reach): string {
    const own = reach.filter((it) => it.kind === kind);
    if (own.length > 0 && this.#choose(2) === 0) return own[this.#choose(own.length)]?.name ?? '';
    const forms = FORMS[kind].filter((form) => depth > 0 || !/\{\w+[:}]/.test(form));
    return this.#fill(forms[this.#choose(forms.length)] ?? '', depth - 1, reach);
  }

  #fill(form: string, depth: number, reach: Reach): string {
    this.#variables += 1;
    const [first, second] = [`v${this.#variables}`, `w${this.#variables}`];
    const named = form.replace(/\bV\b/g, first).replace(/\bW\b/g, second);
    return named.replace(/\{(\w+)(?::(\w+))?\}/g, (_, kind: Kind, item?: Kind) => {
      const inner = item ? [...reach, { name: form.includes('W') ? second : first, kind: item }] : reach;
      const wanted = this.#choose(WRONG_ONE_IN) === 0 ? (KINDS[this.#choose(KINDS.length)] as Kind) : kind;
      const text = this.expression(wanted, depth, inner);
      return /^[\w.]+$|^".*"$|^[[({]/.test(text) ? text : `(${text})`;
    });
  }
}

/** Random expressions over the values of the corpus. The same seed results in the same expressions. */
export const randomQuestions = (seed: number, count: number): Question[] => {
  const next = seededNumbers(seed);
  const choose: Choose = (below) => Math.min(below - 1, Math.floor(next() * below));
  return Array.from({ length: count }, () => {
    const kind = KINDS[choose(KINDS.length)] as Kind;
    return new Generator(choose).expression(kind, DEPTH, []);
  })
    .filter((text) => text.length < 900)
    .flatMap(questionsAbout);
};
