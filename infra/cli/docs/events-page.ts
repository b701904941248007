/** docs/events.md, from the catalogues of the functions. Pure. */
import type { EventRow } from './event-catalogues.ts';
import { UPSTREAM_REASONS } from './upstream-reasons.ts';

const HEAD = `# Events

\`npm run docs\` generates this page from the catalogues of the functions (\`reasons.ts\` in each folder).

Windlass records events on the objects that they are about. \`kubectl describe KIND NAME\` shows those of one object, \`kubectl get events --field-selector reason=REASON\` those of one reason, and \`windlass describe cluster NAME\` the latest ones of a cluster. An event expires an hour after it was last recorded; a repetition increments the count of the existing event.

\`Normal\` reports an action or a change. \`Warning\` needs attention. A check mark in the column "upstream" means that the controllers of Cluster API or of its AWS provider record the same reason, so alerts on it keep working.

In the tables, *it* and *its* refer to the object of the heading, on which the event is recorded.

During the deletion of a cluster, its AWSCluster may be gone before the rest. Events about the AWSCluster are then recorded on the Cluster. Events about Services are in the workload cluster itself.
`;

const row = ({ reason, type, when }: EventRow): string =>
  `| \`${reason}\` | ${type} | ${UPSTREAM_REASONS[type].includes(reason) ? '✓' : ''} | ${when} |`;

const byReason = (a: EventRow, b: EventRow): number => (a.reason < b.reason ? -1 : Number(a.reason > b.reason));

/** The complete page: a table for each kind, in alphabetical order. */
export const eventsPage = (rows: readonly EventRow[]): string => {
  const kinds = [...Map.groupBy(rows, ({ kind }) => kind)].sort(([a], [b]) => (a < b ? -1 : 1));
  const tables = kinds.map(([kind, own]) =>
    [
      `## ${kind}`,
      '',
      '| reason | type | upstream | when it is recorded |',
      '|---|---|---|---|',
      ...own.toSorted(byReason).map(row),
    ].join('\n'),
  );
  return `${HEAD}\n${tables.join('\n\n')}\n`;
};
