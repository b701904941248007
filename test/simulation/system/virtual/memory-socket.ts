import { Duplex } from 'node:stream';

/** One direction of a connection. */
export interface Line {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs `act` after the latency of a packet. Later packets never arrive earlier. */
  carry(act: () => void): void;
}

interface Packet {
  sentAt: number;
  bytes: Buffer[];
}

const connectionReset = (): Error =>
  Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });

/** One end of a connection inside the process, with everything that HTTP, TLS and WebSockets need from a socket. */
export class MemorySocket extends Duplex {
  readonly connecting = false;
  readonly remoteAddress = '127.0.0.1';
  readonly remoteFamily = 'IPv4';
  readonly remotePort: number;
  readonly localPort: number;
  timeout = 0;
  #peer: MemorySocket | undefined;
  readonly #line: Line;
  /** The last packet, which may have already arrived. */
  #packet: Packet | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(ports: { remote: number; local: number }, line: Line) {
    super({ allowHalfOpen: false });
    this.remotePort = ports.remote;
    this.localPort = ports.local;
    this.#line = line;
  }

  join(peer: MemorySocket): void {
    this.#peer = peer;
  }
  override _read(): void {}
  /**
   * Data that is written at the same time arrives together. TLS splits data at the ends of its buffers, which depend on
   * the lengths of signatures, and no seed determines these.
   */
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    // A copy, because the writer may reuse its buffer.
    const bytes = Buffer.from(chunk);
    const sentAt = this.#line.now();
    if (this.#packet?.sentAt === sentAt) this.#packet.bytes.push(bytes);
    else this.#send({ sentAt, bytes: [bytes] });
    done();
  }
  #send(packet: Packet): void {
    this.#packet = packet;
    this.#line.carry(() => void (this.#peer?.destroyed === false && this.#peer.push(Buffer.concat(packet.bytes))));
  }
  override _final(done: () => void): void {
    this.#line.carry(() => void (this.#peer?.destroyed === false && this.#peer.push(null)));
    done();
  }
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#timer);
    this.#line.carry(() => {
      const peer = this.#peer;
      if (peer === undefined || peer.destroyed) return;
      if (this.writableFinished) peer.push(null);
      else peer.destroy(connectionReset());
    });
    done(error);
  }
  setTimeout(milliseconds: number, callback?: () => void): this {
    clearTimeout(this.#timer);
    this.timeout = milliseconds;
    if (callback) this.off('timeout', callback);
    if (milliseconds > 0 && callback) this.once('timeout', callback);
    if (milliseconds > 0) this.#timer = setTimeout(() => this.emit('timeout'), milliseconds);
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  resetAndDestroy(): this {
    return this.destroy();
  }
  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }
}
