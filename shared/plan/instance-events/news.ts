import type { Notice } from './notice.ts';

/** A cloud has announced that an instance will go, or may. */
export interface NoticeGiven {
  kind: 'notice';
  instanceId: string;
  notice: Notice;
}

/** It will not after all. */
export interface NoticeTakenBack {
  kind: 'withdrawal';
  instanceId: string;
  id: string;
}
