/** Seeds of random scenarios that once found a defect, each with its description. `npm test` always runs them. */
export const FOUND: readonly { seed: number; what: string }[] = [
  {
    seed: 1617,
    what: 'machines of a control plane that joined while nobody saw it: another one initialized a second cluster',
  },
  {
    seed: 72614451,
    what: 'the judge took a machine that a health check had given up for one that was still joining',
  },
  {
    seed: 28795612,
    what: 'the judge asked a paused deployment whose surge was cut to keep machines available, which upstream does not',
  },
  {
    seed: 227866551,
    what: 'a second machine of a control plane failed before the first was replaced: each waited for the other',
  },
  {
    seed: 196419797,
    what: 'two of five machines did not respond while a user deleted a third: etcd needed it, and none was remediated',
  },
  {
    seed: 304,
    what: 'a user deleted the last machine of a control plane: it stayed in etcd, and no other was created',
  },
  {
    seed: 483,
    what: 'all other machines were being deleted: none of them was asked to remove the member that did not respond',
  },
];
