import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

/** True when a conditional write was refused by its condition. */
export const isConditionFailed = (error: unknown): boolean =>
  error instanceof ConditionalCheckFailedException ||
  (error instanceof Error && error.name === 'ConditionalCheckFailedException');

/** The result of a conditional write, or undefined if its condition did not hold. */
export const ifAccepted = async <T>(write: Promise<T>): Promise<T | undefined> => {
  try {
    return await write;
  } catch (error) {
    if (isConditionFailed(error)) return undefined;
    throw error;
  }
};

/** Whether the condition of a conditional write held. */
export const isAccepted = async (write: Promise<unknown>): Promise<boolean> => {
  try {
    await write;
    return true;
  } catch (error) {
    if (isConditionFailed(error)) return false;
    throw error;
  }
};
