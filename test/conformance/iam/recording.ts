/** The whole laptop, with every call that its functions make to AWS as themselves written down. */
import type { Call as WireCall } from '../../../infra/local/engines/wire/call.ts';
import { recordedCall } from '../../../infra/local/recorded-call.ts';
import { startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';
import { launchedBy } from '../../permissions/launched.ts';
import type { Call } from '../../permissions/requests.ts';
import { touchedBy } from '../../permissions/touched.ts';

/** A call with how it ended. */
export interface MadeCall extends Call {
  /** The code of AWS's refusal; `null` before there is an answer, undefined where the call succeeded. */
  code: string | null | undefined;
}

export interface RecordedLaptop extends TestLaptop {
  /** The functions' own calls so far. Those with the credentials of a role that a function has taken on are not its. */
  calls: readonly MadeCall[];
}

/** The one function that signs requests for others: a machine fetches its bootstrap data with what it has signed. */
const SIGNER = 'Windlass-machine-instance';

/** Whose role IAM asks: that of the function, also where someone else sends what it has signed. */
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
