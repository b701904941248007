import { describe, expect, it } from 'vitest';
import type { Condition } from '../../kube-api/object.ts';
import { activityMessage, aggregate } from './aggregate.ts';

const REASONS = ['Ready', 'NotReady', 'ReadyUnknown'] as const;

const ready = (status: Condition['status'], message = ''): Condition[] => [
  { type: 'Ready', status, reason: 'R', message, lastTransitionTime: '2026-01-01T00:00:00Z' },
];
const machine = (name: string, status: Condition['status'], message = '', controlPlane = false) => ({
  name,
  controlPlane,
  conditions: ready(status, message),
});
const messageOf = (...objects: ReturnType<typeof machine>[]) =>
  aggregate('MachinesReady', 'Ready', objects, REASONS).message;

describe('the aggregate of a condition of many objects', () => {
  it('lists objects with the same message together', () => {
    const objects = ['m4', 'm2', 'm3', 'm1'].map((name) => machine(name, 'False', 'no node'));

    expect(aggregate('MachinesReady', 'Ready', objects, REASONS)).toEqual({
      type: 'MachinesReady',
      status: 'False',
      reason: 'NotReady',
      message: '* Machines m1, m2, m3, ... (1 more): no node',
    });
  });

  it('lists objects with the same AWS refusal together, without the ids of their requests', () => {
    const refused = (name: string) => machine(name, 'False', `Denied: no (request r-${name})`);

    expect(messageOf(refused('m1'), refused('m2'))).toBe('* Machines m1, m2: Denied: no');
    expect(messageOf(refused('m1'))).toBe('* Machine m1: Denied: no (request r-m1)');
  });

  it('puts a message that is a list below the name', () => {
    expect(messageOf(machine('m1', 'False', '* NodeReady: no CNI'))).toBe('* Machine m1:\n  * NodeReady: no CNI');
    expect(messageOf(machine('m1', 'False', '* A: x\n* B:\n  * y'))).toBe('* Machine m1:\n  * A: x\n  * B:\n    * y');
  });

  it('has messages of control plane machines first, then issues, then unknown states, and more objects before fewer', () => {
    const message = messageOf(
      machine('w1', 'Unknown', 'unknown'),
      machine('w2', 'False', 'one'),
      machine('w3', 'False', 'two'),
      machine('w4', 'False', 'two'),
    );
    expect(message).toBe('* Machines w3, w4: two\n* Machine w2: one\n* Machine w1: unknown');
    expect(messageOf(machine('w1', 'False', 'issue'), machine('z1', 'Unknown', 'unknown', true))).toBe(
      '* Machine z1: unknown\n* Machine w1: issue',
    );
  });

  it('has three messages, and counts the objects with other messages', () => {
    const issues = ['a', 'b', 'c', 'd'].map((name) => machine(name, 'False', `message ${name}`));
    const unknown = ['e', 'f'].map((name) => machine(name, 'Unknown', `message ${name}`));

    expect(messageOf(...issues, ...unknown)).toBe(
      [
        '* Machine a: message a',
        '* Machine b: message b',
        '* Machine c: message c',
        'And 1 Machine with other issues',
        'And 2 Machines with status unknown',
      ].join('\n'),
    );
  });

  it('has the messages of healthy objects if all are healthy', () => {
    expect(messageOf(machine('m1', 'True', 'going on'), machine('m2', 'True'))).toBe('* Machine m1: going on');
    expect(messageOf(machine('m1', 'True'))).toBeUndefined();
  });

  it('treats a missing condition as unknown', () => {
    expect(aggregate('MachinesReady', 'Ready', [{ name: 'm1', conditions: [] }], REASONS)).toEqual({
      type: 'MachinesReady',
      status: 'Unknown',
      reason: 'ReadyUnknown',
      message: '* Machine m1: Condition Ready not yet reported',
    });
  });

  it('names objects of another kind', () => {
    const deployments = ['d1', 'd2'].map((name) => machine(name, 'False', 'no replicas'));
    const claim = aggregate('WorkersAvailable', 'Ready', deployments, REASONS, 'MachineDeployment');

    expect(claim.message).toBe('* MachineDeployments d1, d2: no replicas');
  });
});

describe('the activity of several owners', () => {
  const rolling = (kind: string, name: string, message = 'Rolling out 1 not up-to-date replicas\n* Version') => ({
    kind,
    name,
    message,
  });

  it('is listed below their names, by kind', () => {
    const owners = [rolling('MachineDeployment', 'b'), rolling('KubeadmControlPlane', 'k')];

    expect(activityMessage([...owners, rolling('MachineDeployment', 'a')])).toBe(
      [
        '* KubeadmControlPlane k:',
        '  * Rolling out 1 not up-to-date replicas',
        '    * Version',
        '* MachineDeployments a, b:',
        '  * Rolling out 1 not up-to-date replicas',
        '    * Version',
      ].join('\n'),
    );
  });

  it('has three messages, and counts the others', () => {
    const owners = ['1', '2', '3'].map((name) => rolling('MachineDeployment', name, name));

    expect(activityMessage([rolling('KubeadmControlPlane', 'k', '0'), ...owners])).toBe(
      [
        '* KubeadmControlPlane k: 0',
        '* MachineDeployment 1: 1',
        '* MachineDeployment 2: 2',
        'And 1 MachineDeployment with other issues',
      ].join('\n'),
    );
  });
});
