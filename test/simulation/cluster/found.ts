interface Found {
  seed: number;
  what: string;
  /** The number of kinds of changes at that time. */
  changes: number;
}

/** Seeds of random scenarios that have found a defect, with descriptions. `npm test` always runs them. */
export const FOUND: readonly Found[] = [
  {
    seed: 1617,
    what: 'machines of a control plane that joined while nobody saw it: another one initialized a second cluster',
    changes: 22,
  },
  {
    seed: 72614451,
    what: 'the judge took a machine that a health check had given up for one that was still joining',
    changes: 22,
  },
  {
    seed: 28795612,
    what: 'the judge asked a paused deployment whose surge was cut to keep machines available, which upstream does not',
    changes: 22,
  },
  {
    seed: 227866551,
    what: 'a second machine of a control plane failed before the first was replaced: each waited for the other',
    changes: 22,
  },
  {
    seed: 196419797,
    what: 'two of five machines did not respond while a user deleted a third: etcd needed it, and none was remediated',
    changes: 22,
  },
  {
    seed: 304,
    what: 'a user deleted the last machine of a control plane: it stayed in etcd, and no other was created',
    changes: 22,
  },
  {
    seed: 483,
    what: 'all other machines were being deleted: none of them was asked to remove the member that did not respond',
    changes: 22,
  },
  {
    seed: 4,
    what: 'labels of the machine template of a control plane never reached its existing machines',
    changes: 38,
  },
  {
    seed: 441,
    what: 'a machine that a user had marked for remediation could not leave etcd, and none in its way was remediated',
    changes: 38,
  },
  {
    seed: 1151,
    what: 'the same, while a machine that could not join came before the one in the way of both',
    changes: 38,
  },
  {
    seed: 1819,
    what: 'etcd needed a machine that a user had marked for remediation, because another one was silent',
    changes: 38,
  },
  {
    seed: 7815,
    what: 'a machine joined and ended while nobody saw it: because of its member in etcd, no other could join',
    changes: 38,
  },
  {
    seed: 199,
    what: 'a control plane grew although etcd had raised an alarm and accepted no writes',
    changes: 50,
  },
  {
    seed: 203,
    what: 'the replacement of a worker whose instance will end did not become available: a rollout never continued',
    changes: 50,
  },
  {
    seed: 217,
    what: 'the member of a machine without a working kubelet did not count for the quorum: a dead one stayed in etcd',
    changes: 50,
  },
  {
    seed: 441,
    what: 'the node of the leader of etcd was deleted: nobody could move the leadership, and its machine stayed',
    changes: 50,
  },
  {
    seed: 1689,
    what: 'the only working machine of a control plane was being deleted: the others, which did not work, waited for it',
    changes: 50,
  },
  {
    seed: 95209374,
    what: 'someone scaled a set down by two: it deleted two that would end, before the one that replaced them was available',
    changes: 50,
  },
  {
    seed: 208552409,
    what: 'EC2 announced the end of two old workers, one of which did not respond: a rollout waited for the other one',
    changes: 50,
  },
];
