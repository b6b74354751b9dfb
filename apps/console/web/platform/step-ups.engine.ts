import { Problem } from '@trestle/problem/problem'

/** Calls that wait until the user has proven a second factor again: one question for all of them. */
class StepUps {
  private readonly listeners = new Set<() => void>()
  private waiting?: { readonly proven: Promise<undefined>; settle(error?: Problem): void }

  /** Resolves once the user has proven a factor; the cookie then holds the newer token. */
  request(): Promise<undefined> {
    this.waiting ??= this.begin()
    return this.waiting.proven
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  readonly isWaiting = (): boolean => this.waiting !== undefined

  readonly proven = (): void => this.end()

  readonly cancelled = (): void => this.end(new Problem('forbidden', 'StepUpCancelled', 'Nothing was done: it needs your second factor.'))

  private begin() {
    let settle: (error?: Problem) => void = () => undefined
    const proven = new Promise<undefined>((resolve, reject) => {
      settle = (error) => (error ? reject(error) : resolve(undefined))
    })
    queueMicrotask(() => this.notify())
    return { proven, settle }
  }

  private end(error?: Problem): void {
    const { waiting } = this
    this.waiting = undefined
    waiting?.settle(error)
    this.notify()
  }

  private notify(): void {
    for (const listener of this.listeners) listener()
  }
}

export const stepUps = new StepUps()
