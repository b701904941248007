/** The whole laptop with a record of every call that its functions make to AWS with their own credentials. */
import type { Call as WireCall } from '../../../infra/local/engines/wire/call.ts';
import { recordedCall } from '../../../infra/local/recorded-call.ts';
import { startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';
import { launchedBy } from '../../permissions/launched.ts';
import type { Call } from '../../permissions/requests.ts';
import { touchedBy } from '../../permissions/touched.ts';

/** A call and its result. */
export interface MadeCall extends Call {
  /** The code of AWS's error; `null` while there is no response, undefined if the call succeeded. */
  code: string | null | undefined;
}

export interface RecordedLaptop extends TestLaptop {
  /** The calls of functions so far, except for those with the credentials of an assumed role. */
  calls: readonly MadeCall[];
}

/**
 * The only function that signs requests for others: a machine fetches its bootstrap data with a URL that the function
 * has signed.
 */
const SIGNER = 'Windlass-machine-instance';

/** The function whose role IAM evaluates, even if another program sends the signed request. */
const callerOf = ({ functionName, service, request }: WireCall): string | undefined =>
  functionName ?? (service === 's3' && request.scope.presigned ? SIGNER : undefined);

export const startRecordedLaptop = async (settings: Parameters<typeof startTestLaptop>[1]): Promise<RecordedLaptop> => {
  const calls = new Map<string, MadeCall>();
  let laptop: TestLaptop | undefined;
  const calledBy: Parameters<typeof startTestLaptop>[0] = {
    onRequest: (call, input) => {
      const functionName = callerOf(call);
      if (functionName === undefined || laptop === undefined || call.accessKeyId !== laptop.account.accountId) return;
      const recorded = { ...recordedCall(call, input), functionName };
      const touched = touchedBy(laptop.account, recorded);
      const launches = launchedBy(laptop.account, recorded);
      calls.set(call.requestId, { ...recorded, touched, launches, code: null });
    },
    onCall: ({ requestId }, code) => {
      const made = calls.get(requestId);
      if (made) made.code = code;
    },
  };
  laptop = await startTestLaptop(calledBy, settings);
  return {
    ...laptop,
    get calls() {
      return [...calls.values()];
    },
  };
};
