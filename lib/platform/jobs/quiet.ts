/** Without news a loop still looks for work this often. */
const slowPollMs = 60_000

const rests = new Set<Rest>()
let watched = false

/** There may be work for a loop, or for all: who rests looks at once, and who is looking looks once more. */
export function wake(loop?: string): void {
  for (const rest of rests) if (loop === undefined || rest.loop === loop) rest.wake()
}

/** Loops sleep long only while the watch can wake them (`lib/worker/watch.ts`); otherwise they poll. */
export function setWatched(on: boolean): void {
  watched = on
  wake()
}

/** The pauses of one loop between its looks for work. */
export class Rest {
  private woken = false
  private asleep = false
  private end = () => {}

  constructor(
    readonly loop: string,
    private readonly signal: AbortSignal,
  ) {
    rests.add(this)
    signal.addEventListener("abort", this.cut)
  }

  /** Call before looking: what wakes the loop from now on may be too late for this look. */
  look(): void {
    this.woken = false
  }

  /**
   * Pauses, and then sleeps until it is woken, for `mostMs` in all. Without a watch it only pauses.
   * @returns whether it was woken
   */
  async rest(pauseMs: number, mostMs = slowPollMs): Promise<boolean> {
    await this.pause(pauseMs)
    if (this.woken || !watched || pauseMs >= mostMs) return this.woken
    this.asleep = true
    await this.pause(mostMs - pauseMs)
    this.asleep = false
    return this.woken
  }

  /** Settles after so many milliseconds, when it is cut, or when the loop is stopped. */
  pause(ms: number): Promise<void> {
    if (ms <= 0 || this.signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.end(), ms)
      this.end = () => {
        clearTimeout(timer)
        this.end = () => {}
        resolve()
      }
    })
  }

  wake(): void {
    this.woken = true
    if (this.asleep) this.end()
  }

  /** Ends a pause before its time. */
  readonly cut = (): void => this.end()

  /** The loop has ended. */
  close(): void {
    rests.delete(this)
    this.signal.removeEventListener("abort", this.cut)
  }
}
