import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { synthesizeFixture } from '../../fixture-stack.ts';
import { ROOT } from '../paths.ts';
import { makeProgram } from '../program/program.ts';
import { commandLinePage } from './command-line.ts';
import { type Machine, machinesOf } from './definition.ts';
import { diagramOf, wordsOf } from './diagram.ts';
import { withDiagrams } from './document.ts';
import { pictureOf } from './picture.ts';

let machines: ReadonlyMap<string, Machine>;

beforeAll(() => {
  machines = machinesOf(synthesizeFixture());
});

describe('docs/architecture.md', () => {
  it('shows the current state machines of the template (npm run docs updates them)', () => {
    const text = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8');

    expect(withDiagrams(text, machines)).toBe(text);
    expect(withDiagrams(text.replace(/s0 --> s\d+/, 's0 --> s99'), machines)).toBe(text);
  });
});

describe('docs/architecture.svg', () => {
  it('is generated from its source (npm run docs updates it)', async () => {
    const read = (name: string) => readFileSync(join(ROOT, 'docs', name), 'utf8');
    const source = read('architecture.dot');
    expect(await pictureOf(source)).toBe(read('architecture.svg'));
    await expect(pictureOf('digraph {')).rejects.toThrow();
  });
});

describe('docs/command-line.md', () => {
  it('has the current options of all commands (npm run docs updates it)', () => {
    const text = readFileSync(join(ROOT, 'docs', 'command-line.md'), 'utf8');
    expect(commandLinePage(makeProgram())).toBe(text);
    for (const command of ['describe cluster NAME', 'get clusters', 'sweep'])
      expect(text).toContain(`### ${command}\n`);
  });
});

describe('a diagram', () => {
  it('shows every state of every workflow', () => {
    for (const machine of machines.values()) {
      const states = Object.entries(machine.States).filter(([, { Type }]) => Type !== 'Wait');
      for (const [name] of states) expect(diagramOf(machine)).toContain(`"${name}`);
    }
    expect([...machines.keys()]).toEqual(['converge-cluster', 'provision-machine', 'remove-machine', 'converge-pool']);
  });

  it('is a flowchart of tasks, choices, waits and branches', () => {
    const branch = { StartAt: 'a', States: { a: { Type: 'Task', Resource: 'f' } } };
    const machine: Machine = {
      StartAt: 'side by side',
      States: {
        'side by side': { Type: 'Parallel', Branches: [branch], Next: 'ready?', Catch: [{ Next: 'fail' }] },
        'ready?': {
          Type: 'Choice',
          Choices: [{ Variable: '$.x.ready', BooleanEquals: true, Next: 'end' }],
          Default: 'w',
        },
        w: { Type: 'Wait', SecondsPath: '$.x.waitSeconds', Next: 'side by side' },
        fail: { Type: 'Task', Resource: 'g', Next: 'end' },
        end: { Type: 'Succeed' },
      },
    };

    expect(diagramOf(machine).split('\n')).toEqual([
      'flowchart TD',
      '  start((" "))',
      '  start --> s0',
      '  subgraph s0 ["side by side"]',
      '    s1["a<br/><small>f</small>"]',
      '  end',
      '  s2{"ready?"}',
      '  s3(["wait waitSeconds s"])',
      '  s4["fail<br/><small>g</small>"]',
      '  s5(("end"))',
      '  s0 --> s2',
      '  s2 -- "ready" --> s5',
      '  s2 -- else --> s3',
      '  s3 --> s0',
      '  s4 --> s5',
      '  s6>"a task that fails permanently"]',
      '  s6 -.-> s4',
    ]);
  });

  it.each([
    [{ Variable: '$.a.done', BooleanEquals: false }, 'not done'],
    [
      {
        Or: [
          { Variable: '$.mode', StringEquals: 'busy' },
          { Variable: '$.mode', StringEquals: 'gone' },
        ],
      },
      'mode = busy or mode = gone',
    ],
    [{ Not: { Variable: '$.n', NumericGreaterThan: 0 } }, 'not n > 0'],
  ])('describes the condition %j as text', (condition, words) => {
    expect(wordsOf(condition)).toBe(words);
  });

  it('is refused, with the name of what it cannot show', () => {
    expect(() => wordsOf({ Variable: '$.a', IsPresent: true })).toThrow('IsPresent');
    expect(() => diagramOf({ StartAt: 'm', States: { m: { Type: 'Map' } } })).toThrow('Map');
  });

  it('requires a marker in the document', () => {
    expect(() => withDiagrams('no markers', machines)).toThrow('no place for the diagram of converge-cluster');
    expect(() => withDiagrams('<!-- diagram of other: x -->', machines)).toThrow('no state machine other');
  });
});
