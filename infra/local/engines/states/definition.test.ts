import { expect, it } from 'vitest';
import { tasksOf } from './definition.ts';

const FUNCTION = 'arn:aws:lambda:us-east-1:000000000000:function:f';

const definition = (states: object, more: object = {}): string =>
  JSON.stringify({ StartAt: 'A', States: states, ...more });

it('finds tasks in branches, too', () => {
  const branch = { StartAt: 'B', States: { B: { Type: 'Task', Resource: FUNCTION, End: true } } };
  expect(tasksOf(definition({ A: { Type: 'Parallel', Branches: [branch], End: true } }))).toEqual([
    { name: 'B', functionArn: FUNCTION },
  ]);
});

it.each<[what: string, states: object, more: object, message: string]>([
  ['JSONata', { A: { Type: 'Succeed' } }, { QueryLanguage: 'JSONata' }, 'the field QueryLanguage of a state machine'],
  [
    'JSONata in a state',
    { A: { Type: 'Pass', Output: '{% 1 %}', End: true } },
    {},
    'state "A": the laptop does not know the field Output',
  ],
  ['variables', { A: { Type: 'Pass', Assign: { x: 1 }, End: true } }, {}, 'the field Assign'],
  ['maps', { A: { Type: 'Map', End: true } }, {}, 'states of type Map'],
  [
    'heartbeats',
    { A: { Type: 'Task', Resource: FUNCTION, HeartbeatSeconds: 5, End: true } },
    {},
    'the field HeartbeatSeconds',
  ],
  [
    'task tokens',
    { A: { Type: 'Task', Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken', End: true } },
    {},
    'runs only functions, not arn:aws:states:::lambda:invoke.waitForTaskToken',
  ],
  [
    'a result path of "$"',
    { A: { Type: 'Task', Resource: FUNCTION, ResultPath: '$', End: true } },
    {},
    'the ResultPath "$"',
  ],
])('refuses %s, with its name', (_, states, more, message) => {
  expect(() => tasksOf(definition(states, more))).toThrow(message);
});
