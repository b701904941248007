/**
 * When a pass repeats what failed, if the objects of the cluster stay as they are. `never`: only a change of them helps.
 * `hourly`: only a change elsewhere helps, such as in the account, which nothing reports. `soon`: the next sweep requests it.
 */
export type Retry = 'never' | 'hourly' | 'soon';
