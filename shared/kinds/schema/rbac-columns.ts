import type { KubeObject } from '../../kube-api/object.ts';
import type { PrinterColumn } from '../../kube-api/resource.ts';
import { ageColumn, textColumn } from './columns.ts';
import type { RoleRef, Subject } from './rbac.ts';

/** kubectl's columns for roles and bindings (k8s.io/kubernetes pkg/printers/internalversion). */

interface Binding extends KubeObject {
  subjects?: Subject[];
  roleRef?: RoleRef;
}

/** The priority of columns that are only shown with `-o wide`. */
const wide = (column: PrinterColumn): PrinterColumn => ({ ...column, priority: 1 });

/** A time and not an age: upstream has this for roles only. */
export const roleColumns: readonly PrinterColumn[] = [
  { ...textColumn('Created At', '.metadata.creationTimestamp', 'When the role was created'), statedType: 'date' },
];

const subjects =
  (kind: string, show: (subject: Subject) => string | undefined): NonNullable<PrinterColumn['value']> =>
  (object) =>
    ((object as Binding).subjects ?? [])
      .filter((subject) => subject.kind === kind)
      .map(show)
      .join(', ');

const nameOf = ({ name }: Subject): string | undefined => name;

export const bindingColumns = (kind: string): readonly PrinterColumn[] => [
  {
    ...textColumn('Role', '.roleRef', 'The role that is bound'),
    value: (object) => {
      const { roleRef } = object as Binding;
      return `${roleRef?.kind}/${roleRef?.name}`;
    },
  },
  ageColumn(kind),
  wide({ ...textColumn('Users', '.subjects', 'Users to whom it is bound'), value: subjects('User', nameOf) }),
  wide({ ...textColumn('Groups', '.subjects', 'Groups to which it is bound'), value: subjects('Group', nameOf) }),
  wide({
    ...textColumn('ServiceAccounts', '.subjects', 'Service accounts to which it is bound'),
    value: subjects('ServiceAccount', ({ namespace, name }) => `${namespace ?? ''}/${name}`),
  }),
];
