type Thread = Pick<typeof performance, 'eventLoopUtilization'>;

/** The share of the time since its last call, or its creation, in which the busiest of the threads was working. */
export const makeUtilization = (threads: readonly Thread[]): (() => number) => {
  let before = threads.map((thread) => thread.eventLoopUtilization());
  return () => {
    const now = threads.map((thread) => thread.eventLoopUtilization());
    const shares = threads.map((thread, index) => thread.eventLoopUtilization(now[index], before[index]).utilization);
    before = now;
    return Math.max(...shares);
  };
};
