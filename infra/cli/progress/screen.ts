import { createLogUpdate } from 'log-update';
import { paint } from './paint.ts';
import { render } from './render.ts';
import type { ClusterSnapshot } from './snapshot.ts';
import { timedChanges } from './story.ts';
import { advance, type Timeline } from './timeline.ts';
import { viewOf } from './tree.ts';

/** The output for progress: a terminal that is redrawn, or plain lines. */
export interface Screen {
  /** Records the state of clusters `seconds` after the start. */
  update(snapshots: readonly ClusterSnapshot[], seconds: number): void;
  /** Draws the last picture and leaves it on the screen. */
  end(): void;
}

/** Limits the output to five pictures per second. */
const REDRAW_MILLISECONDS = 200;

/** One line below the picture remains free; otherwise, terminals scroll with each picture. */
const SPARE_ROWS = 1;

/** `elapsed` returns the seconds since the start; between two updates, only the spinners and the times change. */
export const liveScreen = (stream: NodeJS.WriteStream, elapsed: () => number): Screen => {
  const draw = createLogUpdate(stream);
  let timeline: Timeline = new Map();
  let latest: readonly ClusterSnapshot[] = [];
  let tick = 0;
  const redraw = (): void => {
    const seconds = elapsed();
    tick += 1;
    const frame = { columns: stream.columns, rows: stream.rows - SPARE_ROWS, tick, seconds, paint };
    draw(
      render(
        latest.map((snapshot) => viewOf(snapshot, timeline, seconds)),
        frame,
      ).join('\n'),
    );
  };
  const timer = setInterval(redraw, REDRAW_MILLISECONDS);
  return {
    update: (snapshots, seconds) => {
      latest = snapshots;
      timeline = snapshots.reduce((all, snapshot) => advance(all, snapshot, seconds), timeline);
    },
    end: () => {
      clearInterval(timer);
      redraw();
      draw.done();
    },
  };
};

/** One line per event. */
export const plainScreen = (write: (line: string) => void): Screen => {
  let before: readonly ClusterSnapshot[] = [];
  return {
    update: (snapshots, seconds) => {
      for (const [index, snapshot] of snapshots.entries())
        timedChanges(before[index], snapshot, seconds).forEach(write);
      before = snapshots;
    },
    end: () => {},
  };
};
