import { ContinuousBackupsUnavailableException, type UpdateContinuousBackupsCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { protect } from './table.ts';

const tooNew = () =>
  new ContinuousBackupsUnavailableException({ message: 'Backups are being enabled for the table', $metadata: {} });

/** A simulation of DynamoDB that enables its own backups of a new table only after `seconds`. */
const newTable = (seconds: number) => {
  let now = Date.parse('2030-01-01T00:00:00Z');
  const ready = now + seconds * 1000;
  const done: string[] = [];
  const answers: Readonly<Record<string, () => object>> = {
    UpdateContinuousBackupsCommand: () => {
      if (now < ready) throw tooNew();
      return {};
    },
  };
  const send = async (command: UpdateContinuousBackupsCommand) => {
    const { name } = command.constructor;
    const answer = answers[name]?.() ?? {};
    if (name.startsWith('Update')) done.push(name);
    return answer;
  };
  const clock = {
    now: () => new Date(now),
    sleep: async (milliseconds: number) => {
      now += milliseconds;
    },
  };
  return { access: { client: { send } as unknown as DynamoDBDocumentClient, table: 'new', clock }, done };
};

describe('the protection of a restored table', () => {
  it('waits until DynamoDB has enabled its own backups, and only then enables deletion protection', async () => {
    const { access, done } = newTable(90);
    await protect(access);
    expect(done).toEqual(['UpdateTimeToLiveCommand', 'UpdateContinuousBackupsCommand', 'UpdateTableCommand']);
  });

  it('fails if enabling backups takes too long, without deletion protection, so that the command can be repeated', async () => {
    const { access, done } = newTable(3600);
    await expect(protect(access)).rejects.toThrow('Backups are being enabled');
    expect(done).toEqual(['UpdateTimeToLiveCommand']);
  });
});
