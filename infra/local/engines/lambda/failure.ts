import type { FunctionFailure } from './messages.ts';

/** The failure of a function. `name` is the name of the error that the function threw, as Step Functions sees it. */
export class FunctionError extends Error {
  override readonly name: string;
  readonly failure: FunctionFailure;

  constructor(failure: FunctionFailure) {
    super(failure.errorMessage);
    this.name = failure.errorType;
    this.failure = failure;
  }
}

/** A failure that Lambda itself reports. */
export const failureNamed = (errorType: string, errorMessage: string): FunctionError =>
  new FunctionError({ errorType, errorMessage, trace: [] });
