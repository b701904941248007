/** The whole laptop, with every call that its functions make to AWS as themselves written down. */
import { recordedCall } from '../../../infra/local/recorded-call.ts';
import { startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';
import type { Call } from '../../permissions/requests.ts';
import { touchedBy } from '../../permissions/touched.ts';

export interface RecordedLaptop extends TestLaptop {
  /** The functions' own calls so far. Those with the credentials of a role that a function has taken on are not its. */
  calls: readonly Call[];
}

export const startRecordedLaptop = async (): Promise<RecordedLaptop> => {
  const calls: Call[] = [];
  let laptop: TestLaptop | undefined;
  laptop = await startTestLaptop({
    onRequest: (call, input) => {
      if (call.functionName === undefined || laptop === undefined || call.accessKeyId !== laptop.account.accountId)
        return;
      const recorded = recordedCall(call, input);
      calls.push({ ...recorded, touched: touchedBy(laptop.account, recorded) });
    },
  });
  return { ...laptop, calls };
};
