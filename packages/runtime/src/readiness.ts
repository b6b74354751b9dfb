import { Injectable } from '@nestjs/common'
import { codeOf, messageOf } from '@trestle/problem/thrown'
import { withTimeout } from './with-timeout.js'

type Check = () => Promise<void> | void

export interface ReadinessReport {
  ready: boolean
  checks: Record<string, 'ok' | 'failed'>
  /** Of what failed; absent where nothing did. For operators: only the internal port shows it. */
  reasons?: Record<string, string>
  /** What an operator should look after, though it serves; absent where there is nothing. */
  notes?: Record<string, string>
}

const CHECK_LIMIT_MS = 2000

/** Whether this replica should be sent requests. */
@Injectable()
export class Readiness {
  /** Set when the service begins to stop; it does not become ready again. */
  stopping = false
  private readonly checks = new Map<string, Check>()
  private readonly notes = new Map<string, () => string | undefined>()

  add(name: string, check: Check): void {
    this.checks.set(name, check)
  }

  /** Undefined where there is nothing to say. */
  addNote(name: string, note: () => string | undefined): void {
    this.notes.set(name, note)
  }

  async report(): Promise<ReadinessReport> {
    const entries = await Promise.all([...this.checks].map(async ([name, check]) => [name, await failureOf(check)] as const))
    const checks = Object.fromEntries(
      entries.map(([name, failure]) => [name, failure === undefined ? ('ok' as const) : ('failed' as const)]),
    )
    const reasons = Object.fromEntries([...entries, ['service', this.stopping ? 'It is stopping.' : undefined] as const].filter(hasText))
    const notes = Object.fromEntries([...this.notes].map(([name, note]) => [name, note()] as const).filter(hasText))
    const ready = Object.keys(reasons).length === 0
    return { ready, checks, ...(!ready && { reasons }), ...(Object.keys(notes).length > 0 && { notes }) }
  }
}

/** Undefined where it passes. */
async function failureOf(check: Check): Promise<string | undefined> {
  try {
    await withTimeout(CHECK_LIMIT_MS, check)
    return undefined
  } catch (error) {
    // The message is empty when every address of a host name refuses.
    return messageOf(error) || codeOf(error) || 'It failed.'
  }
}

function hasText(entry: readonly [string, string | undefined]): entry is readonly [string, string] {
  return entry[1] !== undefined
}
