import type { Clock } from '../../shared/clock.ts';
import { describeError } from '../../shared/decode/describe-error.ts';
import type { WriteEvent } from '../../shared/kube-api/registry/registry.ts';
import { decide } from '../../shared/kube-api/server/authorize.ts';
import type { Authorize, User } from '../../shared/kube-api/server/user.ts';
import type { Log } from '../../shared/log.ts';
import { isPlanned } from '../preview/kinds.ts';
import type { Reads } from '../preview/reads.ts';

export interface ExplainDependencies {
  objects: Reads;
  authorize: Authorize;
  clock: Clock;
  log: Log;
}

/** The limits of API servers for warnings: the characters of one, and of all together. */
const LONGEST = 256;
const ALL = 4096;

const PREFIX = 'plan: ';

const cut = (line: string): string => (line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 4)} ...`);

/** As many lines as fit into the headers of a response; the number of omitted lines is mentioned. */
const fitting = (lines: readonly string[]): string[] => {
  const shown: string[] = [];
  let room = ALL - LONGEST;
  for (const line of lines) {
    room -= line.length;
    if (room < 0) break;
    shown.push(line);
  }
  const left = lines.length - shown.length;
  return left === 0 ? shown : [...shown, `${PREFIX}${left} more lines; npm run windlass -- plan -f FILE shows all`];
};

/**
 * Shows the effects of a dry run. The planners are loaded when they are first used, because few requests need them. If
 * a plan cannot be computed, a warning says so; the write is not refused, because it is valid in any case.
 */
export const makeExplain = ({ objects, authorize, clock, log }: ExplainDependencies) => {
  const mayList = async (user: User, namespace: string | undefined): Promise<boolean> => {
    const machines = { verb: 'list', group: 'cluster.x-k8s.io', version: 'v1beta2', resource: 'machines', namespace };
    return (await decide(authorize, user, machines)).allowed;
  };

  const plan = async (user: User, { resource, object, type }: WriteEvent): Promise<string[]> => {
    const [{ preview }, { describePreview }] = await Promise.all([
      import('../preview/preview.ts'),
      import('../preview/describe.ts'),
    ]);
    const mayShow = (namespace: string) => mayList(user, namespace);
    const found = await preview({ reads: objects, now: clock.now(), mayShow }, [{ resource, object, type }]);
    return fitting(describePreview(found).map((line) => cut(`${PREFIX}${line}`)));
  };

  return async (user: User, event: WriteEvent): Promise<readonly string[]> => {
    const { resource, object } = event;
    if (resource.custom || !isPlanned(resource)) return [];
    const { namespace } = object.metadata;
    if (!(await mayList(user, namespace))) {
      return [`${PREFIX}it is shown to users who may list machines in namespace ${namespace}`];
    }
    try {
      return await plan(user, event);
    } catch (error) {
      log.error('A dry run could not be explained', {
        kind: resource.kind,
        namespace,
        name: object.metadata.name,
        ...describeError(error),
      });
      return [`${PREFIX}it could not be computed, see the log of the API server`];
    }
  };
};
