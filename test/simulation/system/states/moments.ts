/**
 * The state of a lifecycle in the middle of a step: the account, the items of the table, the states of executions, and
 * the functions that are running. Two lifecycles in the same state continue in the same way.
 */
import { createHash } from 'node:crypto';
import type { Account } from '../../../../infra/local/account.ts';
import type { Execution } from '../../../../infra/local/engines/states/executions.ts';
import { accountForms } from './account-forms.ts';
import { type Exists, formOf } from './forms.ts';
import { type Attributes, itemsNow } from './items.ts';
import { textOf } from './objects.ts';
import type { ServiceMirror } from './service-mirror.ts';
import { formsOf, idsOf, itemKind } from './settled.ts';

/** The form of an object; empty if it was removed, and for events, which are only history. */
const objectForm = (kind: string, { deletedAt, body }: Attributes, exists: Exists): string =>
  deletedAt || kind === '/events' ? '' : `${kind} ${JSON.stringify(formOf('', JSON.parse(textOf(body)), exists))}`;

interface Known {
  form: string;
  /** The ids that the object contains, and whether they existed. */
  ids: ReadonlyMap<string, boolean>;
}

/** A lifecycle has few objects, whose earlier states need not be kept. */
const MOST_KNOWN = 4_000;

/** The forms of items, cached because most objects do not change from one moment to the next. */
const remembering = () => {
  const known = new Map<string, Known>();
  return (text: string, exists: Exists, now: number): string => {
    const found = known.get(text);
    if (found && [...found.ids].every(([id, existed]) => exists(id) === existed)) return found.form;
    const item = JSON.parse(text) as Attributes;
    const kind = item.pk?.S?.split('|')[0] ?? '';
    if (!kind.includes('/')) return itemKind(item, now) ?? '';
    if (known.size >= MOST_KNOWN) known.clear();
    const ids = new Map<string, boolean>();
    const form = objectForm(kind, item, (id) => {
      const isThere = exists(id);
      ids.set(id, isThere);
      return isThere;
    });
    known.set(text, { form, ids });
    return form;
  };
};

const MACHINE_NAME = /[^:]+$/;

/** The state that an execution has entered last. */
const positionOf = ({ machineArn, events }: Execution): string =>
  `${MACHINE_NAME.exec(machineArn)?.[0]} ${events.findLast(({ type }) => type === 'StateEntered')?.state?.name}`;

export interface Surroundings {
  account: Account;
  executions(): readonly Execution[];
  /** What functions are doing, without the requests of users. */
  running(): readonly string[];
  /** The Services of the workload clusters. */
  services: ServiceMirror;
}

/** Returns a hash of the state, or undefined if it is known to be the same as at the last call. */
export const makeStateReader = ({ account, executions, running, services }: Surroundings) => {
  const formOfText = remembering();
  let last = '';
  return (): string | undefined => {
    const active = executions().filter(({ status }) => status === 'RUNNING');
    const work = [...active.map(positionOf), ...running()].sort().join('\n');
    const { version, texts } = itemsNow();
    const seen = `${version} ${services.version} ${work}`;
    if (seen === last) return undefined;
    last = seen;
    const ids = idsOf(account);
    const exists: Exists = (id) => ids.has(id);
    const now = account.clock.now().getTime();
    const forms = [...texts.values()].map((text) => formOfText(text, exists, now)).filter((form) => form !== '');
    const all = [...forms, ...formsOf(services.objects(), exists), ...accountForms(account, exists)].sort();
    return createHash('sha256')
      .update([...all, work].join('\n'))
      .digest('hex');
  };
};
