import { kinds } from '../../shared/kinds/index.ts';
import { makeRuntime } from '../runtime.ts';
import { makeGuard } from './guard.ts';
import { putAnswer } from './put-answer.ts';

const runtime = makeRuntime(process.env);

/** Invoked by CloudFormation when the stack is created, updated or deleted, and by `npm run windlass -- destroy`. */
export const handler = makeGuard({
  listClusters: () => runtime.objects.list(kinds.cluster),
  put: putAnswer,
  log: runtime.log.with({ function: 'guard' }),
});
