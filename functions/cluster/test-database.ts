import { afterAll, beforeAll } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../shared/store/test-table.ts';

/** For the tests of one file: a database that exists as long as they run. Call it at the top level of the file. */
export const useTestDatabase = (): (() => TestDatabase) => {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    database = await startTestDatabase();
  });
  afterAll(() => database?.stop());
  return () => {
    if (!database) throw new Error('the database is there only while tests run');
    return database;
  };
};
