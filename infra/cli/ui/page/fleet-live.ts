/** Drift and cost of the fleet. They are read periodically, because watching all machines would be too expensive. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PriceList } from '../../../../shared/providers/aws/plan/cost/prices.ts';
import { type DetailsOf, detailsOf, readFleet } from '../../describe/fleet-details.ts';
import { makePageApi, pageFetch } from './client.ts';
import { type Live, sleep, useVisible } from './live.ts';
import { readAgain } from './read-again.ts';

/** `revision` is empty until the Clusters are known, and changes with them. A change triggers another read. */
export const useFleetDetails = (
  namespace: string | undefined,
  prices: readonly PriceList[],
  revision: string,
): Live<DetailsOf> => {
  const [live, setLive] = useState<Live<DetailsOf>>({});
  const isVisible = useVisible();
  const latest = useRef(revision);
  latest.current = revision;
  useEffect(() => {
    if (!isVisible) return;
    const controller = new AbortController();
    const { signal } = controller;
    const show = (next: Live<DetailsOf>) => signal.aborted || setLive((before) => ({ ...before, ...next }));
    const read = async (): Promise<void> => {
      try {
        const objects = await readFleet(makePageApi(pageFetch), namespace);
        show({ value: detailsOf(objects, prices), problem: undefined });
      } catch (error) {
        show({ problem: `Drift and cost are not up to date: ${(error as Error).message}` });
      }
    };
    void readAgain({ read, revision: () => latest.current, now: () => Date.now(), sleep, signal });
    return () => controller.abort();
  }, [namespace, isVisible]);
  return live;
};
