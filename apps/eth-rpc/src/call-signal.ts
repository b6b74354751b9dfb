/** Called on abort; in the form that an EventTarget takes, too. */
export interface AbortListener {
  handleEvent(): void
}

/** The part of an AbortSignal that calls use. */
export interface CallSignal {
  readonly aborted: boolean
  readonly reason?: unknown
  addEventListener(type: 'abort', listener: AbortListener, options?: { readonly once: boolean }): void
  removeEventListener(type: 'abort', listener: AbortListener): void
}

/** An AbortController and its signal in one. Node's are EventTargets: the three that a call needs would cost more than all else we do for it. */
export class CallAbort implements CallSignal, AbortListener {
  aborted = false
  reason?: unknown
  private listeners: AbortListener[] = []

  abort(reason?: unknown): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    // A listener may remove itself, or others.
    const { listeners } = this
    this.listeners = []
    for (const listener of listeners) listener.handleEvent()
  }

  /** When it follows another signal. */
  handleEvent(): void {
    this.abort()
  }

  addEventListener(_type: 'abort', listener: AbortListener): void {
    this.listeners.push(listener)
  }

  removeEventListener(_type: 'abort', listener: AbortListener): void {
    const at = this.listeners.indexOf(listener)
    if (at !== -1) this.listeners.splice(at, 1)
  }
}
