import type { Notice } from './notice.ts';

/** A cloud has announced that an instance will be terminated, or may be. */
export interface NoticeGiven {
  kind: 'notice';
  instanceId: string;
  notice: Notice;
}

/** The announcement was withdrawn. */
export interface NoticeTakenBack {
  kind: 'withdrawal';
  instanceId: string;
  id: string;
  /** RFC 3339. */
  at: string;
}
