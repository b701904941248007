import { afterEach, describe, expect, it, vi } from 'vitest';
import { ENV } from '../../../shared/config.ts';
import { deploy } from './deploy.ts';
import type { KeptClients } from './kept-settings.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const OWN = { [ENV.table]: 'Windlass-ObjectsA92BA4F1-1', [ENV.sealKey]: 'arn:aws:kms:us-east-1:000000000000:key/own' };

const failure = (name: string, message = name): Error => Object.assign(new Error(message), { name });

/** A stack whose functions have these variables, and which contains these resources; reading one may be denied. */
const setUp = (
  variables: Readonly<Record<string, string>> | Error,
  own: readonly string[] = ['Objects', 'SealKey'],
  denied?: string,
) => {
  const lambda = async () => {
    if (variables instanceof Error) throw variables;
    return { Environment: { Variables: variables } };
  };
  const cloudFormation = async ({ input: { LogicalResourceId = '' } }: { input: { LogicalResourceId?: string } }) => {
    if (denied !== undefined && LogicalResourceId.startsWith(denied)) throw failure('AccessDenied');
    if (!own.some((name) => LogicalResourceId.startsWith(name)))
      throw failure('ValidationError', `Resource ${LogicalResourceId} does not exist for stack Windlass`);
    const PhysicalResourceId = LogicalResourceId.startsWith('Objects') ? OWN[ENV.table] : 'own';
    return { StackResourceDetail: { PhysicalResourceId } };
  };
  const destroy = () => {};
  const clients = { lambda: { send: lambda, destroy }, cloudFormation: { send: cloudFormation, destroy } };
  const run = vi.fn(async (_command: string, _args: readonly string[]) => 0);
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const call = (...args: string[]) => deploy(args, { run, connect: () => clients as unknown as KeptClients });
  return { call, run, said: () => stderr.mock.calls.join('') };
};

describe('windlass deploy', () => {
  it('deploys a new stack, or a stack with its own table and key', async () => {
    const own = setUp(OWN);
    expect(await own.call('--force')).toBe(0);
    expect(own.run.mock.calls).toEqual([['deploy', ['--force']]]);
    const first = setUp(failure('ResourceNotFoundException'));
    expect(await first.call()).toBe(0);
    expect(first.run).toHaveBeenCalledOnce();
    expect(first.said()).toBe('');
  });

  it('refuses to replace a restored table with an empty one', async () => {
    const { call, run, said } = setUp({ ...OWN, [ENV.table]: 'Windlass-objects-20260131-080000' }, ['SealKey']);
    expect(await call('-c', 'sweepMinutes=10')).toBe(1);
    expect(run).not.toHaveBeenCalled();
    expect(said()).toContain('-c tableName=Windlass-objects-20260131-080000');
    expect(said()).not.toContain('sealKeyArn');
  });

  it('refuses to replace the key that encrypts the Secrets of a restored table', async () => {
    const key = 'arn:aws:kms:us-east-1:000000000000:key/earlier';
    const { call, said } = setUp({ [ENV.table]: 'Restored', [ENV.sealKey]: key }, []);
    expect(await call('-c', 'tableName=Restored')).toBe(1);
    expect(said()).toContain(`-c sealKeyArn=${key}`);
  });

  it('deploys with the table in the arguments, or with a new one if the arguments request that', async () => {
    const variables = { ...OWN, [ENV.table]: 'Restored' };
    expect(await setUp(variables).call('-c=tableName=Restored')).toBe(0);
    expect(await setUp(variables).call('-c', 'tableName=')).toBe(0);
  });

  it('says which settings the next deployment forgets', async () => {
    const { call, said } = setUp(OWN);
    expect(await call('-c', 'alarmEmail=ops@example.com', '--context', 'sweepMinutes=10')).toBe(0);
    expect(said()).toContain('these settings apply to this deployment only: alarmEmail, sweepMinutes');
    expect(said()).toContain('cdk.json');
  });

  it('says nothing about settings after a failed deployment', async () => {
    const { call, run, said } = setUp(OWN);
    run.mockResolvedValue(1);
    expect(await call('-c', 'sweepMinutes=10')).toBe(1);
    expect(said()).toBe('');
  });

  it('continues if it is not allowed to look up the stack, and says so', async () => {
    const { call, run, said } = setUp(failure('AccessDeniedException', 'not authorized to perform: lambda:Get'));
    expect(await call()).toBe(0);
    expect(run).toHaveBeenCalledOnce();
    expect(said()).toContain('could not be checked whether the stack');
    expect(said()).toContain('not authorized to perform: lambda:Get');
  });

  it('refuses on the basis of what it found before a look-up failed', async () => {
    const restored = { [ENV.table]: 'Restored', [ENV.sealKey]: 'arn:aws:kms:us-east-1:000000000000:key/own' };
    const { call, run, said } = setUp(restored, [], 'SealKey');
    expect(await call()).toBe(1);
    expect(run).not.toHaveBeenCalled();
    expect(said()).toContain('-c tableName=Restored');
  });
});
